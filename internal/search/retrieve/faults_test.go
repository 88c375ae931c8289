package retrieve_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/search/memindex"
	"vigueur/internal/search/retrieve"
)

const notice = "Combien de temps dure le préavis d’un cadre qui démissionne ?"

// Without a vector of the question, or with one that fits no stored vectors, the search
// goes by words and Semantic is false.
func TestSearchGoesOnWithoutMeaning(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	plain := search(t, s, retrieve.Question{Text: notice})
	nan := float32(math.NaN())
	for name, meaning := range map[string]func(context.Context, string) ([]float32, uuid.UUID, error){
		"down": func(context.Context, string) ([]float32, uuid.UUID, error) {
			return nil, uuid.Nil, errs.New(errs.Unavailable, "Le serveur de vecteurs ne répond pas.")
		},
		"no vectors yet":   func(context.Context, string) ([]float32, uuid.UUID, error) { return []float32{1, 0}, uuid.Nil, nil },
		"other generation": func(context.Context, string) ([]float32, uuid.UUID, error) { return []float32{1, 0}, uuid.New(), nil },
		"not a number": func(context.Context, string) ([]float32, uuid.UUID, error) {
			return []float32{nan, nan}, uuid.New(), nil
		},
	} {
		with := &retrieve.Searcher{DB: s.DB, Index: s.Index, Now: s.Now, Lexicon: s.Lexicon, Meaning: meaning}
		r := search(t, with, retrieve.Question{Text: notice})
		if !r.Verdict.Answers() || r.Semantic || first(r) != first(plain) || len(r.Hits) != len(plain.Hits) {
			t.Errorf("%s: enough %v, semantic %v, first %s, %d hits; by words %s, %d hits", name, r.Verdict.Answers(), r.Semantic, first(r), len(r.Hits), first(plain), len(plain.Hits))
		}
	}
	// A canceled search returns the context's error.
	ctx, stop := context.WithCancel(t.Context())
	with := &retrieve.Searcher{DB: s.DB, Index: s.Index, Now: s.Now, Lexicon: s.Lexicon,
		Meaning: func(ctx context.Context, _ string) ([]float32, uuid.UUID, error) {
			stop()
			return nil, uuid.Nil, ctx.Err()
		}}
	if r, err := with.Search(ctx, retrieve.Question{Text: notice}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %d hits, %v", len(r.Hits), err)
	}
}

// If the store of passages fails, the search returns its error, not a result without
// hits.
func TestFailingPassageStore(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	down := errs.New(errs.Unavailable, "La recherche est indisponible.")
	with := &retrieve.Searcher{DB: s.DB, Index: s.Index, Now: s.Now, Lexicon: s.Lexicon,
		Passages: func(context.Context, memindex.Query) ([]memindex.Hit, error) { return nil, down }}
	if r, err := with.Search(t.Context(), retrieve.Question{Text: notice}); !errors.Is(err, down) {
		t.Errorf("%d hits, enough %v, %v", len(r.Hits), r.Verdict.Answers(), err)
	}
}
