package backup_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/bucket"
	"vigueur/internal/store/backup"
	"vigueur/internal/store/blobs"
)

// TestPruneOfBucketThatFails has an S3 server refuse one deletion after the other: nothing that
// is kept is touched, and the pruning after the last failure ends the work.
func TestPruneOfBucketThatFails(t *testing.T) {
	t.Parallel()
	inner, err := bucket.New("sauvegardes")
	ok(t, err)
	refused, deletions := 0, 0 // the number of the deletion that is refused, and that of all
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			if deletions++; deletions == refused {
				w.WriteHeader(http.StatusForbidden)
				return
			}
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	shelf, err := blobs.OpenShelf("s3://sauvegardes/ici?region=us-east-1&endpoint="+server.URL, "clef:tresor")
	ok(t, err)
	backedUp(t, shelf, "a", 3, "un")
	backedUp(t, shelf, "b", 2, "un", "deux")
	backedUp(t, shelf, "c", 1, "deux")
	run := func() (backup.Pruned, error) {
		deletions = 0
		// What was stored just now is old enough: the server's clock is not ours to set.
		return (&backup.Pruning{Shelf: shelf, Keep: backup.Keep{Last: 1}, Age: -time.Hour}).Run(t.Context())
	}
	// Of two manifests, two dumps and « un », the first manifest is refused, then the second, then a dump.
	for refused = 1; refused <= 3; refused++ {
		done, err := run()
		if !errs.Is(err, errs.Unavailable) || !strings.Contains(errs.Public(err), "refuse") {
			t.Errorf("deletion %d refused: %+v, %v", refused, done, err)
		}
		if left := ids(t, shelf); !slices.Contains(left, "c") {
			t.Fatalf("deletion %d refused: %v are left", refused, left)
		}
	}
	refused = 0
	_, err = run()
	ok(t, err)
	objects := 0
	ok(t, shelf.List(t.Context(), func(string, time.Time) error { objects++; return nil }))
	notes, err := shelf.Notes(t.Context())
	ok(t, err)
	if left := ids(t, shelf); !slices.Equal(left, []string{"c"}) || objects != 2 || len(notes) != 1 {
		t.Errorf("left: %v, %d objects, notes %v", left, objects, notes)
	}
}
