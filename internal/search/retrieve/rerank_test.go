package retrieve_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"vigueur/internal/search/retrieve"
)

// preferring returns a reranker that puts the texts that contain word first, and counts its
// calls in calls.
func preferring(word string, calls *int) func(context.Context, string, []string) ([]float64, error) {
	return func(_ context.Context, _ string, texts []string) ([]float64, error) {
		*calls++
		scores := make([]float64, len(texts))
		for i, text := range texts {
			if strings.Contains(text, word) {
				scores[i] = 1
			}
		}
		return scores, nil
	}
}

func TestRerankerOrders(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	question := retrieve.Question{Text: "Combien de jours dure le congé de paternité ?", Filters: on("2024-01-01")}
	plain := search(t, s, question)
	if plain.Reranked || strings.Contains(plain.Hits[0].Text(), "deux jours ouvrables par mois") {
		t.Fatalf("without a reranker, first is %s", first(plain))
	}
	calls := 0
	s.Reranker = &retrieve.Reranker{Scores: preferring("deux jours ouvrables par mois", &calls)}
	r := search(t, s, question)
	if !r.Reranked || first(r) != "2023-07 47" || calls != 1 {
		t.Errorf("first is %s, reranked %v", first(r), r.Reranked)
	}
	for i := range r.Hits[1:] {
		if r.Hits[i].Score < r.Hits[i+1].Score {
			t.Errorf("hit %d has a lower score than the next", i)
		}
	}
	named := search(t, s, retrieve.Question{Text: "Que dit l’article 79 du code du travail ?"})
	if first(named) != "2023-07 79" {
		t.Errorf("the article that the question names is not first: %s", first(named))
	}
}

// If the reranker fails or hangs, the order stays the same, and the reranker is not
// called again for a while.
func TestSearchGoesOnWithoutItsReranker(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	question := retrieve.Question{Text: "Combien de jours dure le congé de paternité ?", Filters: on("2024-01-01")}
	want := first(search(t, s, question))
	calls := 0
	for name, scores := range map[string]func(context.Context, string, []string) ([]float64, error){
		"fails": func(context.Context, string, []string) ([]float64, error) { return nil, errors.New("down") },
		"hangs": func(ctx context.Context, _ string, _ []string) ([]float64, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
		"forgets some": func(_ context.Context, _ string, texts []string) ([]float64, error) {
			return make([]float64, len(texts)-1), nil
		},
	} {
		calls = 0
		s.Reranker = &retrieve.Reranker{Patience: time.Millisecond, Scores: func(ctx context.Context, q string, texts []string) ([]float64, error) {
			calls++
			return scores(ctx, q, texts)
		}}
		for range 3 {
			if r := search(t, s, question); r.Reranked || first(r) != want {
				t.Errorf("%s: first is %s, reranked %v", name, first(r), r.Reranked)
			}
		}
		if calls != 1 {
			t.Errorf("%s: called %d times", name, calls)
		}
	}
}
