package retrieve_test

import (
	"context"
	"strings"
	"testing"

	"vigueur/internal/search/rank"
	"vigueur/internal/search/retrieve"
)

// preferred is a reader for which texts that contain word answer best. It reads at most most texts, all if that is 0, and
// in each call all but the last late ones.
type preferred struct {
	word  string
	most  int
	late  int
	calls int
	texts []string
}

func (r *preferred) Begin(_ context.Context, _ string, n int) (limit int, score func([]string) []float32, end func()) {
	if r.most > 0 {
		n = min(n, r.most)
	}
	score = func(texts []string) []float32 {
		r.calls++
		r.texts = texts
		scores := make([]float32, len(texts))
		for i, text := range texts {
			scores[i] = -20
			if strings.Contains(text, r.word) {
				scores[i] = 20
			}
		}
		return scores[:max(0, len(scores)-r.late)]
	}
	return n, score, func() {}
}

const paternity = "Combien de jours dure le congé de paternité ?"

func TestReaderOrders(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	question := retrieve.Question{Text: paternity, Filters: on("2024-01-01")}
	plain := search(t, s, question)
	if plain.Read.Articles != 0 {
		t.Fatalf("without a reader %d articles were read", plain.Read.Articles)
	}
	reader := &preferred{word: "deux jours ouvrables par mois"}
	s.Reader = reader
	r := search(t, s, question)
	if first(r) != "2023-07 47" || r.Read.Articles < 2 || r.Read.Kept {
		t.Errorf("first is %s, %+v", first(r), r.Read)
	}
	for i := range r.Hits[1:] {
		if r.Hits[i].Score < r.Hits[i+1].Score {
			t.Errorf("hit %d has a lower probability than the next", i)
		}
	}
	for _, text := range reader.texts {
		if len(text) > 800 || !strings.Contains(text, ". ") {
			t.Errorf("the reader gets %d bytes: %s", len(text), text)
		}
	}
	reader.calls = 0
	certain := *rank.Builtin() // every answer is sure without a reader
	certain.Gate.Words.Sure, certain.Gate.Words.Unsure, certain.Gate.Words.Long = 0, 0, nil
	s.Ranking = &certain
	if r := search(t, s, question); reader.calls != 0 || !r.Verdict.Certain() || first(r) != first(plain) {
		t.Errorf("a question that is sure without: first is %s, the reader was called %d times", first(r), reader.calls)
	}
	s.Ranking = nil
	if named := search(t, s, retrieve.Question{Text: "Que dit l’article 79 du code du travail ?"}); first(named) != "2023-07 79" || reader.calls != 0 {
		t.Errorf("a question that names its article: first is %s, the reader was called %d times", first(named), reader.calls)
	}
}

// TestReaderReadsLess checks that what was not read stays behind what was, and that the order stays where nothing was.
func TestReaderReadsLess(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	question := retrieve.Question{Text: paternity, Filters: on("2024-01-01")}
	plain := search(t, s, question)
	s.Reader = &preferred{word: "no article has this", most: 2}
	if r := search(t, s, question); r.Read.Articles != 2 || r.Read.Unread < 1 || first(r) != first(plain) {
		t.Errorf("first is %s, not %s; %+v", first(r), first(plain), r.Read)
	}
	for name, reader := range map[string]*preferred{
		"none in time": {word: "deux jours ouvrables par mois", late: 9},
		"time for one": {word: "paternité", most: 1},
		"one in time":  {word: "paternité", late: 3},
	} {
		s.Reader = reader
		if r := search(t, s, question); r.Read.Articles != 0 || r.Read.Unread < 2 || first(r) != first(plain) || r.Verdict.Probability != plain.Verdict.Probability {
			t.Errorf("%s: first is %s, not %s, with %.2f, not %.2f; %+v", name, first(r), first(plain), r.Verdict.Probability, plain.Verdict.Probability, r.Read)
		}
	}
	late := &preferred{word: "deux jours ouvrables par mois", late: 1}
	s.Reader = late
	if r := search(t, s, question); late.calls != 1 || r.Read.Articles != len(late.texts)-1 {
		t.Errorf("%d calls of a reader that is late; %+v", late.calls, r.Read)
	}
}
