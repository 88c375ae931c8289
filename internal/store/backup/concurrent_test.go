package backup_test

import (
	"bytes"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/backup"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// service is a database with files to back up.
func service(t *testing.T, contents ...string) (*postgres.DB, blobs.Store) {
	t.Helper()
	if _, err := exec.LookPath("pg_dump"); err != nil {
		t.Skip("pg_dump is not installed: scripts/setup installs it")
	}
	db := pgtest.New(t)
	files, err := blobs.NewFolder(t.TempDir())
	ok(t, err)
	for _, content := range contents {
		row := postgres.Ingestion{ID: postgres.NewID(), SHA256: hashed([]byte(content)), Filename: content + ".pdf", Size: int64(len(content))}
		ok(t, files.Put(t.Context(), row.SHA256, bytes.NewReader([]byte(content))))
		ok(t, pgtest.AddFile(t.Context(), db, row))
		ok(t, db.CancelIngestion(t.Context(), row.ID))
	}
	return db, files
}

// TestBackupBesidePruning begins a backup while a pruning removes the objects that the
// backup needs, and a pruning while a backup runs.
func TestBackupBesidePruning(t *testing.T) {
	t.Parallel()
	db, files := service(t, "un", "deux")
	shelf, folder := shelfOf(t)
	backedUp(t, shelf, "old", 9, "un", "deux")
	backedUp(t, shelf, "new", 1)
	aged(t, folder, 48*time.Hour)

	ended := make(chan error, 1)
	waits := make(chan backup.Holder, 1)
	var once sync.Once
	sweeping := &meddledShelf{shelf, func(what, _ string) error {
		if what == "Delete" {
			once.Do(func() {
				go func() {
					_, err := (&backup.Backup{DB: db, Files: files, Shelf: shelf, Poll: time.Millisecond, Waiting: func(h backup.Holder) { waits <- h }}).Run(t.Context())
					ended <- err
				}()
				select {
				case h := <-waits:
					if h.PID == 0 || !strings.Contains(h.String(), "processus") {
						t.Errorf("it waits for %+v", h)
					}
				case err := <-ended:
					t.Errorf("the backup did not wait: %v", err)
					ended <- err
				}
			})
		}
		return nil
	}}
	done, err := prune(t, sweeping, backup.Keep{Last: 1})
	ok(t, err)
	ok(t, <-ended)
	if left := ids(t, shelf); done.Objects != 3 || len(left) != 2 || left[0] != "new" {
		t.Errorf("%d objects were removed, left are %v", done.Objects, left)
	}

	var refused error
	during := &meddled{Store: files, before: func(string) { _, refused = prune(t, shelf, backup.Keep{Last: 1}) }}
	shelf, _ = shelfOf(t)
	_, err = (&backup.Backup{DB: db, Files: during, Shelf: shelf}).Run(t.Context())
	ok(t, err)
	if !errs.Is(refused, errs.Conflict) {
		t.Errorf("a pruning beside a backup: %v", refused)
	}
}

// TestBackupKilledAnywhere kills a backup after each of its operations. It counts only if
// it is complete, and blocks a pruning only while it may be running. The next backup
// succeeds.
func TestBackupKilledAnywhere(t *testing.T) {
	t.Parallel()
	db, files := service(t, "un")
	for operations := 0; ; operations++ {
		shelf, folder := shelfOf(t)
		backedUp(t, shelf, "old", 9, "un")
		aged(t, folder, 48*time.Hour)
		_, killed := (&backup.Backup{DB: db, Files: files, Shelf: killedAfter(operations, shelf)}).Run(t.Context())
		if killed != nil && !errors.Is(killed, errDead) {
			t.Fatal(killed)
		}
		before := ids(t, shelf)
		if killed == nil && len(before) != 2 || before[0] != "old" {
			t.Fatalf("killed after %d operations: %v", operations, before)
		}
		aged(t, folder, 48*time.Hour)
		_, err := prune(t, shelf, backup.Keep{Last: 1})
		ok(t, err)
		if left := ids(t, shelf); !slices.Equal(left, before[len(before)-1:]) {
			t.Fatalf("killed after %d operations, pruned: %v of %v", operations, left, before)
		}
		if killed == nil || operations%5 == 2 { // every kill costs a dump
			_, err = (&backup.Backup{DB: db, Files: files, Shelf: shelf}).Run(t.Context())
			ok(t, err)
			if left := ids(t, shelf); len(left) != 2 {
				t.Fatalf("killed after %d operations, then another: %v", operations, left)
			}
		}
		if killed == nil {
			if operations < 8 {
				t.Errorf("only %d operations", operations)
			}
			return
		}
	}
}

// A program that ignores the locks removes an object during a backup: the backup fails.
func TestBackupThatLosesAnObject(t *testing.T) {
	t.Parallel()
	db, files := service(t, "un", "deux")
	shelf, _ := shelfOf(t)
	before := ""
	meddling := &meddled{Store: files, before: func(sha string) {
		if before != "" {
			ok(t, shelf.Delete(t.Context(), before))
		}
		before = sha
	}}
	_, err := (&backup.Backup{DB: db, Files: meddling, Shelf: shelf}).Run(t.Context())
	if !errs.Is(err, errs.Conflict) || !strings.Contains(errs.Public(err), "a disparu") {
		t.Errorf("%v", err)
	}
	if left := ids(t, shelf); len(left) > 0 {
		t.Errorf("it counts: %v", left)
	}
}
