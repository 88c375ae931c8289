package backup_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/backup"
	"vigueur/internal/store/blobs"
)

// meddledShelf is a shelf that calls before each operation. If the call returns an error,
// the operation fails with it.
type meddledShelf struct {
	blobs.Shelf
	before func(what, name string) error
}

func (m *meddledShelf) List(ctx context.Context, yield func(string, time.Time) error) error {
	if err := m.before("List", ""); err != nil {
		return err
	}
	return m.Shelf.List(ctx, yield)
}

func (m *meddledShelf) Delete(ctx context.Context, sha string) error {
	if err := m.before("Delete", sha); err != nil {
		return err
	}
	return m.Shelf.Delete(ctx, sha)
}

func (m *meddledShelf) Note(ctx context.Context, name string) ([]byte, error) {
	if err := m.before("Note", name); err != nil {
		return nil, err
	}
	return m.Shelf.Note(ctx, name)
}

func (m *meddledShelf) Notes(ctx context.Context) ([]blobs.NoteEntry, error) {
	if err := m.before("Notes", ""); err != nil {
		return nil, err
	}
	return m.Shelf.Notes(ctx)
}

func (m *meddledShelf) PutNote(ctx context.Context, name string, text []byte) error {
	if err := m.before("PutNote", name); err != nil {
		return err
	}
	return m.Shelf.PutNote(ctx, name, text)
}

func (m *meddledShelf) DeleteNote(ctx context.Context, name string) error {
	if err := m.before("DeleteNote", name); err != nil {
		return err
	}
	return m.Shelf.DeleteNote(ctx, name)
}

func (m *meddledShelf) Put(ctx context.Context, sha string, r io.Reader) error {
	if err := m.before("Put", sha); err != nil {
		return err
	}
	return m.Shelf.Put(ctx, sha, r)
}

func (m *meddledShelf) Open(ctx context.Context, sha string) (blobs.File, error) {
	if err := m.before("Open", sha); err != nil {
		return nil, err
	}
	return m.Shelf.Open(ctx, sha)
}

var errDead = errors.New("the process was killed")

// killedAfter is a shelf as seen by a process that is killed after a number of operations.
func killedAfter(operations int, shelf blobs.Shelf) *meddledShelf {
	var mu sync.Mutex
	return &meddledShelf{shelf, func(string, string) error {
		mu.Lock()
		defer mu.Unlock()
		if operations == 0 {
			return errDead
		}
		operations--
		return nil
	}}
}

// day returns the time at which the backup of n days ago began.
func day(ago int) time.Time { return time.Now().UTC().Truncate(time.Hour).AddDate(0, 0, -ago) }

// backedUp writes the manifest of a backup of n days ago, with its own dump and the given
// files.
func backedUp(t *testing.T, shelf blobs.Shelf, id string, ago int, files ...string) backup.Manifest {
	t.Helper()
	m := backup.Manifest{Format: 1, ID: id, Begun: day(ago), Database: stored(t, shelf, "dump "+id)}
	for _, f := range files {
		m.Files = append(m.Files, stored(t, shelf, f))
	}
	noted(t, shelf, "sauvegarde-"+id+".json", m)
	return m
}

// aged sets the age of all files in a folder.
func aged(t *testing.T, folder string, by time.Duration) {
	t.Helper()
	then := time.Now().Add(-by)
	ok(t, filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(path, then, then)
	}))
}

// ids returns the ids of the backups on a shelf, oldest first. It fails the test if a
// backup is incomplete.
func ids(t *testing.T, shelf blobs.Shelf) (all []string) {
	t.Helper()
	list, err := backup.List(t.Context(), shelf)
	ok(t, err)
	for _, m := range list {
		all = append(all, m.ID)
		for _, o := range append([]backup.Object{m.Database}, m.Files...) {
			if err := blobs.There(t.Context(), shelf, o.Stored); err != nil {
				t.Errorf("backup %s lacks %s: %v", m.ID, o.Stored, err)
			}
		}
	}
	return all
}

// contents returns the names of all files in a folder.
func contents(t *testing.T, folder string) (all []string) {
	t.Helper()
	ok(t, filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, d.Name())
		}
		return err
	}))
	return all
}

func prune(t *testing.T, shelf blobs.Shelf, keep backup.Keep) (backup.Pruned, error) {
	t.Helper()
	return (&backup.Pruning{Shelf: shelf, Keep: keep}).Run(t.Context())
}

// full returns a shelf with four backups that share files, and with an object that no
// backup names.
func full(t *testing.T) (shelf blobs.Shelf, folder string) {
	t.Helper()
	shelf, folder = shelfOf(t)
	backedUp(t, shelf, "a", 40, "un", "deux")
	backedUp(t, shelf, "b", 3, "deux", "trois")
	backedUp(t, shelf, "c", 2, "trois")
	backedUp(t, shelf, "d", 1, "trois", "quatre")
	stored(t, shelf, "of an interrupted backup")
	aged(t, folder, 48*time.Hour)
	return shelf, folder
}

func TestPruneRemovesWhatIsNotKept(t *testing.T) {
	t.Parallel()
	shelf, folder := full(t)
	young := stored(t, shelf, "of a backup that was interrupted just now")
	before := contents(t, folder)
	planned, err := (&backup.Pruning{Shelf: shelf, Keep: backup.Keep{Last: 2}, DryRun: true}).Run(t.Context())
	ok(t, err)
	if after := contents(t, folder); !slices.Equal(before, after) {
		t.Errorf("a dry run changes %v to %v", before, after)
	}
	done, err := prune(t, shelf, backup.Keep{Last: 2})
	ok(t, err)
	if a, b := fmt.Sprint(planned), fmt.Sprint(done); a != b {
		t.Errorf("planned %s, done %s", a, b)
	}
	// Two dumps, « un », « deux » and the object that no backup names.
	if len(done.Kept) != 2 || len(done.Removed) != 2 || done.Objects != 5 {
		t.Errorf("%+v", done)
	}
	if left := ids(t, shelf); !slices.Equal(left, []string{"c", "d"}) {
		t.Errorf("left: %v", left)
	}
	ok(t, blobs.There(t.Context(), shelf, young.Stored))
	if all := contents(t, folder); len(all) != 2+2+2+1 {
		t.Errorf("left: %v", all)
	}
}

// TestPruneKilledAnywhere kills a pruning after each of its operations: the remaining
// backups are complete, those to keep exist, and the next pruning completes the work.
func TestPruneKilledAnywhere(t *testing.T) {
	t.Parallel()
	for operations := 0; ; operations++ {
		shelf, folder := full(t)
		_, err := prune(t, killedAfter(operations, shelf), backup.Keep{Last: 2})
		left := ids(t, shelf)
		if len(left) < 2 || !slices.Equal(left[len(left)-2:], []string{"c", "d"}) {
			t.Fatalf("killed after %d operations: %v are left", operations, left)
		}
		if err != nil {
			locked := slices.ContainsFunc(contents(t, folder), func(name string) bool { return strings.HasPrefix(name, "verrou-") })
			if _, err := prune(t, shelf, backup.Keep{Last: 2}); locked != errs.Is(err, errs.Conflict) {
				t.Fatalf("killed after %d operations, locked %v: the next says %v", operations, locked, err)
			}
			aged(t, folder, 48*time.Hour)
			_, err := prune(t, shelf, backup.Keep{Last: 2})
			ok(t, err)
		}
		// The last operation removes the lock. If it fails, the lock is removed once it is old.
		if all := contents(t, folder); len(all) != 2+2+2 && (err != nil || len(all) != 2+2+2+1) {
			t.Fatalf("killed after %d operations: %v are left", operations, all)
		}
		if err == nil {
			if operations < 10 {
				t.Errorf("only %d operations", operations)
			}
			return
		}
	}
}

// TestPruneRefuses prunes shelves from which nothing may be removed.
func TestPruneRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		made func(t *testing.T, shelf blobs.Shelf, folder string)
		keep backup.Keep
		want errs.Kind
		says string
	}{
		"nothing is kept":      {nil, backup.Keep{}, errs.Invalid, "--keep-last"},
		"less than nothing is": {nil, backup.Keep{Last: -1}, errs.Invalid, "--keep-last"},
		"a manifest that cannot be read": {func(t *testing.T, shelf blobs.Shelf, _ string) {
			noted(t, shelf, "sauvegarde-x.json", "age-encryption.org/v1")
		}, backup.Keep{Last: 1}, errs.Unprocessable, "illisible"},
		"a manifest of a newer program": {func(t *testing.T, shelf blobs.Shelf, _ string) {
			noted(t, shelf, "sauvegarde-x.json", backup.Manifest{Format: 2, ID: "x"})
		}, backup.Keep{Last: 1}, errs.Unprocessable, "plus récente"},
		"no backup, as in the folder of the service's files": {func(t *testing.T, _ blobs.Shelf, folder string) {
			ok(t, os.RemoveAll(filepath.Join(folder, "notes")))
		}, backup.Keep{Last: 1}, errs.NotFound, "pas de sauvegarde"},
		"no backup is whole": {func(t *testing.T, shelf blobs.Shelf, _ string) {
			for _, id := range []string{"a", "b", "c", "d"} {
				ok(t, shelf.Delete(t.Context(), hashed([]byte("dump "+id))))
			}
		}, backup.Keep{Last: 1}, errs.Conflict, hashed([]byte("dump d"))},
		"a lock of the future": {func(t *testing.T, shelf blobs.Shelf, folder string) {
			noted(t, shelf, "verrou-sauvegarde-x.json", "{}")
			then := time.Now().AddDate(1, 0, 0)
			ok(t, os.Chtimes(filepath.Join(folder, "notes", "verrou-sauvegarde-x.json"), then, then))
		}, backup.Keep{Last: 1}, errs.Conflict, "notes/verrou-sauvegarde-x.json"},
		"a backup that runs": {func(t *testing.T, shelf blobs.Shelf, _ string) {
			noted(t, shelf, "verrou-sauvegarde-x.json", backup.Holder{Host: "autre-machine", PID: 7})
		}, backup.Keep{Last: 1}, errs.Conflict, "autre-machine, processus 7"},
		"a backup that runs and cannot be read": {func(t *testing.T, shelf blobs.Shelf, _ string) {
			noted(t, shelf, "verrou-sauvegarde-x.json", "")
		}, backup.Keep{Last: 1}, errs.Conflict, "en cours"},
		"another pruning": {func(t *testing.T, shelf blobs.Shelf, _ string) {
			noted(t, shelf, "verrou-nettoyage-x.json", "{}")
		}, backup.Keep{Last: 1}, errs.Conflict, "en cours"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shelf, folder := full(t)
			if c.made != nil {
				c.made(t, shelf, folder)
			}
			before := contents(t, folder)
			if _, err := prune(t, shelf, c.keep); !errs.Is(err, c.want) || !strings.Contains(errs.Public(err), c.says) {
				t.Errorf("%v, want %v with %q", err, c.want, c.says)
			}
			if after := contents(t, folder); !slices.Equal(before, after) {
				t.Errorf("%v became %v", before, after)
			}
		})
	}
}

// The lock of a dead process does not block others forever, and is removed.
func TestPruneRemovesDeadLocks(t *testing.T) {
	t.Parallel()
	shelf, folder := full(t)
	noted(t, shelf, "verrou-sauvegarde-x.json", "{}")
	noted(t, shelf, "verrou-nettoyage-x.json", "{}")
	aged(t, folder, 14*time.Minute)
	if _, err := prune(t, shelf, backup.Keep{Last: 4}); !errs.Is(err, errs.Conflict) {
		t.Errorf("locks that may be alive: %v", err)
	}
	aged(t, folder, 16*time.Minute)
	_, err := prune(t, shelf, backup.Keep{Last: 4})
	ok(t, err)
	if all := contents(t, folder); slices.ContainsFunc(all, func(name string) bool { return strings.HasPrefix(name, "verrou-") }) {
		t.Errorf("locks are left: %v", all)
	}
}

// Backups that lack an object or begin in the future do not replace a complete one.
func TestPruneKeepsTheLastWholeBackup(t *testing.T) {
	t.Parallel()
	shelf, folder := full(t)
	for i, id := range []string{"e", "f"} {
		m := backedUp(t, shelf, id, 0, "un")
		m.Begun = time.Now().Add(time.Duration(i-2) * time.Second)
		noted(t, shelf, "sauvegarde-"+id+".json", m)
		ok(t, shelf.Delete(t.Context(), m.Database.Stored))
	}
	backedUp(t, shelf, "future", -300, "cinq")
	aged(t, folder, 48*time.Hour)
	done, err := prune(t, shelf, backup.Keep{Last: 1, Monthly: 1})
	ok(t, err)
	kept := map[string]string{}
	for _, k := range done.Kept {
		kept[k.ID] = fmt.Sprint(k.Reasons, k.Missing != "")
	}
	want := map[string]string{"d": "[whole] false", "f": "[last monthly] true", "future": "[future] false"}
	if fmt.Sprint(kept) != fmt.Sprint(want) {
		t.Errorf("kept %v, want %v", kept, want)
	}
	if whole := contents(t, folder); !slices.Contains(whole, hashed([]byte("dump d"))) || !slices.Contains(whole, hashed([]byte("quatre"))) {
		t.Errorf("the last whole backup lost something: %v", whole)
	}
}

// While one pruning runs, a second one fails. If both begin at once, neither removes
// anything.
func TestTwoPrunings(t *testing.T) {
	t.Parallel()
	shelf, _ := full(t)
	var second error
	first := &meddledShelf{shelf, func(what, _ string) error {
		if what == "Delete" && second == nil {
			_, second = prune(t, shelf, backup.Keep{Last: 1})
		}
		return nil
	}}
	_, err := prune(t, first, backup.Keep{Last: 2})
	ok(t, err)
	if left := ids(t, shelf); !errs.Is(second, errs.Conflict) || len(left) != 2 {
		t.Errorf("the second says %v; %v are left", second, left)
	}

	shelf, folder := full(t)
	before := contents(t, folder)
	var written, seen, group sync.WaitGroup
	written.Add(2)
	seen.Add(2)
	for range 2 {
		// Each run lists the locks after both have written theirs, and gives up after both have
		// listed them.
		var list, withdraw sync.Once
		both := &meddledShelf{shelf, func(what, _ string) error {
			switch what {
			case "Notes":
				list.Do(func() { written.Done(); written.Wait() })
			case "DeleteNote":
				withdraw.Do(func() { seen.Done(); seen.Wait() })
			}
			return nil
		}}
		group.Go(func() {
			if _, err := prune(t, both, backup.Keep{Last: 1}); !errs.Is(err, errs.Conflict) {
				t.Errorf("%v", err)
			}
		})
	}
	group.Wait()
	if after := contents(t, folder); !slices.Equal(before, after) {
		t.Errorf("%v became %v", before, after)
	}
}

// TestPruneThatLosesItsLock cannot renew its lock: it stops before other runs consider it
// dead.
func TestPruneThatLosesItsLock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shelf, _ := full(t)
		var renewals atomic.Int32 // some renewals run in the background
		removed := 0
		away := errs.New(errs.Unavailable, "away")
		deaf := &meddledShelf{shelf, func(what, name string) error {
			switch {
			case what == "PutNote" && strings.HasPrefix(name, "verrou-"):
				if renewals.Add(1) > 2 {
					return away
				}
			case what == "Delete":
				removed++
				time.Sleep(4 * time.Minute)
			}
			return nil
		}}
		_, err := prune(t, deaf, backup.Keep{Last: 2})
		if !errs.Is(err, errs.Unavailable) || !strings.Contains(errs.Public(err), "cinq minutes") {
			t.Errorf("%v", err)
		}
		if removed != 2 {
			t.Errorf("%d objects were removed", removed)
		}
	})
}

// A shelf whose lists do not show recent writes is rejected.
func TestPruneOfForgetfulShelf(t *testing.T) {
	t.Parallel()
	shelf, _ := full(t)
	hidden := &meddledShelf{shelf, func(string, string) error { return nil }}
	if _, err := prune(t, forgetful{hidden}, backup.Keep{Last: 1}); !errs.Is(err, errs.Unavailable) {
		t.Errorf("%v", err)
	}
	if left := ids(t, shelf); len(left) != 4 {
		t.Errorf("left: %v", left)
	}
}

type forgetful struct{ blobs.Shelf }

func (forgetful) Notes(context.Context) ([]blobs.NoteEntry, error) { return nil, nil }

// TestKeep applies usual rules to years of nightly backups.
func TestKeep(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keep backup.Keep
		ago  []int // ages of the kept backups in days
		want []int
	}{
		"last":                     {backup.Keep{Last: 2}, []int{0, 1, 2, 3}, []int{0, 1}},
		"fewer than are kept":      {backup.Keep{Last: 5}, []int{0, 1}, []int{0, 1}},
		"days without count not":   {backup.Keep{Daily: 3}, []int{0, 5, 9, 20}, []int{0, 5, 9}},
		"one of a day":             {backup.Keep{Daily: 2}, []int{0, 0, 0, 1}, []int{0, 1}},
		"weeks":                    {backup.Keep{Weekly: 2}, []int{0, 7, 14, 21}, []int{0, 7}},
		"months":                   {backup.Keep{Monthly: 2}, []int{0, 40, 80}, []int{0, 40}},
		"rules are added together": {backup.Keep{Last: 1, Monthly: 2}, []int{0, 40, 80}, []int{0, 40}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shelf, _ := shelfOf(t)
			for i, ago := range c.ago {
				backedUp(t, shelf, fmt.Sprintf("%02d", i), ago)
			}
			done, err := (&backup.Pruning{Shelf: shelf, Keep: c.keep, DryRun: true}).Run(t.Context())
			ok(t, err)
			var kept []int
			for _, k := range slices.Backward(done.Kept) {
				kept = append(kept, int(time.Since(k.Begun).Hours()+1)/24)
			}
			if !slices.Equal(kept, c.want) || len(kept)+len(done.Removed) != len(c.ago) {
				t.Errorf("kept %v, want %v", kept, c.want)
			}
		})
	}
}
