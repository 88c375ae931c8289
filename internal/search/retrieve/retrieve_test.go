package retrieve_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/answer/prompt"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
)

func search(t *testing.T, s *retrieve.Searcher, q retrieve.Question) retrieve.Result {
	t.Helper()
	r, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSampleQuestions checks that each question finds its article on its date, that the
// answers quote all key facts but at most two, and that questions that the gazettes do
// not answer are not answered as sure.
func TestSampleQuestions(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	g := extractive.Generator{Lexicon: s.Lexicon}
	missing := 0
	for _, q := range sampleQuestions(t) {
		r := search(t, s, q.ask())
		if q.Answerable && !r.Verdict.Answers() || !q.Answerable && r.Verdict.Certain() {
			t.Errorf("%s %q: %v, probability %.2f", q.ID, q.Question, r.Verdict.Grade, r.Verdict.Probability)
		}
		if !q.Answerable {
			continue
		}
		if place := q.rank(r.Hits); place == 0 || place > 5 {
			t.Errorf("%s %q: the right article is at %d", q.ID, q.Question, place)
		}
		var b strings.Builder
		p := prompt.Of(&r, q.Question)
		if err := g.Generate(t.Context(), p, func(s string) error { b.WriteString(s); return nil }); err != nil {
			t.Fatal(err)
		}
		for _, fact := range q.KeyFacts {
			if !strings.Contains(spaced(b.String()), spaced(fact)) {
				missing++
				t.Logf("%s %q: « %s » is missing from\n%s", q.ID, q.Question, fact, b.String())
			}
		}
	}
	if missing > 2 {
		t.Errorf("%d facts are missing", missing)
	}
}

func spaced(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(s)), " ")
}

// first returns the number of the text and of the article of the best hit.
func first(r retrieve.Result) string {
	if len(r.Hits) == 0 {
		return ""
	}
	return r.Hits[0].Document.OfficialNumber + " " + r.Hits[0].Article.Number
}

func on(day string) law.Filters {
	d := date(day)
	return law.Filters{Date: &d}
}

func TestReferencesComeFirst(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	for _, c := range []struct {
		question string
		history  []string
		filters  law.Filters
		want     string
	}{
		{question: "Que dit l’article 79 du code du travail ?", want: "2023-07 79"},
		{question: "art 79 de la loi n° 2023-7", want: "2023-07 79"},
		{question: "Explique l’article 52 ter du Code du travail", filters: on("2024-01-01"), want: "2023-07 52 ter"},
		{question: "article 1er du décret n° 2024-009", want: "2024-009 1er"},
		{question: "et l’article 3 ?", history: []string{"Que dit l’article 2 de la loi n° 2024-02 ?"}, want: "2024-02 3"},
	} {
		r := search(t, s, retrieve.Question{Text: c.question, History: c.history, Filters: c.filters})
		if got := first(r); got != c.want || r.Hits[0].Mode != retrieve.ByReference || !r.Verdict.Answers() {
			t.Errorf("%q: first %q (enough %v), want %q by reference", c.question, got, r.Verdict.Answers(), c.want)
		}
	}
}

// brokenNames is a source of names that fails.
type brokenNames struct {
	named.Source
	err error
}

func (b brokenNames) Behind(context.Context, int) (postgres.Behind, error) {
	return postgres.Behind{}, b.err
}

// The references of a question are looked up unless its Mentions are set, even to an empty
// list.
func TestMentionsAreLookedUpOnce(t *testing.T) {
	t.Parallel()
	s, _, db := open(t)
	asked := question.Read("Que dit l’article 79 du code du travail ?", question.Conversation{})
	q := retrieve.Question{Text: asked.Text, Asked: &asked}
	down := errs.New(errs.Unavailable, "La base est indisponible.")
	s.Names = brokenNames{err: down}
	if r, err := s.Search(t.Context(), q); !errors.Is(err, down) {
		t.Errorf("not looked up: first %s, %v", first(r), err)
	}
	var err error
	if q.Mentions, err = named.NewLookup(db).Resolve(t.Context(), named.Question{Asked: &asked, Today: today()}); err != nil {
		t.Fatal(err)
	}
	if r := search(t, s, q); first(r) != "2023-07 79" || r.Hits[0].Mode != retrieve.ByReference {
		t.Errorf("given: first %s", first(r))
	}
	q.Mentions = []named.Mention{}
	if r := search(t, s, q); slices.ContainsFunc(r.Hits, func(h retrieve.Hit) bool { return h.Mode == retrieve.ByReference }) || len(r.Missing) > 0 {
		t.Errorf("none: first %s by reference, missing %q", first(r), r.Missing)
	}
}

func TestFollowUpUsesTheConversation(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	history := []string{"Combien de jours avant une grève faut-il déposer le préavis ?"}
	alone := search(t, s, retrieve.Question{Text: "Et qui doit être prévenu ?"})
	followUp := search(t, s, retrieve.Question{Text: "Et qui doit être prévenu ?", History: history})
	if first(followUp) != "2023-07 79" || !followUp.Verdict.Answers() {
		t.Errorf("with the conversation first is %q, enough %v", first(followUp), followUp.Verdict.Answers())
	}
	if first(alone) == "2023-07 79" {
		t.Error("the question alone finds the same article: the test checks nothing")
	}
	other := search(t, s, retrieve.Question{Text: "Combien coûte un extrait du livre foncier de la province ?", History: history})
	for _, h := range other.Hits[:min(len(other.Hits), 3)] {
		if h.Document.Domain == "travail" {
			t.Errorf("an independent question still found %s, article %s", h.Document.Title, h.Article.Number)
		}
	}
	if far := search(t, s, retrieve.Question{Text: "Quelle est la capitale de l’Australie ?", History: history}); far.Verdict.Answers() || first(far) == "2023-07 79" {
		t.Errorf("an unrelated question finds %q, enough %v", first(far), far.Verdict.Answers())
	}
}

func TestLawOfTheDay(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	const question = "À combien est fixé le salaire minimum national ?"
	numbers := func(f law.Filters) string {
		var out []string
		for _, h := range search(t, s, retrieve.Question{Text: question, Filters: f}).Hits {
			if strings.HasPrefix(h.Document.Title, "Décret") && strings.Contains(h.Document.Title, "salaire minimum") && h.Article.Number == "1er" {
				out = append(out, h.Document.OfficialNumber)
			}
		}
		return strings.Join(out, " ")
	}
	for name, c := range map[string]struct {
		filters law.Filters
		want    string
	}{
		"today":                     {law.Filters{}, "2025-019"},
		"the day before the change": {on("2025-04-30"), "2023-041"},
		"the day of the change":     {on("2025-05-01"), "2025-019"},
		"before any":                {on("2022-01-01"), ""},
		"repealed texts":            {law.Filters{Status: law.Repealed}, "2023-041"},
		"another domain":            {law.Filters{Domain: "impots"}, ""},
		"another kind":              {law.Filters{Type: law.Arrete}, ""},
		"unknown domain":            {law.Filters{Domain: "aviation"}, ""},
	} {
		if got := numbers(c.filters); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if r := search(t, s, retrieve.Question{Text: question}); !r.Day.Equal(date("2026-03-01")) {
		t.Errorf("today is %v", r.Day)
	}
}

func TestOneTextOnly(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	id := search(t, s, retrieve.Question{Text: "droits de douane à l’importation"}).Hits[0].Document.ID
	r := search(t, s, retrieve.Question{Text: "Quel est le délai ?", Filters: law.Filters{DocumentID: &id}})
	if len(r.Hits) == 0 {
		t.Fatal("nothing found")
	}
	for _, h := range r.Hits {
		if h.Document.ID != id {
			t.Errorf("found %s", h.Document.Title)
		}
	}
	nowhere := uuid.New()
	if r := search(t, s, retrieve.Question{Text: "préavis", Filters: law.Filters{DocumentID: &nowhere}}); len(r.Hits) != 0 || r.Verdict.Answers() {
		t.Errorf("found %d in an unknown text", len(r.Hits))
	}
}

// TestDeletedTextsAreDropped checks that a text that the catalogue no longer has is not
// returned while the index still has it.
func TestDeletedTextsAreDropped(t *testing.T) {
	t.Parallel()
	s, index, db := open(t)
	deleted := postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: "Loi n° 2025-77 relative aux licornes", Type: law.Loi, Domain: "autre",
		OfficialNumber: "2025-77", Promulgated: date("2025-01-01"), EntersInForce: date("2025-01-01"), FirstPage: 1, LastPage: 1}}
	a := law.Article{ID: postgres.NewID(), Number: "1er", Page: 1, Text: "Toute licorne porte une corne torsadée."}
	deleted.Articles = []law.Article{a}
	deleted.Passages = []law.Passage{{ID: postgres.NewID(), ArticleID: a.ID, Page: 1, Text: a.Text}}
	ingestion, attempt := saved(t, db, deleted)
	if err := index.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	question := retrieve.Question{Text: "Comment est la corne d’une licorne ?"}
	if got := first(search(t, s, question)); got != "2025-77 1er" {
		t.Fatalf("before: first is %q", got)
	}
	if err := db.SaveSegmentation(t.Context(), ingestion, attempt, postgres.Segmentation{}); err != nil {
		t.Fatal(err)
	}
	for _, h := range search(t, s, question).Hits {
		if h.Document.ID == deleted.Document.ID {
			t.Error("a deleted text is still found")
		}
	}
}

func TestNothingToSearchFor(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	for _, q := range []string{"", "  ", "et de la", "???", "\x00\xff", strings.Repeat("a", 4000), strings.Repeat("zyx ", 1000)} {
		if r := search(t, s, retrieve.Question{Text: q}); r.Verdict.Answers() {
			t.Errorf("%.20q is answered from %s", q, first(r))
		}
	}
}

func TestSearchIsDeterministic(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	q := retrieve.Question{Text: "durée du préavis de licenciement et congés payés"}
	want := search(t, s, q)
	for range 5 {
		got := search(t, s, q)
		for i, h := range got.Hits {
			if h.Passage.ID != want.Hits[i].Passage.ID || h.Score != want.Hits[i].Score {
				t.Fatalf("hit %d differs", i)
			}
		}
		if got.Verdict.Probability != want.Verdict.Probability {
			t.Fatalf("probability %v, then %v", want.Verdict.Probability, got.Verdict.Probability)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	s, _, _ := open(b)
	q := retrieve.Question{Text: "Je suis cadre et je démissionne : combien de temps dure mon préavis ?"}
	began := time.Now()
	for b.Loop() {
		if _, err := s.Search(b.Context(), q); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(time.Since(began).Microseconds())/float64(b.N), "µs/question")
}
