package retrieve

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"vigueur/internal/french"
	"vigueur/internal/law"
	"vigueur/internal/postgres"
)

// recentLimit is how many passages, and how many articles, are kept of recent
// searches: some 30 MB.
const recentLimit = 4096

// recent keeps what searches read of the catalogue and made of it: few articles are
// what most people ask about. It is of one version of the catalogue, which every
// search asks for first; a newer one empties it, so that what it gives is what the
// catalogue has. The zero value is empty and ready.
type recent struct {
	mu       sync.Mutex
	version  int64
	found    *simplelru.LRU[uuid.UUID, postgres.Found]
	spans    *simplelru.LRU[uuid.UUID, []law.Span]
	readings *simplelru.LRU[string, reading]
}

// at makes it of the given version; false tells that it is of a newer one.
func (r *recent) at(version int64) bool {
	if version > r.version || r.found == nil {
		r.version = version
		r.found, r.spans, r.readings = shelf[uuid.UUID, postgres.Found](), shelf[uuid.UUID, []law.Span](), shelf[string, reading]()
	}
	return version == r.version
}

func shelf[K comparable, V any]() *simplelru.LRU[K, V] {
	s, err := simplelru.NewLRU[K, V](recentLimit, nil)
	if err != nil {
		panic(err) // a limit under one
	}
	return s
}

// Found is Catalogue.Found at a version of the catalogue.
func (r *recent) Found(ctx context.Context, db Catalogue, version int64, ids []uuid.UUID) (map[uuid.UUID]postgres.Found, error) {
	return through(ctx, r, version, ids, r.foundKept, db.Found)
}

// Spans is Catalogue.Spans at a version of the catalogue.
func (r *recent) Spans(ctx context.Context, db Catalogue, version int64, ids []uuid.UUID) (map[uuid.UUID][]law.Span, error) {
	return through(ctx, r, version, ids, r.spansKept, db.Spans)
}

func (r *recent) foundKept() *simplelru.LRU[uuid.UUID, postgres.Found] { return r.found }
func (r *recent) spansKept() *simplelru.LRU[uuid.UUID, []law.Span]     { return r.spans }

// through gives what is kept, and reads and keeps the rest.
func through[V any](ctx context.Context, r *recent, version int64, ids []uuid.UUID, kept func() *simplelru.LRU[uuid.UUID, V],
	read func(context.Context, []uuid.UUID) (map[uuid.UUID]V, error),
) (map[uuid.UUID]V, error) {
	out := make(map[uuid.UUID]V, len(ids))
	missing := ids
	r.mu.Lock()
	if r.at(version) {
		missing = nil
		for _, id := range ids {
			v, ok := kept().Get(id)
			if !ok {
				missing = append(missing, id)
				continue
			}
			out[id] = v
		}
	}
	r.mu.Unlock()
	if len(missing) == 0 {
		return out, nil
	}
	fresh, err := read(ctx, missing)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	current := r.at(version)
	for id, v := range fresh {
		out[id] = v
		if current {
			kept().Add(id, v)
		}
	}
	return out, nil
}

// reading is what an article says, as it is looked at for a question.
type reading struct {
	order   []string              // its terms, those of the title and the headings too
	terms   []string              // each once, sorted
	figures func() french.Figures // of its text
	// The terms of its text, of the headings above it and of the title of the text it
	// is of; and the pieces of words of the nearest heading, of all, and of the title.
	places            [3][]string
	leaf, path, title []french.Gram
}

// Reading reads an article as far as it was found.
func (r *recent) Reading(version int64, h Hit) reading {
	key := h.passageKey()
	r.mu.Lock()
	if r.at(version) {
		if kept, ok := r.readings.Get(key); ok {
			r.mu.Unlock()
			return kept
		}
	}
	r.mu.Unlock()
	fresh := read(h)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at(version) {
		r.readings.Add(key, fresh)
	}
	return fresh
}

func read(h Hit) reading {
	text := h.Text()
	told := append([]string{h.Document.Title, h.Article.Heading, text}, h.Article.Path...)
	if number := h.Document.OfficialNumber; number != "" && !strings.Contains(h.Document.Title, number) {
		told = append(told, "n° "+number)
	}
	if w := h.Article.Wording; w != nil {
		told = append(told, "article "+w.Number, w.TargetTitle)
	}
	order := french.Terms(strings.Join(told, "\n"))
	headings := slices.Clip(h.Article.Path)
	if h.Article.Heading != "" {
		headings = append(headings, h.Article.Heading)
	}
	leaf := ""
	if n := len(headings); n > 0 {
		leaf = headings[n-1]
	}
	above, title := french.Terms(strings.Join(headings, "\n")), french.Terms(h.Document.Title)
	return reading{
		order: slices.Clip(order), terms: sorted(order),
		places: [3][]string{sorted(french.Terms(text)), sorted(above), sorted(title)},
		leaf:   gramsOf(french.Terms(leaf)), path: gramsOf(above), title: gramsOf(title),
		figures: sync.OnceValue(func() french.Figures { return french.FiguresOf(text) }),
	}
}

// sorted gives terms each once, in order.
func sorted(terms []string) []string {
	terms = slices.Clone(terms)
	slices.Sort(terms)
	return slices.Clip(slices.Compact(terms))
}

// where tells in which places a term stands.
func (r *reading) where(term string) (in [3]bool) {
	for i, terms := range r.places {
		_, in[i] = slices.BinarySearch(terms, term)
	}
	return in
}

// passageKey tells which passages of an article were found.
func (h Hit) passageKey() string {
	key := make([]byte, 0, len(uuid.UUID{})*len(h.Passages))
	for _, p := range h.Passages {
		key = append(key, p.ID[:]...)
	}
	return string(key)
}

func (r reading) has(term string) bool {
	_, ok := slices.BinarySearch(r.terms, term)
	return ok
}

// likest is the likest term with the same beginning and how alike it is; none
// and 0 when none resembles t. The number of a text and its stem are one.
func (r reading) likest(t string) (term string, like float64) {
	const beginning = 3
	switch {
	case r.has(t):
		return t, 1
	case len(t) <= beginning:
		return "", 0
	}
	from, _ := slices.BinarySearch(r.terms, t[:beginning])
	for _, h := range r.terms[from:] {
		if !strings.HasPrefix(h, t[:beginning]) {
			break
		}
		if french.SameText(t, h) {
			return h, 1
		}
		if s := french.Akin(t, h); s > like {
			term, like = h, s
		}
	}
	return term, like
}
