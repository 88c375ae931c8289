package embedding_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/work/embedding"
)

// perBatch is how long the tests' model takes for a batch.
const perBatch = 50 * time.Millisecond

// clock is an embedding.Clock that advances only when it is told to, or waited for.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// After waits no real time.
func (c *clock) After(d time.Duration) <-chan time.Time {
	c.advance(d)
	at := make(chan time.Time, 1)
	at <- c.Now()
	return at
}

// sentences returns a runner of sentence vectors whose model takes perBatch by the runner's
// clock, and saves a text of so many passages for it.
func (b *bundle) sentences(t *testing.T, passages int) (*embedding.VectorMaker, *model, *clock) {
	t.Helper()
	bodies := make([]string, passages)
	for i := range bodies {
		bodies[i] = fmt.Sprint("Passage ", i)
	}
	b.save(t, bodies...)
	m, c := &model{}, &clock{now: time.Unix(0, 0)}
	r := &embedding.VectorMaker{DB: b.DB, Model: embedding.Model{Name: "phrases", Embedder: m}, Sentences: true, Log: b.Log, Renew: 20 * time.Millisecond, Clock: c}
	g, err := r.Generation(t.Context())
	ok(t, err)
	if due, err := b.DB.DueEmbedding(t.Context(), g.ID); err != nil || len(due) == 0 {
		t.Fatalf("due %v, %v", due, err)
	}
	m.atBatch(func(int, []string) error { c.advance(perBatch); return nil })
	return r, m, c
}

// probeText is the text that tells builds of a model apart.
const probeText = "Le salarié qui démissionne respecte un préavis dont la loi fixe la durée."

// atBatch has f called before each batch of passages, with its number from 1.
func (m *model) atBatch(f func(n int, texts []string) error) {
	n := 0
	m.before = func(texts []string) error {
		if texts[0] == probeText {
			return nil
		}
		n++
		return f(n, texts)
	}
}

// run computes the vectors of sentences and returns how long that took by the runner's clock.
func run(t *testing.T, r *embedding.VectorMaker) time.Duration {
	t.Helper()
	list, err := r.DB.SentenceGenerations(t.Context())
	ok(t, err)
	start := r.Clock.Now()
	ok(t, r.Run(t.Context(), list[0].ID))
	return r.Clock.Now().Sub(start)
}

// waiting adds a file that nobody reads.
func (b *bundle) waiting(t *testing.T) postgres.Ingestion {
	t.Helper()
	b.files++
	i := postgres.Ingestion{ID: postgres.NewID(), SHA256: fmt.Sprintf("%064d", b.files), Filename: "attend.pdf", Size: 1}
	ok(t, pgtest.AddFile(t.Context(), b.DB, i))
	return i
}

// TestFilesComeBeforeVectorsOfSentences checks that a file that waits slows the vectors down
// to a tenth of the time, and that they are complete all the same while it waits on.
func TestFilesComeBeforeVectorsOfSentences(t *testing.T) {
	b := setup(t)
	r, _, _ := b.sentences(t, 20) // three batches
	b.finishFiles(t)
	b.waiting(t)
	took := run(t, r)
	if want := 3 * 10 * perBatch; took != want {
		t.Errorf("beside a file that waits: %v, want %v", took, want)
	}
	list, err := b.DB.SentenceGenerations(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	if missing, err := b.DB.Unembedded(t.Context(), list[0].ID, postgres.Unembedded{}, 100); err != nil || len(missing) != 0 {
		t.Errorf("%d passages starve, %v", len(missing), err)
	}
}

// canceling is a clock that calls cancel when it is first waited for.
type canceling struct {
	*clock
	cancel func()
	once   sync.Once
}

func (c *canceling) After(d time.Duration) <-chan time.Time {
	c.once.Do(c.cancel)
	return c.clock.After(d)
}

// TestVectorsGoOnWhenNothingWaits checks that a pause ends with the work that it was for.
func TestVectorsGoOnWhenNothingWaits(t *testing.T) {
	b := setup(t)
	r, m, c := b.sentences(t, 20)
	b.finishFiles(t)
	file := b.waiting(t)
	slow := 2 * time.Second // a full pause would take 18 s
	m.atBatch(func(n int, _ []string) error {
		if n == 1 {
			c.advance(slow)
		}
		return nil
	})
	r.Clock = &canceling{clock: c, cancel: func() { ok(t, b.DB.CancelIngestion(t.Context(), file.ID)) }}
	if took := run(t, r); took >= 2*slow {
		t.Errorf("took %v though the file was cancelled in the first pause", took)
	}
}

// TestSearchedVectorsDoNotWait checks that the vectors that the search needs wait for nobody.
func TestSearchedVectorsDoNotWait(t *testing.T) {
	b := setup(t)
	b.save(t, "Un.", "Deux.")
	b.waiting(t)
	g := b.generation(t)
	c := &clock{now: time.Unix(0, 0)}
	b.Clock = c
	b.model.before = func([]string) error { c.advance(time.Second); return nil }
	asked := b.model.calls
	if err := b.runMine(t, g); err != nil {
		t.Fatal(err)
	}
	asked = b.model.calls - asked
	if took := c.Now().Sub(time.Unix(0, 0)); asked == 0 || took != time.Duration(asked)*time.Second {
		t.Errorf("took %v for %d calls of a second", took, asked)
	}
}

// TestRestartResumesTheSentences checks that an attempt continues behind what was stored.
func TestRestartResumesTheSentences(t *testing.T) {
	b := setup(t)
	r, m, _ := b.sentences(t, 20)
	b.finishFiles(t)
	stopped := errors.New("stopped")
	embedded := 0
	m.atBatch(func(n int, texts []string) error {
		if n == 2 {
			return stopped
		}
		embedded += len(texts)
		return nil
	})
	list, err := b.DB.SentenceGenerations(t.Context())
	ok(t, err)
	if err := r.Run(t.Context(), list[0].ID); !errors.Is(err, stopped) {
		t.Fatal(err)
	}
	first := embedded
	missing, err := b.DB.Unembedded(t.Context(), list[0].ID, postgres.Unembedded{}, 100)
	if err != nil || first == 0 || len(missing) != 20-first {
		t.Fatalf("%d embedded, %d missing, %v", first, len(missing), err)
	}
	embedded = 0
	m.atBatch(func(_ int, texts []string) error { embedded += len(texts); return nil })
	b.hurry(t)
	ok(t, r.Run(t.Context(), list[0].ID))
	if embedded != 20-first {
		t.Errorf("after a restart %d passages, want %d", embedded, 20-first)
	}
}

// runMine computes the searched vectors.
func (b *bundle) runMine(t *testing.T, g postgres.Generation) error {
	t.Helper()
	if !b.due(t, g.ID) {
		t.Fatal("not due")
	}
	return b.Run(t.Context(), g.ID)
}

// finishFiles ends the files of the saved texts.
func (b *bundle) finishFiles(t *testing.T) {
	t.Helper()
	files, _, err := b.DB.IngestionPage(t.Context(), postgres.FileQuery{State: "running"}, nil, 100)
	ok(t, err)
	for _, f := range files {
		ok(t, b.DB.MarkIngestion(t.Context(), f.ID, f.Attempt, "done", ""))
	}
}

// TestTimeUntilAllIsRefined checks that a file whose texts lack vectors has the time that the
// pace gives, and nothing is said before there is a pace or when no worker is at it.
func TestTimeUntilAllIsRefined(t *testing.T) {
	b := setup(t)
	r, m, c := b.sentences(t, 20)
	b.finishFiles(t)
	files, _, err := b.DB.IngestionPage(t.Context(), postgres.FileQuery{State: "done"}, nil, 1)
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	file := files[0].ID
	refining := func(moment string) time.Duration {
		t.Helper()
		left, lacking, err := b.DB.Refining(t.Context(), []uuid.UUID{file})
		if err != nil || (left > 0) != slices.Contains(lacking, file) {
			t.Errorf("%s: %v, %v, %v", moment, left, lacking, err)
		}
		return left
	}
	if left := refining("before"); left != 0 {
		t.Errorf("before an attempt: %v", left)
	}
	seen := make(chan time.Duration, 1)
	m.atBatch(func(n int, _ []string) error {
		c.advance(200 * time.Millisecond)
		if n == 3 {
			for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) { // until a renewal has recorded the pace
				if left := refining("during"); left > 0 || time.Now().After(deadline) {
					seen <- left
					break
				}
			}
		}
		return nil
	})
	list, err := b.DB.SentenceGenerations(t.Context())
	ok(t, err)
	ok(t, r.Run(t.Context(), list[0].ID))
	select {
	case left := <-seen:
		if left <= 0 || left > time.Minute {
			t.Errorf("during: %v", left)
		}
	default:
		t.Fatal("less than three batches")
	}
	if left := refining("after"); left != 0 {
		t.Errorf("after: %v", left)
	}
	if _, err := b.DB.LeaseEmbedding(t.Context(), list[0].ID); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("complete, and begun again: %v", err)
	}
}

// TestForecastWhileFilesWait checks that the time until all is refined does not take the pauses for files for the pace: ten
// files of twenty passages wait, one ended in a minute, and the vectors take a second for each passage.
func TestForecastWhileFilesWait(t *testing.T) {
	b := setup(t)
	r, _, _ := b.sentences(t, 20)
	list, err := r.DB.SentenceGenerations(t.Context())
	ok(t, err)
	if _, err := b.DB.LeaseEmbedding(t.Context(), list[0].ID); err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, b.url, `UPDATE generations SET pace = 1`)
	for range 9 {
		b.waiting(t)
	}
	forecast := func(want time.Duration) {
		t.Helper()
		left, _, err := b.DB.Refining(t.Context(), nil)
		if err != nil || left < want-2*time.Second || left > want+2*time.Second {
			t.Errorf("%v, want %v; %v", left, want, err)
		}
	}
	forecast(0) // no file has ended
	b.finishFiles(t)
	b.waiting(t)
	pgtest.Exec(t, b.url, `UPDATE ingestions SET created_at = now() - interval '1 minute'`)
	// Ten files take ten minutes; of 20 + 200 passages, 60 are done beside them.
	forecast(10*time.Minute + (20+200-60)*time.Second)
}

// TestSameWordsAreReadOnce checks that passages with the words and heads of others, in their batch or stored before, get
// their vectors.
func TestSameWordsAreReadOnce(t *testing.T) {
	b := setup(t)
	r, m, _ := b.sentences(t, 4)
	again := []string{"Passage 0", "Passage 1", "Neuf.", "Neuf."}
	title := b.save(t, again...).Document.Title
	pgtest.Exec(t, b.url, `UPDATE documents SET title = '`+title+`'`)
	var read []string
	m.atBatch(func(_ int, texts []string) error { read = append(read, texts...); return nil })
	b.finishFiles(t)
	run(t, r)
	if slices.Sort(read); len(read) != 5 || len(slices.Compact(read)) != 5 {
		t.Errorf("read %q", read)
	}
	list, err := b.DB.SentenceGenerations(t.Context())
	ok(t, err)
	if missing, err := b.DB.Unembedded(t.Context(), list[0].ID, postgres.Unembedded{}, 100); err != nil || len(missing) != 0 {
		t.Errorf("%d passages have no vectors, %v", len(missing), err)
	}
	b.save(t, again...)
	pgtest.Exec(t, b.url, `UPDATE documents SET title = '`+title+`'`)
	b.finishFiles(t)
	if due, err := b.DB.DueEmbedding(t.Context(), list[0].ID); err != nil || len(due) == 0 {
		t.Fatalf("due %v, %v", due, err)
	}
	read = nil
	run(t, r)
	if len(read) != 0 {
		t.Errorf("a third edition: read %q", read)
	}
}
