package retrieve

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/store/postgres"
)

// cacheLimit is the number of passages, and of articles, that are cached: some 30 MB.
const cacheLimit = 4096

// catalogueCache caches what searches read from the catalogue and what they computed from
// it, because most questions are about few articles. It is valid for one version of the
// catalogue: every search first asks for the current version, and a newer version empties
// the cache. The zero value is empty and ready for use.
type catalogueCache struct {
	mu       sync.Mutex
	version  int64
	found    *simplelru.LRU[uuid.UUID, postgres.Found]
	spans    *simplelru.LRU[uuid.UUID, []law.Span]
	articles *simplelru.LRU[string, articleTerms]
}

// advance empties the cache if version is newer than the cached one, and reports whether
// the cache is then of this version. It is not if another search has already seen a newer
// one.
func (c *catalogueCache) advance(version int64) bool {
	if version > c.version || c.found == nil {
		c.version = version
		c.found, c.spans, c.articles = newLRU[uuid.UUID, postgres.Found](), newLRU[uuid.UUID, []law.Span](), newLRU[string, articleTerms]()
	}
	return version == c.version
}

func newLRU[K comparable, V any]() *simplelru.LRU[K, V] {
	s, err := simplelru.NewLRU[K, V](cacheLimit, nil)
	if err != nil {
		panic(err) // only for a limit below 1
	}
	return s
}

// Found does what Catalogue.Found does, at the given version of the catalogue.
func (c *catalogueCache) Found(ctx context.Context, db Catalogue, version int64, ids []uuid.UUID) (map[uuid.UUID]postgres.Found, error) {
	return readThrough(ctx, c, version, ids, c.foundLRU, db.Found)
}

// Spans does what Catalogue.Spans does, at the given version of the catalogue.
func (c *catalogueCache) Spans(ctx context.Context, db Catalogue, version int64, ids []uuid.UUID) (map[uuid.UUID][]law.Span, error) {
	return readThrough(ctx, c, version, ids, c.spansLRU, db.Spans)
}

func (c *catalogueCache) foundLRU() *simplelru.LRU[uuid.UUID, postgres.Found] { return c.found }
func (c *catalogueCache) spansLRU() *simplelru.LRU[uuid.UUID, []law.Span]     { return c.spans }

// readThrough returns the values of the ids: it takes cached ones from the cache, and
// reads and caches the others.
func readThrough[V any](ctx context.Context, c *catalogueCache, version int64, ids []uuid.UUID, kept func() *simplelru.LRU[uuid.UUID, V],
	read func(context.Context, []uuid.UUID) (map[uuid.UUID]V, error),
) (map[uuid.UUID]V, error) {
	out := make(map[uuid.UUID]V, len(ids))
	missing := ids
	c.mu.Lock()
	if c.advance(version) {
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
	c.mu.Unlock()
	if len(missing) == 0 {
		return out, nil
	}
	fresh, err := read(ctx, missing)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	current := c.advance(version)
	for id, v := range fresh {
		out[id] = v
		if current {
			kept().Add(id, v)
		}
	}
	return out, nil
}

// articleTerms holds the terms of one article, with which the terms of a question are
// compared.
type articleTerms struct {
	order   []string              // all terms, in the order of the text; title and headings included
	terms   []string              // the same terms, sorted, without duplicates
	figures func() french.Figures // the kinds of figures in its text
	offers  func() french.Offers  // the kinds of statements that its text makes
	// The terms of its body, of its headings and of the title of its document, each
	// sorted and without duplicates; then the n-grams of the nearest heading, of all
	// headings and of the title.
	fields            [3][]string
	leaf, path, title []french.Gram
}

// Article returns the terms of the passages that were found of an article.
func (c *catalogueCache) Article(version int64, h Hit) articleTerms {
	key := h.passageKey()
	c.mu.Lock()
	if c.advance(version) {
		if kept, ok := c.articles.Get(key); ok {
			c.mu.Unlock()
			return kept
		}
	}
	c.mu.Unlock()
	fresh := analyze(h)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.advance(version) {
		c.articles.Add(key, fresh)
	}
	return fresh
}

func analyze(h Hit) articleTerms {
	text := h.Text()
	parts := append([]string{h.Document.Title, h.Article.Heading, text}, h.Article.Path...)
	if number := h.Document.OfficialNumber; number != "" && !strings.Contains(h.Document.Title, number) {
		parts = append(parts, "n° "+number)
	}
	if w := h.Article.Wording; w != nil {
		parts = append(parts, "article "+w.Number, w.TargetTitle)
	}
	order := french.Terms(strings.Join(parts, "\n"))
	headings := slices.Clip(h.Article.Path)
	if h.Article.Heading != "" {
		headings = append(headings, h.Article.Heading)
	}
	leaf := ""
	if n := len(headings); n > 0 {
		leaf = headings[n-1]
	}
	upper, title := french.Terms(strings.Join(headings, "\n")), french.Terms(h.Document.Title)
	return articleTerms{
		order: slices.Clip(order), terms: sortTerms(order),
		fields: [3][]string{sortTerms(french.Terms(text)), sortTerms(upper), sortTerms(title)},
		leaf:   gramsOf(french.Terms(leaf)), path: gramsOf(upper), title: gramsOf(title),
		figures: sync.OnceValue(func() french.Figures { return french.FiguresOf(text) }),
		offers:  sync.OnceValue(func() french.Offers { return french.OffersOf(text) }),
	}
}

// sortTerms returns the terms without duplicates, in order.
func sortTerms(terms []string) []string {
	terms = slices.Clone(terms)
	slices.Sort(terms)
	return slices.Clip(slices.Compact(terms))
}

// fieldsWith reports for each field (body, headings, title) whether it contains the term.
func (r *articleTerms) fieldsWith(term string) (in [3]bool) {
	for i, terms := range r.fields {
		_, in[i] = slices.BinarySearch(terms, term)
	}
	return in
}

// passageKey returns a key for the set of passages that were found of an article.
func (h Hit) passageKey() string {
	key := make([]byte, 0, len(uuid.UUID{})*len(h.Passages))
	for _, p := range h.Passages {
		key = append(key, p.ID[:]...)
	}
	return string(key)
}

func (r articleTerms) has(term string) bool {
	_, ok := slices.BinarySearch(r.terms, term)
	return ok
}

// mostSimilar returns the article's term most similar to t, with their similarity (0 to
// 1). It compares only terms that begin with the same three bytes, and returns "" and 0
// if none is similar. Two spellings of the number of one text count as the same term.
func (r articleTerms) mostSimilar(t string) (term string, similarity float64) {
	const beginning = 3
	switch {
	case r.has(t):
		return t, 1
	case len(t) <= beginning:
		return "", 0
	}
	start, _ := slices.BinarySearch(r.terms, t[:beginning])
	for _, h := range r.terms[start:] {
		if !strings.HasPrefix(h, t[:beginning]) {
			break
		}
		if french.SameText(t, h) {
			return h, 1
		}
		if s := french.Akin(t, h); s > similarity {
			term, similarity = h, s
		}
	}
	return term, similarity
}
