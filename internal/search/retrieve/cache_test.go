package retrieve

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
)

// What was read is read once, for as long as the catalogue is of the same version;
// a search that began before a change neither gets what is newer nor leaves what
// is older.
func TestRecentIsOfOneVersion(t *testing.T) {
	t.Parallel()
	var r catalogueCache
	var asked []uuid.UUID
	page := 1
	spans := func(version int64, ids ...uuid.UUID) []int {
		asked = nil
		found, err := readThrough(t.Context(), &r, version, ids, r.spansLRU, func(_ context.Context, ids []uuid.UUID) (map[uuid.UUID][]law.Span, error) {
			asked = append(asked, ids...)
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
		read    []uuid.UUID
		pages   []int
	}{
		{"nothing is kept yet", 1, []uuid.UUID{a}, []uuid.UUID{a}, []int{1}},
		{"what is missing is read alone", 1, []uuid.UUID{a, b}, []uuid.UUID{b}, []int{1, 2}},
		{"all is kept", 1, []uuid.UUID{b, a}, nil, []int{2, 1}},
		{"the catalogue changed", 2, []uuid.UUID{a}, []uuid.UUID{a}, []int{4}},
		{"a search that began before", 1, []uuid.UUID{a, b}, []uuid.UUID{a, b}, []int{5, 5}},
		{"has left nothing of what it read", 2, []uuid.UUID{a}, nil, []int{4}},
	} {
		if pages := spans(step.version, step.ids...); !slices.Equal(pages, step.pages) || !slices.Equal(asked, step.read) {
			t.Errorf("%s: %v, read %v", step.name, pages, asked)
		}
		page++
	}
}

func TestRecentKeepsNoFailure(t *testing.T) {
	t.Parallel()
	var r catalogueCache
	id := uuid.New()
	down := errors.New("down")
	for _, want := range []error{down, nil} {
		if _, err := readThrough(t.Context(), &r, 1, []uuid.UUID{id}, r.spansLRU, func(context.Context, []uuid.UUID) (map[uuid.UUID][]law.Span, error) {
			return map[uuid.UUID][]law.Span{}, want
		}); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

// The likest word of an article is the same whichever way its words stand.
func TestLikestWord(t *testing.T) {
	t.Parallel()
	r := articleTerms{terms: []string{"licenci", "licenciement", "licit", "travail"}}
	for word, want := range map[string]string{"travail": "travail", "licenciements": "licenciement", "li": "", "voyage": ""} {
		if got, like := r.mostSimilar(word); got != want || (like > 0) != (want != "") {
			t.Errorf("%s: %q, %v", word, got, like)
		}
	}
}
