package examples_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/answer/llm"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/work"
	"vigueur/internal/work/examples"
)

const words = "Le sel gris se vend vingt écus."

// quoter quotes the first passage, if the search found one that answers.
type quoter struct{}

func (quoter) Generate(_ context.Context, p llm.Prompt, yield func(string) error) error {
	if !p.Verdict.Answers() {
		return llm.ErrAbstained
	}
	return yield("L’article " + p.Passages[0].Article + " dispose : « " + p.Passages[0].Text + " » [1]")
}

// search answers by what a question begins with.
type search struct {
	text  postgres.Text
	asked []string
	each  func() error
}

func (s *search) Search(_ context.Context, q retrieve.Question) (retrieve.Result, error) {
	s.asked = append(s.asked, q.Text)
	if s.each != nil {
		if err := s.each(); err != nil {
			return retrieve.Result{}, err
		}
	}
	at := 0
	if strings.Contains(q.Text, "deux") {
		at = 1
	}
	r := retrieve.Result{Day: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Today: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
		Verdict: decide.Verdict{Grade: decide.Sure, Probability: 0.95}}
	hit := retrieve.Hit{}
	hit.Document, hit.Article, hit.Passage = s.text.Document, s.text.Articles[at], s.text.Passages[at]
	r.Hits = []retrieve.Hit{hit}
	switch {
	case strings.HasPrefix(q.Text, "Peut-être"):
		r.Verdict.Grade = decide.Likely
	case strings.HasPrefix(q.Text, "Rien"):
		r.Verdict.Grade = decide.Refused
	case strings.HasPrefix(q.Text, "Mieux"):
		r.Verdict.Probability = 0.99
	}
	return r, nil
}

func setup(t *testing.T, questions ...string) (*examples.Runner, *search) {
	t.Helper()
	t.Parallel()
	db := pgtest.New(t)
	day := time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)
	x := postgres.Text{Document: law.Document{ID: postgres.NewID(), Title: "Loi sur le sel", Type: law.Loi, Domain: "travail", OfficialNumber: "2020-1",
		Promulgated: day, EntersInForce: day, Status: law.InForce, FirstPage: 1, LastPage: 2}}
	for i, n := range []string{"1er", "2"} {
		a := law.Article{ID: postgres.NewID(), DocumentID: x.Document.ID, Position: i, Number: n, Page: 1 + i, Text: words}
		x.Articles = append(x.Articles, a)
		x.Passages = append(x.Passages, law.Passage{ID: postgres.NewID(), DocumentID: x.Document.ID, ArticleID: a.ID, Position: i, Page: 1 + i, Text: words})
	}
	i := postgres.Ingestion{ID: postgres.NewID(), SHA256: strings.Repeat("a", 64), Filename: "jo.pdf", Size: 1}
	check(t, pgtest.AddFile(t.Context(), db, i))
	i, err := db.StartIngestion(t.Context(), i.ID)
	check(t, err)
	check(t, db.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: []postgres.Text{x}}))
	check(t, db.MarkIngestion(t.Context(), i.ID, i.Attempt, "done", "")) // a file at work would be given way to
	s := &search{text: x}
	return &examples.Runner{DB: db, Search: s, Generator: quoter{}, Questions: questions, Log: slog.New(slog.DiscardHandler)}, s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run makes the examples as a worker does.
func run(ctx context.Context, t *testing.T, r *examples.Runner) error {
	t.Helper()
	ids, err := r.DB.ExampleIndex().Due(t.Context(), 1)
	check(t, err)
	if len(ids) != 1 {
		t.Fatal("the row is not due")
	}
	return work.Run(ctx, r, ids[0])
}

func shown(t *testing.T, r *examples.Runner) (questions []string) {
	t.Helper()
	list, err := r.DB.ExampleAnswers(t.Context(), 10)
	check(t, err)
	for _, e := range list {
		questions = append(questions, e.Question)
	}
	return questions
}

// TestSureAnswersAreKept: one of each article, the surest, and nothing that is not sure.
func TestSureAnswersAreKept(t *testing.T) {
	r, s := setup(t, "Combien coûte le sel ?", "Mieux : le sel, combien ?", "Peut-être le sel ?", "Rien sur la lune ?", "À combien est fixé le prix du sel à deux ?")
	check(t, run(t.Context(), t, r))
	if len(s.asked) != 5 {
		t.Errorf("asked %q", s.asked)
	}
	list, err := r.DB.ExampleAnswers(t.Context(), 10)
	check(t, err)
	if len(list) != 1 { // one of a text is shown
		t.Fatalf("shown %+v", list)
	}
	e := list[0]
	want := postgres.ExampleAnswer{Question: "Mieux : le sel, combien ?", Document: s.text.Document.ID, Article: s.text.Articles[0].ID, Number: "1er", Page: 1, Quote: words, Probability: 0.99}
	if e.ExampleAnswer != want || e.Title != "Loi sur le sel" || e.Domain != "travail" {
		t.Errorf("kept %+v, want %+v", e, want)
	}
	row, err := r.DB.ExampleIndex().Now(t.Context())
	check(t, err)
	if version, err := r.DB.CatalogueVersion(t.Context()); err != nil || row.State != "done" || row.Version != version {
		t.Errorf("the row is %+v, the catalogue %d, %v", row, version, err)
	}
}

// TestAFailedRunKeepsTheExamples: those of the run before stay until another has ended.
func TestAFailedRunKeepsTheExamples(t *testing.T) {
	r, s := setup(t, "Combien coûte le sel ?")
	check(t, run(t.Context(), t, r))
	check(t, r.DB.ExampleIndex().Remake(t.Context()))
	s.each = func() error { return errs.New(errs.Unavailable, "L’index ne répond pas.") }
	if err := run(t.Context(), t, r); err == nil {
		t.Error("a search that fails makes examples")
	}
	row, err := r.DB.ExampleIndex().Now(t.Context())
	check(t, err)
	if row.State != "queued" || row.Failures != 1 || row.Error == "" || !slices.Equal(shown(t, r), []string{"Combien coûte le sel ?"}) {
		t.Errorf("after a failure: %+v, %q", row, shown(t, r))
	}
}

// TestAStoppedRunIsReleased: a worker that stops leaves the row to the next.
func TestAStoppedRunIsReleased(t *testing.T) {
	r, s := setup(t, "Combien coûte le sel ?", "Et le poivre, combien ?")
	ctx, stop := context.WithCancel(t.Context())
	s.each = func() error { stop(); return nil }
	if err := run(ctx, t, r); !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	if len(s.asked) != 1 || len(shown(t, r)) != 0 {
		t.Errorf("asked %q after the stop", s.asked)
	}
	s.each = nil
	check(t, run(t.Context(), t, r))
	if len(shown(t, r)) != 1 {
		t.Error("the next worker makes none")
	}
}

// TestRealQuestions: the list is sorted, without doubles, and each is a question.
func TestRealQuestions(t *testing.T) {
	t.Parallel()
	list := examples.Questions()
	if len(list) < 100 || !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
		t.Errorf("%d questions, sorted %v", len(list), slices.IsSorted(list))
	}
	for _, q := range list {
		if !strings.HasSuffix(q, " ?") || strings.TrimSpace(q) != q {
			t.Errorf("%q is no question", q)
		}
	}
}
