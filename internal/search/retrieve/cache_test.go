package retrieve

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
)

// TestCacheIsOfOneVersion checks that each value is read once per version of the
// catalogue. A search that began before a change of the catalogue neither gets newer
// values from the cache nor leaves older ones in it.
func TestCacheIsOfOneVersion(t *testing.T) {
	t.Parallel()
	var cache catalogueCache
	var read []uuid.UUID
	page := 1
	spans := func(version int64, ids ...uuid.UUID) []int {
		read = nil
		found, err := readThrough(t.Context(), &cache, version, ids, cache.spansLRU, func(_ context.Context, ids []uuid.UUID) (map[uuid.UUID][]law.Span, error) {
			read = append(read, ids...)
			out := make(map[uuid.UUID][]law.Span)
			for _, id := range ids {
				out[id] = []law.Span{{Page: page}}
			}
			return out, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var pages []int
		for _, id := range ids {
			pages = append(pages, found[id][0].Page)
		}
		return pages
	}
	a, b := uuid.New(), uuid.New()
	for _, step := range []struct {
		name    string
		version int64
		ids     []uuid.UUID
		want    []uuid.UUID
		pages   []int
	}{
		{"the cache is empty", 1, []uuid.UUID{a}, []uuid.UUID{a}, []int{1}},
		{"only what is missing is read", 1, []uuid.UUID{a, b}, []uuid.UUID{b}, []int{1, 2}},
		{"all is cached", 1, []uuid.UUID{b, a}, nil, []int{2, 1}},
		{"the catalogue changed", 2, []uuid.UUID{a}, []uuid.UUID{a}, []int{4}},
		{"a search of the older version reads all", 1, []uuid.UUID{a, b}, []uuid.UUID{a, b}, []int{5, 5}},
		{"and caches nothing", 2, []uuid.UUID{a}, nil, []int{4}},
	} {
		if pages := spans(step.version, step.ids...); !slices.Equal(pages, step.pages) || !slices.Equal(read, step.want) {
			t.Errorf("%s: %v, read %v", step.name, pages, read)
		}
		page++
	}
}

func TestCacheDoesNotCacheErrors(t *testing.T) {
	t.Parallel()
	var cache catalogueCache
	id := uuid.New()
	down := errors.New("down")
	for _, want := range []error{down, nil} {
		if _, err := readThrough(t.Context(), &cache, 1, []uuid.UUID{id}, cache.spansLRU, func(context.Context, []uuid.UUID) (map[uuid.UUID][]law.Span, error) {
			return map[uuid.UUID][]law.Span{}, want
		}); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

// TestMostSimilar checks which of an article's terms is most similar to a word.
func TestMostSimilar(t *testing.T) {
	t.Parallel()
	r := articleTerms{terms: []string{"licenci", "licenciement", "licit", "travail"}}
	for word, want := range map[string]string{"travail": "travail", "licenciements": "licenciement", "li": "", "voyage": ""} {
		if got, similarity := r.mostSimilar(word); got != want || (similarity > 0) != (want != "") {
			t.Errorf("%s: %q, %v", word, got, similarity)
		}
	}
}
