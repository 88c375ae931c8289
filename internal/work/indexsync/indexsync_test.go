package indexsync_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/work"
	"vigueur/internal/work/indexsync"
	"vigueur/internal/work/queue"
)

// index is an index that records what is written to it. The other fields are set before an
// attempt.
type index struct {
	mu       sync.Mutex
	outdated bool
	rebuilds int
	batches  [][]uuid.UUID
	versions []int64
	fail     error           // error of the next call of Rebuild or Write
	during   func(batch int) // called before each Write
	rebuild  func() (int64, int, error)
}

func (x *index) Outdated(context.Context) (bool, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.fail != nil && x.outdated {
		return false, x.fail
	}
	return x.outdated, nil
}

func (x *index) Rebuild(context.Context) (int64, int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.rebuilds++
	return x.rebuild()
}

func (x *index) Write(_ context.Context, version int64, texts []uuid.UUID) error {
	if x.during != nil {
		x.during(len(x.batches))
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.fail != nil {
		return x.fail
	}
	x.batches, x.versions = append(x.batches, slices.Clone(texts)), append(x.versions, version)
	return nil
}

// catalogue is a database with an index that follows it.
type catalogue struct {
	*testing.T // the test of the current case
	db         *postgres.DB
	index      *index
	files      int
}

func newCatalogue(t *testing.T) *catalogue {
	t.Helper()
	t.Parallel()
	return &catalogue{T: t, db: pgtest.New(t), index: &index{}}
}

// add adds texts texts to the catalogue.
func (c *catalogue) add(texts int) (ids []uuid.UUID) {
	c.Helper()
	c.files++
	i := postgres.Ingestion{ID: postgres.NewID(), SHA256: fmt.Sprintf("%064d", c.files), Filename: "jo.pdf", Size: 1}
	c.must(pgtest.AddFile(c.Context(), c.db, i))
	i, err := c.db.StartIngestion(c.Context(), i.ID)
	c.must(err)
	var list []postgres.StoredText
	for n := range texts {
		list = append(list, postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: fmt.Sprintf("Loi %d", n), Type: law.Loi, Domain: "travail",
			OfficialNumber: fmt.Sprintf("20%02d-%d", c.files, n), Promulgated: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), FirstPage: 1, LastPage: 1}})
		ids = append(ids, list[n].Document.ID)
	}
	c.must(c.db.SaveSegmentation(c.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: list}))
	c.must(c.db.MarkIngestion(c.Context(), i.ID, i.Attempt, "done", ""))
	return ids
}

func (c *catalogue) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

// follower returns a Follower that writes batches of two texts.
func (c *catalogue) follower() indexsync.Follower {
	return indexsync.Follower{Names: queue.Kind{Name: "index"}, DB: c.db, Row: c.db.PassageIndex(), Portion: 2, Open: func() indexsync.Feed { return c.index },
		Reason: func(err error) string { return "raison : " + err.Error() }, Log: slog.New(slog.DiscardHandler)}
}

// due returns the row if it is due.
func (c *catalogue) due() (uuid.UUID, bool) {
	c.Helper()
	ids, err := c.follower().Due(c.Context(), 1)
	c.must(err)
	if len(ids) == 0 {
		return uuid.Nil, false
	}
	return ids[0], true
}

// attempt runs the attempt that is due.
func (c *catalogue) attempt(ctx context.Context) error {
	c.Helper()
	id, ok := c.due()
	if !ok {
		c.Fatal("nothing is due")
	}
	return work.Run(ctx, c.follower(), id)
}

func (c *catalogue) row() postgres.Following {
	c.Helper()
	row, err := c.db.PassageIndex().Now(c.Context())
	c.must(err)
	return row
}

func (c *catalogue) version() int64 {
	c.Helper()
	v, err := c.db.CatalogueVersion(c.Context())
	c.must(err)
	return v
}

// rebuilt runs the first attempt, which rebuilds the index, and clears what the index recorded.
func (c *catalogue) rebuilt() {
	c.Helper()
	v := c.version()
	c.index.rebuild = func() (int64, int, error) { return v, 0, nil }
	c.must(c.db.PassageIndex().Remake(c.Context()))
	c.must(c.attempt(c.Context()))
	c.index.batches, c.index.versions, c.index.rebuilds = nil, nil, 0
}

// Changed texts are written once each, in batches, and then the version after all of them.
func TestChangesAreWrittenInBatches(t *testing.T) {
	c := newCatalogue(t)
	c.rebuilt()
	want := c.add(5)
	if err := c.attempt(t.Context()); err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for i, b := range c.index.batches {
		if sizes = append(sizes, len(b)); c.index.versions[i] != c.version() {
			t.Errorf("batch %d is of version %d, want %d", i, c.index.versions[i], c.version())
		}
	}
	got := slices.Concat(c.index.batches...)
	byID := func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) }
	slices.SortFunc(got, byID)
	slices.SortFunc(want, byID)
	if !slices.Equal(sizes, []int{2, 2, 1}) || !slices.Equal(got, want) || c.index.rebuilds != 0 {
		t.Errorf("batches of %v texts, %d rebuilds; wrote %v, want %v", sizes, c.index.rebuilds, got, want)
	}
	if row := c.row(); row.State != "done" || row.Version != c.version() || row.Failures != 0 {
		t.Errorf("row %+v, the catalogue has version %d", row, c.version())
	}
	if _, due := c.due(); due {
		t.Error("an index that is up to date is due")
	}
}

// What changes while an attempt runs is written by the same attempt.
func TestChangesDuringAnAttempt(t *testing.T) {
	c := newCatalogue(t)
	c.rebuilt()
	c.add(1)
	var late []uuid.UUID
	c.index.during = func(batch int) {
		if batch == 0 {
			late = c.add(1)
		}
	}
	if err := c.attempt(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(c.index.batches); n != 2 || c.index.batches[1][0] != late[0] || c.row().Version != c.version() {
		t.Errorf("batches %v, the late text is %v; version %d of %d", c.index.batches, late, c.row().Version, c.version())
	}
}

// A rebuild brings the index to the version that the catalogue had at its beginning; later
// changes are written after it. The index is rebuilt on request or if it is outdated.
func TestRebuild(t *testing.T) {
	c := newCatalogue(t)
	for name, begin := range map[string]func(*catalogue){
		"requested": func(c *catalogue) { c.must(c.db.PassageIndex().Remake(c.Context())) },
		"outdated":  func(c *catalogue) { c.index.outdated = true },
	} {
		t.Run(name, func(t *testing.T) {
			c.T, c.index = t, &index{}
			c.rebuilt()
			begin(c)
			c.add(3)
			previous := c.version()
			late := c.add(1)
			c.index.rebuild = func() (int64, int, error) { return previous, 3, nil }
			if err := c.attempt(t.Context()); err != nil {
				t.Fatal(err)
			}
			if c.index.rebuilds != 1 || len(c.index.batches) != 1 || !slices.Equal(c.index.batches[0], late) {
				t.Errorf("%d rebuilds, then %v, want %v", c.index.rebuilds, c.index.batches, late)
			}
			if row := c.row(); row.Rebuild || row.State != "done" || row.Version != c.version() {
				t.Errorf("row %+v", row)
			}
		})
	}
}

// An attempt that fails is put back with its reason and tried again; what the index had before
// is not written again.
func TestFailuresArePutBack(t *testing.T) {
	k := newCatalogue(t)
	down := errs.Wrap(errs.Unavailable, "", errors.New("down"))
	for name, c := range map[string]struct {
		outdated bool
		fail     func(x *index)
	}{
		"of a write":   {fail: func(x *index) { x.fail = down }},
		"of the look":  {outdated: true, fail: func(x *index) { x.fail = down }},
		"of a rebuild": {outdated: true, fail: func(x *index) { x.rebuild = func() (int64, int, error) { return 0, 7, down } }},
		"in mid-catalogue": {fail: func(x *index) {
			x.during = func(batch int) {
				if batch == 1 {
					x.fail = down
				}
			}
		}},
		"not of the service": {fail: func(x *index) { x.fail = errors.New("refused") }},
	} {
		t.Run(name, func(t *testing.T) {
			k.T, k.index = t, &index{}
			k.rebuilt()
			previous := k.row().Version
			k.add(3)
			k.index.outdated = c.outdated
			c.fail(k.index)
			err := k.attempt(t.Context())
			row := k.row()
			if err == nil || row.State != "queued" || row.Failures != 1 || row.Error != "raison : "+err.Error() || row.Version != previous {
				t.Fatalf("%v; row %+v", err, row)
			}
			if _, due := k.due(); due {
				t.Error("it is due again at once")
			}
		})
	}
}

// A worker that ends gives the row back, for another to go on at once.
func TestTheRowIsReleasedAtTheEndOfAWorker(t *testing.T) {
	c := newCatalogue(t)
	c.rebuilt()
	c.add(3)
	ctx, end := context.WithCancel(t.Context())
	c.index.during = func(int) { end(); c.index.fail = ctx.Err() }
	if err := c.attempt(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if row := c.row(); row.State != "queued" || row.Failures != 0 || row.Error != "" {
		t.Errorf("row %+v", row)
	}
	c.index.during, c.index.fail = nil, nil
	if err := c.attempt(t.Context()); err != nil || c.row().Version != c.version() {
		t.Errorf("the next attempt: %v, version %d of %d", err, c.row().Version, c.version())
	}
}

// A worker that has lost its lease stores no version: otherwise the worker that holds the lease
// now would skip texts that are not indexed.
func TestALostLeaseWritesNothing(t *testing.T) {
	c := newCatalogue(t)
	c.rebuilt()
	previous := c.row().Version
	c.add(3)
	c.index.during = func(batch int) {
		if batch > 0 {
			return
		}
		row := c.row()
		c.must(row.Release(c.Context())) // as if the lease had expired
		if _, err := c.db.PassageIndex().Lease(c.Context(), row.ID); err != nil {
			c.Error(err)
		}
	}
	if err := c.attempt(t.Context()); !errs.Is(err, errs.LeaseLost) {
		t.Fatal(err)
	}
	if row := c.row(); row.State != "running" || row.Version != previous {
		t.Errorf("row %+v", row)
	}
}

func TestOneAttemptAtATime(t *testing.T) {
	c := newCatalogue(t)
	c.add(1)
	c.rebuilt()
	c.add(1)
	id, _ := c.due()
	if _, err := c.db.PassageIndex().Lease(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	kind := c.follower().Plan()
	if err := work.Run(t.Context(), c.follower(), id); !errs.Is(err, errs.LeaseLost) || len(c.index.batches) > 0 {
		t.Errorf("a second attempt: %v, wrote %v", err, c.index.batches)
	}
	if kind.Concurrency > 1 || kind.Name != "index" || kind.Poll <= 0 || kind.Tries != 0 {
		t.Errorf("kind %+v", kind)
	}
}

// An index that does not respond is tried after 2, 10, 30 and 60 seconds, then every 5 minutes.
func TestBackoffSteps(t *testing.T) {
	t.Parallel()
	for failures, want := range map[int]time.Duration{-1: 2 * time.Second, 0: 2 * time.Second, 1: 2 * time.Second, 2: 10 * time.Second, 3: 30 * time.Second,
		4: time.Minute, 5: 5 * time.Minute, 6: 5 * time.Minute, 1000: 5 * time.Minute} {
		t.Run(fmt.Sprint(failures), func(t *testing.T) {
			t.Parallel()
			if got := indexsync.Backoff(failures); got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}
