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

// TestPruneOfBucketThatFails lets an S3 server refuse one deletion after the other: no kept backup is damaged, and a
// pruning after the last failure completes the work.
func TestPruneOfBucketThatFails(t *testing.T) {
	t.Parallel()
	inner, err := bucket.New("sauvegardes")
	ok(t, err)
	refused, deletions := 0, 0 // number of the deletion to refuse, and number of deletions so far
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
		// Objects count as old at once, because the test cannot set the server's clock.
		return (&backup.Pruning{Shelf: shelf, Keep: backup.Keep{Last: 1}, Age: -time.Hour}).Run(t.Context())
	}
	// There are two manifests, two dumps and the file « un ». The server refuses the first manifest, then the second
	// one, then a dump.
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
