package backup_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os/exec"
	"testing"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/backup"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// meddled is a store that calls before each time a file is opened.
type meddled struct {
	blobs.Store
	before func(sha string)
}

func (m *meddled) Open(ctx context.Context, sha string) (blobs.File, error) {
	m.before(sha)
	return m.Store.Open(ctx, sha)
}

// TestBackupOfFilesThatGoMeanwhile deletes a file between the dump and its copy: together
// with its row, as people do, and without its row, which is a loss.
func TestBackupOfFilesThatGoMeanwhile(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("pg_dump"); err != nil {
		t.Skip("pg_dump is not installed: scripts/setup installs it")
	}
	db := pgtest.New(t)
	folder, err := blobs.NewFolder(t.TempDir())
	ok(t, err)
	var rows []postgres.Ingestion
	for _, content := range []string{"un", "deux", "trois"} {
		sum := sha256.Sum256([]byte(content))
		row := postgres.Ingestion{ID: postgres.NewID(), SHA256: hex.EncodeToString(sum[:]), Filename: content + ".pdf", Size: int64(len(content))}
		ok(t, folder.Put(t.Context(), row.SHA256, bytes.NewReader([]byte(content))))
		ok(t, pgtest.AddFile(t.Context(), db, row))
		ok(t, db.CancelIngestion(t.Context(), row.ID))
		rows = append(rows, row)
	}
	shelf, err := blobs.OpenShelf("file://"+t.TempDir(), "")
	ok(t, err)
	opened := map[string]int{}
	meddle := func(string) {}
	files := &meddled{Store: folder, before: func(sha string) {
		opened[sha]++
		meddle(sha)
	}}
	run := func() (backup.Stored, error) {
		return (&backup.Backup{DB: db, Files: files, Shelf: shelf}).Run(t.Context())
	}

	gone := rows[0]
	meddle = func(sha string) {
		if sha != gone.SHA256 || opened[sha] > 1 {
			return
		}
		_, err := db.ForgetIngestion(t.Context(), gone.ID)
		ok(t, err)
		ok(t, folder.Delete(t.Context(), sha))
	}
	done, err := run()
	ok(t, err)
	if len(done.Manifest.Files) != 2 || done.New != 2 {
		t.Errorf("%d files, %d of them new; want the two that are left", len(done.Manifest.Files), done.New)
	}
	for _, row := range rows[1:] {
		if opened[row.SHA256] != 1 {
			t.Errorf("%s was copied %d times", row.Filename, opened[row.SHA256])
		}
	}

	// If the row of a lost file still exists, the backup fails and names the file.
	ok(t, folder.Delete(t.Context(), rows[1].SHA256))
	shelf, err = blobs.OpenShelf("file://"+t.TempDir(), "")
	ok(t, err)
	if _, err := run(); !errs.Is(err, errs.NotFound) {
		t.Errorf("a lost file: %v", err)
	}
	all, err := backup.List(t.Context(), shelf)
	if err != nil || len(all) > 0 {
		t.Errorf("a backup without one of its files counts: %v, %v", all, err)
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
