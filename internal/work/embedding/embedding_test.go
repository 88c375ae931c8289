package embedding_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/leak"
	"vigueur/internal/law"
	"vigueur/internal/search/vector"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/work/embedding"
)

func TestMain(m *testing.M) { leak.Main(m) }

// model is an embedder controlled by the test: the direction of a text's vector depends on turn
// and on the text's length.
type model struct {
	mu     sync.Mutex
	turn   float32 // angle by which another build of the model turns all vectors
	wrong  string  // texts that contain these words are refused
	down   int     // number of the next calls that fail
	calls  int
	before func(texts []string) error
}

func (m *model) Embed(_ context.Context, texts []string) ([][]float32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	if m.before != nil {
		if err := m.before(texts); err != nil {
			return nil, err
		}
	}
	if m.down > 0 {
		m.down--
		return nil, errs.New(errs.Unavailable, "Le modèle ne répond pas.")
	}
	var out [][]float32
	for _, t := range texts {
		if m.wrong != "" && strings.Contains(t, m.wrong) {
			return nil, errs.New(errs.Unprocessable, "Refusé.")
		}
		x, y, z := float64(len(t)%7)/10, 1.0, float64(m.turn)
		length := math.Sqrt(x*x + y*y + z*z)
		out = append(out, []float32{float32(x / length), float32(y / length), float32(z / length)})
	}
	return out, nil
}

type bundle struct {
	*embedding.VectorMaker
	model *model
	url   string // of the database
	files int
}

func setup(t *testing.T) *bundle {
	t.Helper()
	t.Parallel()
	m, url := &model{}, pgtest.NewURL(t)
	db, err := postgres.Open(t.Context(), url)
	ok(t, err)
	t.Cleanup(db.Close)
	return &bundle{model: m, url: url, VectorMaker: &embedding.VectorMaker{DB: db, Model: embedding.Model{Name: "essai", Embedder: m}, Log: slog.New(slog.DiscardHandler)}}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// hurry lets a generation be tried again at once after a failure.
func (b *bundle) hurry(t *testing.T) {
	t.Helper()
	pgtest.Exec(t, b.url, `UPDATE generations SET not_before = '-infinity'`)
}

// save adds a text with one passage for each body.
func (b *bundle) save(t *testing.T, bodies ...string) postgres.StoredText {
	t.Helper()
	b.files++
	i := postgres.Ingestion{ID: postgres.NewID(), SHA256: fmt.Sprintf("%064d", b.files), Filename: "a.pdf", Size: 1}
	ok(t, pgtest.AddFile(t.Context(), b.DB, i))
	started, err := b.DB.StartIngestion(t.Context(), i.ID)
	ok(t, err)
	day := time.Date(2030, 1, b.files, 0, 0, 0, 0, time.UTC)
	text := postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: fmt.Sprint("Loi ", b.files), Type: law.Loi, Domain: "travail",
		OfficialNumber: fmt.Sprint(b.files), Promulgated: day, EntersInForce: day, FirstPage: 1, LastPage: 1}}
	for n, body := range bodies {
		a := law.Article{ID: postgres.NewID(), Position: n, Number: fmt.Sprint(n + 1), Page: 1, Text: body}
		text.Articles = append(text.Articles, a)
		text.Passages = append(text.Passages, law.Passage{ID: postgres.NewID(), ArticleID: a.ID, Position: n, Page: 1, Text: body})
	}
	ok(t, b.DB.SaveSegmentation(t.Context(), i.ID, started.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{text}}))
	return text
}

// vectors returns the rows that an index would read.
func (b *bundle) vectors(t *testing.T) (rows []postgres.VectorRow) {
	t.Helper()
	ok(t, b.DB.VectorRows(t.Context(), nil, func(r postgres.VectorRow) error { rows = append(rows, r); return nil }))
	return rows
}

func (b *bundle) generation(t *testing.T) postgres.Generation {
	t.Helper()
	g, err := b.Generation(t.Context())
	ok(t, err)
	return g
}

// due reports whether the generation is due, as a sweep finds out.
func (b *bundle) due(t *testing.T, id uuid.UUID) bool {
	t.Helper()
	due, err := b.DB.DueEmbedding(t.Context(), id)
	ok(t, err)
	return len(due) > 0
}

func TestPassagesAreEmbeddedAndTheFollowersTold(t *testing.T) {
	b := setup(t)
	b.save(t, strings.Repeat("Une phrase assez longue pour faire nombre. ", 30), "Deux.")
	g := b.generation(t)
	if !g.Current || g.Dimensions != 3 || g.Fingerprint == "" || !b.due(t, g.ID) {
		t.Fatalf("generation %+v", g)
	}
	previous, err := b.DB.CatalogueVersion(t.Context())
	ok(t, err)
	ok(t, b.Run(t.Context(), g.ID))
	rows := b.vectors(t)
	if len(rows) != 2 || rows[0].Generation != g.ID {
		t.Fatalf("%d rows of vectors", len(rows))
	}
	var s vector.Set
	if n, err := s.Add(rows[0].Packed); err != nil || n < 3 {
		t.Errorf("%d vectors of a long passage, %v", n, err)
	}
	if changed, _, err := b.DB.Changes(t.Context(), previous); err != nil || len(changed) != 1 {
		t.Errorf("told of %v, %v", changed, err)
	}
	// Saving the vectors is itself a change of the catalogue; the next check covers it and finds
	// nothing to do.
	if b.due(t, g.ID) {
		ok(t, b.Run(t.Context(), g.ID))
	}
	if b.due(t, g.ID) {
		t.Error("due though nothing lacks")
	}
	b.save(t, "Trois.")
	if !b.due(t, g.ID) {
		t.Error("a new text is not due")
	}
	ok(t, b.Run(t.Context(), g.ID))
	if rows := b.vectors(t); len(rows) != 3 {
		t.Errorf("%d rows of vectors", len(rows))
	}
}

func TestModelThatIsDownIsAskedAgain(t *testing.T) {
	b := setup(t)
	b.save(t, "Un.")
	g := b.generation(t)
	down := true
	b.model.before = func(texts []string) error {
		if down && strings.HasPrefix(texts[0], "Un.") {
			return errs.New(errs.Unavailable, "Le modèle ne répond pas.")
		}
		return nil
	}
	if err := b.Run(t.Context(), g.ID); !errs.Is(err, errs.Unavailable) {
		t.Fatal(err)
	}
	list, err := b.DB.Generations(t.Context())
	ok(t, err)
	if len(list) != 1 || list[0].Error != "Le modèle ne répond pas." || b.due(t, g.ID) {
		t.Errorf("after a failure %+v", list)
	}
	down = false
	if err := b.Run(t.Context(), g.ID); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("an early hint: %v", err)
	}
	b.hurry(t)
	ok(t, b.Run(t.Context(), g.ID))
	if list, err := b.DB.Generations(t.Context()); err != nil || list[0].Error != "" || len(b.vectors(t)) != 1 {
		t.Errorf("after a success %+v, %v", list, err)
	}
}

func TestPassageThatTheModelRefusesGetsNone(t *testing.T) {
	b := setup(t)
	b.save(t, "Un.", "Poison.", "Trois.")
	b.model.wrong = "Poison"
	ok(t, b.Run(t.Context(), b.generation(t).ID))
	rows := b.vectors(t)
	if len(rows) != 3 {
		t.Fatalf("%d rows of vectors", len(rows))
	}
	for i, want := range []int{1, 0, 1} {
		var s vector.Set
		if n, err := s.Add(rows[i].Packed); n != want || err != nil {
			t.Errorf("passage %d has %d vectors, %v", i, n, err)
		}
	}
	// If the model fails for every text, the passages are not at fault.
	b.save(t, "Quatre.")
	b.model.wrong = "e" // the probe is refused, too
	if err := b.Run(t.Context(), rows[0].Generation); !errs.Is(err, errs.Unprocessable) {
		t.Error(err)
	}
	if len(b.vectors(t)) != 3 {
		t.Error("a passage was given up though the model refuses everything")
	}
}

func TestAnotherBuildIsMadeBesideAndSwaps(t *testing.T) {
	b := setup(t)
	b.save(t, "Un.", "Deux.")
	first := b.generation(t)
	ok(t, b.Run(t.Context(), first.ID))
	b.model.turn = 0.01
	if same := b.generation(t); same.ID != first.ID {
		t.Error("a last bit makes another generation")
	}
	b.model.turn = 0.2
	second := b.generation(t)
	if second.ID == first.ID || second.Current {
		t.Fatalf("another build is %+v", second)
	}
	// An incomplete generation is not searched.
	fail := errors.New("stop")
	n := 0
	b.model.before = func([]string) error {
		if n++; n > 1 {
			return fail
		}
		return nil
	}
	if err := b.Run(t.Context(), second.ID); !errors.Is(err, fail) {
		t.Fatal(err)
	}
	if rows := b.vectors(t); len(rows) != 2 || rows[0].Generation != first.ID {
		t.Errorf("searched while the next is made: %+v", rows)
	}
	b.model.before = nil
	b.hurry(t)
	version, err := b.DB.CatalogueVersion(t.Context())
	ok(t, err)
	ok(t, b.Run(t.Context(), second.ID))
	if rows := b.vectors(t); len(rows) != 2 || rows[0].Generation != second.ID {
		t.Errorf("after the swap: %+v", rows)
	}
	if changed, _, err := b.DB.Changes(t.Context(), version); err != nil || len(changed) != 1 {
		t.Errorf("told of %v, %v", changed, err)
	}
	if list, err := b.DB.Generations(t.Context()); err != nil || len(list) != 1 || !list[0].Current {
		t.Errorf("generations %+v, %v", list, err)
	}
	if err := b.Run(t.Context(), first.ID); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("the old generation: %v", err)
	}
}

func TestOnlyOneWorks(t *testing.T) {
	b := setup(t)
	b.save(t, "Un.")
	g := b.generation(t)
	l, err := b.DB.LeaseEmbedding(t.Context(), g.ID)
	ok(t, err)
	if err := b.Run(t.Context(), g.ID); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("a second worker: %v", err)
	}
	if b.due(t, g.ID) {
		t.Error("due while it is worked on")
	}
	ok(t, l.Release(t.Context()))
	ok(t, b.Run(t.Context(), g.ID))
	for name, err := range map[string]error{
		"renews": b.DB.RenewEmbedding(t.Context(), l, 0), "saves": b.DB.SaveVectors(t.Context(), g.ID, l.Attempt, nil),
		"gives back": l.Release(t.Context()),
	} {
		if !errs.Is(err, errs.LeaseLost) {
			t.Errorf("the lost attempt %s: %v", name, err)
		}
	}
}

func TestStoppedWorkerGivesItBackAtOnce(t *testing.T) {
	b := setup(t)
	b.save(t, "Un.")
	g := b.generation(t)
	ctx, stop := context.WithCancel(t.Context())
	b.model.before = func(texts []string) error {
		if strings.HasPrefix(texts[0], "Un.") {
			stop()
			return context.Canceled
		}
		return nil
	}
	if err := b.Run(ctx, g.ID); !errs.Is(err, errs.Cancelled) {
		t.Fatal(err)
	}
	if !b.due(t, g.ID) {
		t.Error("not due at once")
	}
}

func TestGenerationIsRememberedAndAskedForAgain(t *testing.T) {
	b := setup(t)
	k := &embedding.Known{VectorMaker: b.VectorMaker}
	b.model.down = 1
	if _, err := k.ID(t.Context()); !errs.Is(err, errs.Unavailable) {
		t.Fatal(err)
	}
	if _, err := k.ID(t.Context()); !errs.Is(err, errs.Unavailable) || b.model.calls != 1 {
		t.Errorf("asked %d times within the pause", b.model.calls)
	}
	again := &embedding.Known{VectorMaker: b.VectorMaker}
	for range 3 {
		if _, err := again.ID(t.Context()); err != nil || b.model.calls != 2 {
			t.Errorf("asked %d times, %v", b.model.calls, err)
		}
	}
}

func TestQuestionIsCut(t *testing.T) {
	t.Parallel()
	var got string
	m := &model{before: func(texts []string) error { got = texts[0]; return nil }}
	v, err := (&embedding.Question{Embedder: m}).Embed(t.Context(), strings.Repeat("mot ", 1000))
	if err != nil || len(v) != 3 || len(got) > 1000 || !strings.HasSuffix(got, "mot") {
		t.Errorf("%v, %v of %q", v, err, got)
	}
}

func TestModelThatHangsHoldsUpOneQuestion(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		q := &embedding.Question{Embedder: hangs(func(ctx context.Context) error {
			calls++
			<-ctx.Done()
			return ctx.Err()
		})}
		began := time.Now()
		for range 3 {
			if _, err := q.Embed(t.Context(), "Quoi ?"); err == nil {
				t.Error("a vector of a model that hangs")
			}
		}
		if took := time.Since(began); took != time.Second || calls != 1 {
			t.Errorf("three questions waited %v in %d calls", took, calls)
		}
		time.Sleep(5 * time.Second) // by the clock of the synctest bubble
		if _, err := q.Embed(t.Context(), "Quoi ?"); err == nil || calls != 2 {
			t.Errorf("after the rest: %v, %d calls", err, calls)
		}
	})
}

// hangs is an embedder that never responds.
type hangs func(ctx context.Context) error

func (h hangs) Embed(ctx context.Context, _ []string) ([][]float32, error) { return nil, h(ctx) }

// While the vectors of a newly configured server are incomplete, those of the built-in encoder
// are searched and it embeds the questions; afterwards the server does.
func TestTheOwnEncoderIsAskedUntilTheServersVectorsAreWhole(t *testing.T) {
	b := setup(t)
	b.save(t, "Le préavis du cadre est de trois mois.", "Le salaire est payé au mois.")
	own, err := embedding.Own()
	ok(t, err)
	before := &embedding.VectorMaker{DB: b.DB, Model: own, Log: b.Log}
	former, err := before.Generation(t.Context())
	ok(t, err)
	ok(t, before.Run(t.Context(), former.ID))
	asker := &embedding.Asker{Known: &embedding.Known{VectorMaker: b.VectorMaker}, Question: &embedding.Question{Embedder: b.model},
		Own: func() (embedding.Model, error) { return own, nil }}
	b.model.down = 1 // the server must not be asked
	vector, generation, err := asker.Of(t.Context(), "Quel préavis ?")
	if err != nil || generation != former.ID || len(vector) != former.Dimensions || b.model.calls > 0 {
		t.Fatalf("%d coordinates of %v after %d calls, %v", len(vector), generation, b.model.calls, err)
	}
	b.model.down = 0
	next, err := b.Generation(t.Context())
	ok(t, err)
	if _, generation, err = asker.Of(t.Context(), "Quel préavis ?"); err != nil || generation != former.ID {
		t.Errorf("while it is made: %v, %v", generation, err)
	}
	ok(t, b.Run(t.Context(), next.ID))
	if vector, generation, err = asker.Of(t.Context(), "Quel préavis ?"); err != nil || generation != next.ID || len(vector) != 3 {
		t.Errorf("when it is whole: %d coordinates of %v, %v", len(vector), generation, err)
	}
	// The encoder cannot embed questions for vectors of another table.
	asker.Own = func() (embedding.Model, error) { return embedding.Model{Name: "vigueur-mots-1-other"}, nil }
	b.model.turn = 1
	if _, generation, err = asker.Of(t.Context(), "Quel préavis ?"); err != nil || generation != next.ID {
		t.Errorf("of another: %v, %v", generation, err)
	}
}
