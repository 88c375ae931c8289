package backup_test

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/backup"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// Files that are arriving by parts are not in a backup, and what is restored takes them again.
func TestBackupWithoutUnfinishedUploads(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("pg_dump"); err != nil {
		t.Skip("pg_dump is not installed: scripts/setup installs it")
	}
	url := pgtest.NewURL(t)
	db, err := postgres.Open(t.Context(), url)
	ok(t, err)
	defer db.Close()
	editor := postgres.User{ID: postgres.NewID(), Email: "zoe@exemple.org", FullName: "Zoé", Role: "editor", Active: true, PasswordHash: "x"}
	ok(t, db.CreateUser(t.Context(), editor))
	part := bytes.Repeat([]byte("zylberman"), 300)
	arriving := postgres.Upload{ID: postgres.NewID(), UserID: editor.ID, Filename: "zylberman.pdf", SHA256: strings.Repeat("a", 64), Size: 1 << 20}
	begin := func(db *postgres.DB) {
		t.Helper()
		u, err := db.BeginUpload(t.Context(), arriving)
		ok(t, err)
		if u.Received != 0 {
			t.Fatalf("a new upload has %d bytes", u.Received)
		}
		ok(t, db.AddPart(t.Context(), u, 0, part))
	}
	begin(db)
	if in := pgtest.Holds(t, url, "zylberman"); !slices.Equal(in, []string{"upload_parts", "uploads"}) {
		t.Fatalf("the upload is in %v", in)
	}

	files, err := blobs.NewFolder(t.TempDir())
	ok(t, err)
	shelf, err := blobs.OpenShelf("file://"+t.TempDir(), "")
	ok(t, err)
	stored, err := (&backup.Backup{DB: db, Files: files, Shelf: shelf}).Run(t.Context())
	ok(t, err)
	empty := pgtest.NewEmptyURL(t)
	ok(t, (&backup.Restoration{DatabaseURL: empty, Files: files, Shelf: shelf, Newest: stored.Manifest.Schema}).Run(t.Context(), stored.Manifest))

	restored, err := postgres.Open(t.Context(), empty)
	ok(t, err)
	defer restored.Close()
	if in := pgtest.Holds(t, empty, "zylberman"); len(in) > 0 {
		t.Errorf("what was arriving is restored, in %v", in)
	}
	if _, err := restored.UploadOf(t.Context(), editor.ID, arriving.ID); !errs.Is(err, errs.NotFound) {
		t.Errorf("the upload is restored: %v", err)
	}
	if u, err := restored.UserByID(t.Context(), editor.ID); err != nil || u.Email != editor.Email {
		t.Errorf("the account is %+v, %v", u, err)
	}
	begin(restored)
}
