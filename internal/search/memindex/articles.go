package memindex

import (
	"bytes"
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"

	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/search/postings"
	"vigueur/internal/search/rank"
)

// Articles returns the passages of the articles with the given numbers that the filters and the day of q admit, in
// the order of the numbers. It only searches the given texts, in their order, or all if texts is nil. A new wording
// of an article belongs to the amended text, not to the one that gives it. All scores are 1.
func (x *Index) Articles(q Query, texts []uuid.UUID, numbers []string) []Hit {
	s, days := x.now.Load(), q.days()
	hits := make([]Hit, 0, q.Limit)
	for _, number := range numbers {
		key := french.ArticleTerm(number)
		var of []Hit
		for _, v := range s.views {
			for _, p := range v.OfArticle(key) {
				place := &v.Segment.Passages[p]
				if !v.admits(place.Doc, &q) || !place.InForce(days) {
					continue
				}
				if h := v.hit(p, 1); texts == nil || h.placeAmong(texts) >= 0 {
					of = append(of, h)
				}
			}
		}
		// Stable, so that the passages of a text stay in order.
		slices.SortStableFunc(of, func(a, b Hit) int {
			return cmp.Or(cmp.Compare(a.placeAmong(texts), b.placeAmong(texts)), bytes.Compare(a.DocumentID[:], b.DocumentID[:]))
		})
		hits = append(hits, of...)
	}
	return hits[:min(len(hits), q.Limit)]
}

// placeAmong returns the index, among the given texts, of the text that the hit's article belongs to, -1 if it is
// none of them.
func (h Hit) placeAmong(texts []uuid.UUID) int {
	if !h.NewWording {
		return slices.Index(texts, h.DocumentID)
	}
	return slices.IndexFunc(texts, func(t uuid.UUID) bool { return slices.Contains(h.Amended, t) })
}

// BelongsTo reports whether the hit is in one of the texts, or is a new wording of an article of one.
func (h Hit) BelongsTo(texts []uuid.UUID) bool {
	return slices.Contains(texts, h.DocumentID) || h.placeAmong(texts) >= 0
}

// assumedPassages is the number of passages of other law that Rarity adds to those of the index. Otherwise, in a
// catalogue of one text, every word of this text would be frequent.
const assumedPassages = 300

// Rarity returns how distinctive each term is: 0 for one that is everywhere, 1 for one that is nowhere. Words that
// resemble a term count for it.
func (x *Index) Rarity(terms []string) []float64 {
	s, t := x.now.Load(), defaultTuning()
	all := float64(s.passages + assumedPassages)
	most := idf(all, 0)
	out := make([]float64, len(terms))
	for i, name := range terms {
		holders := 0.0
		for _, k := range s.variants(queryTerm{name: name, maxVariants: t.maxVariants}, t) {
			holders += math.Pow(k.like, t.power) * float64(s.holders(k.name))
		}
		holders = max(holders, float64(s.holders(name)))
		out[i] = idf(all, min(holders, float64(s.passages))) / most
	}
	return out
}

// rankingInput is what the description and the order of a pool need in addition to its passages.
type rankingInput struct {
	query     Query
	meant     bool
	asked     []country.Code
	most      line    // the greatest score of each channel among all admitted passages
	fullMatch float32 // what line.held would be for a passage with all words of the question
	model     *rank.Step
}

// vectors returns the kind of vectors that the search used.
func (by *rankingInput) vectors() rank.Vectors {
	if by.meant {
		return rank.WordVectors
	}
	return rank.NoVectors
}

// pooled is a passage of the pool. The pool holds the best passages by words and by meaning, which are described by
// features and ordered by the learned ranking.
type pooled struct {
	place
	line
	cosine   float32
	section  section
	features rank.Features
}

// section identifies the passages under the same headings of a text.
type section struct{ view, doc, headings uint32 }

// pool returns the union of both lists, with the scores of each passage.
func (x *searcher) pool(first, more []place, meant bool) []pooled {
	in := make(map[[2]uint32]bool, len(first)+len(more))
	pool := make([]pooled, 0, len(first)+len(more))
	for _, p := range slices.Concat(first, more) {
		bounds := [2]uint32{p.view, p.passage}
		if in[bounds] {
			continue
		}
		in[bounds] = true
		l := pooled{place: p, line: x.perView[p.view].lines[p.passage]}
		switch {
		case meant && x.comparison != nil:
			l.cosine = x.exactCosine(int(p.view), p.passage)
		case meant:
			l.cosine = x.perView[p.view].meaning[p.passage]
		}
		pool = append(pool, l)
	}
	return pool
}

// exactCosine returns the cosine of a passage's nearest vector and the query's, computed with the vectors and not
// their sketches.
func (x *searcher) exactCosine(view int, p uint32) float32 {
	v := x.views[view]
	d := v.Segment.Passages[p].Doc
	start, _ := v.Extent(d)
	b, k := x.blocks[view][d], p-start
	best := float32(-1)
	for pos := b.first[k]; pos < b.first[k+1]; pos++ {
		best = max(best, b.set.Dot(x.direction, int(pos)))
	}
	return best
}

// fullMatch returns what line.held would be for a passage with all words of the question.
func (x *searcher) fullMatch() (sum float32) {
	for i := range x.clauses {
		sum += x.clauses[i].word
	}
	return sum
}

// hits returns the passages of a pool in the order of the model, at most as many as the query asks for.
func (x *searcher) hits(pool []pooled, by *rankingInput) []Hit {
	x.describe(pool, by)
	weights := by.model.For(by.vectors())
	for i := range pool {
		pool[i].score = weights.Score(&pool[i].features)
	}
	slices.SortFunc(pool, func(a, b pooled) int { return x.byScore(a.place, b.place) })
	if !by.query.All {
		pool = pool[:min(len(pool), by.query.Limit)]
	}
	local := x.hasLawOf(by.asked)
	hits := make([]Hit, 0, len(pool))
	for i := range pool {
		hit := x.views[pool[i].view].hit(pool[i].passage, pool[i].score)
		hit.Local, hit.Semantic, hit.Features = local, by.meant, pool[i].features
		hits = append(hits, hit)
	}
	return hits
}

// fewWords is the maximum number of words of a short question. Half of the typed questions have no more.
const fewWords = 3

// describe sets the features of the passages of a pool that the index knows. They depend only on the pool and on the
// scores of its passages, so a pool that another store found is described in the same way.
func (x *searcher) describe(pool []pooled, by *rankingInput) {
	if len(pool) == 0 {
		return
	}
	nearest := float32(-1)
	for i := range pool {
		at := &pool[i]
		v := &x.views[at.view]
		at.section = section{at.view, v.Segment.Passages[at.passage].Doc, v.Segment.Identity(at.passage).Section}
		nearest = max(nearest, at.cosine)
	}
	short := len(x.clauses) <= fewWords
	for i := range pool {
		x.describeOne(&pool[i], by, nearest, short)
	}
	x.ranks(pool, by.meant)
	x.sections(pool, by.meant)
}

// describeOne sets the features that depend on one passage alone.
func (x *searcher) describeOne(at *pooled, by *rankingInput, nearest float32, short bool) {
	f, v := &at.features, &x.views[at.view]
	name, doc := v.Segment.Identity(at.passage), v.ClassOf(v.Segment.Passages[at.passage].Doc)
	f[rank.Words] = quotient(at.words, by.most.words)
	f[rank.Pieces] = quotient(at.pieces, by.most.pieces)
	f[rank.Held] = quotient(at.held, by.fullMatch)
	f[rank.WordsOfMost] = quotient(at.words, by.fullMatch*float32(x.k1+1))
	if by.meant {
		f[rank.Cosine], f[rank.CosineGap] = at.cosine, at.cosine-nearest
	}
	if short {
		f[rank.ShortWords], f[rank.ShortCosine] = f[rank.Words], f[rank.Cosine]
	}
	f[rank.Length] = float32(math.Log((1 + float64(v.Lengths[at.passage])) / (1 + x.average())))
	if name.Order == 0 {
		f[rank.NoArticle] = 1
	} else {
		f[rank.Opening] = 1 / float32(name.Order)
	}
	switch initial(name.Number) {
	case 'l':
		f[rank.NumberedL] = 1
	case 'r', 'd':
		f[rank.NumberedR] = 1
	}
	if _, anew := v.NewWording(name.Article); anew {
		f[rank.NewWording] = 1
	}
	switch {
	case len(by.asked) == 0 || len(doc.Countries) > 0 && country.Fits(by.asked, doc.Countries):
	case len(doc.Countries) == 0:
		f[rank.UnknownCountry] = 1
	default:
		f[rank.Foreign] = 1
	}
}

func quotient(a, b float32) float32 {
	if b == 0 {
		return 0
	}
	return a / b
}

// ranks sets the ranks in each channel. Equal passages have the same rank.
func (x *searcher) ranks(pool []pooled, meant bool) {
	order := make([]int, len(pool))
	for i := range order {
		order[i] = i
	}
	place := func(feature int, of func(l *pooled) float32) {
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(of(&pool[b]), of(&pool[a])) })
		pos := 0
		for i, p := range order {
			if i > 0 && of(&pool[p]) != of(&pool[order[i-1]]) {
				pos = i
			}
			pool[p].features[feature] = float32(-math.Log1p(float64(pos)))
		}
	}
	place(rank.RankWords, func(l *pooled) float32 { return l.words })
	place(rank.RankPieces, func(l *pooled) float32 { return l.pieces })
	if meant {
		place(rank.RankCosine, func(l *pooled) float32 { return l.cosine })
	}
}

// sectionSummary summarizes the passages of a pool under the same headings.
type sectionSummary struct {
	words, sum, gap float32
	count           int
	beside          map[uint16]articleBest // by position of the article
}

// articleBest holds the best values of an article's passages.
type articleBest struct{ words, gap float32 }

// sections sets the features that depend on the passages under the same headings, and on those of adjacent articles.
func (x *searcher) sections(pool []pooled, meant bool) {
	all := make(map[section]*sectionSummary)
	for i := range pool {
		at := &pool[i]
		g := all[at.section]
		if g == nil {
			g = &sectionSummary{gap: -2, beside: make(map[uint16]articleBest)}
			all[at.section] = g
		}
		words, gap := at.features[rank.Words], at.features[rank.CosineGap]
		g.words, g.gap, g.count = max(g.words, words), max(g.gap, gap), g.count+1
		order := x.orderOf(at)
		b, known := g.beside[order]
		if !known {
			b = articleBest{gap: -2}
		}
		g.beside[order] = articleBest{max(b.words, words), max(b.gap, gap)}
	}
	x.sumSections(pool, all)
	for i := range pool {
		at := &pool[i]
		f, g, order := &at.features, all[at.section], x.orderOf(at)
		f[rank.SectionWords], f[rank.SectionMean] = g.words, g.sum/float32(g.count)
		f[rank.SectionCount] = float32(math.Log(float64(g.count)))
		next, gap := float32(0), float32(-1)
		for _, o := range []uint16{order - 1, order + 1} {
			if b, ok := g.beside[o]; ok && order > 0 && o > 0 {
				next, gap = max(next, b.words), max(gap, b.gap)
			}
		}
		f[rank.NeighborWords] = next
		if meant {
			f[rank.SectionGap], f[rank.NeighborGap] = g.gap, gap
		}
	}
}

// sumSections adds up the words of each section, in increasing order. Sums of floats depend on the order, and the
// order of the pool depends on how it was made.
func (x *searcher) sumSections(pool []pooled, all map[section]*sectionSummary) {
	order := make([]int, len(pool))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Compare(pool[a].features[rank.Words], pool[b].features[rank.Words])
	})
	for _, i := range order {
		all[pool[i].section].sum += pool[i].features[rank.Words]
	}
}

func (x *searcher) orderOf(at *pooled) uint16 {
	return x.views[at.view].Segment.Identity(at.passage).Order
}

// initial returns the letter with which the number of an article begins, given its term, 0 if it begins with
// something else.
func initial(term string) byte {
	number, _ := strings.CutPrefix(term, articleTerm)
	if number != "" && number[0] >= 'a' && number[0] <= 'z' {
		return number[0]
	}
	return 0
}

// articleTerm is the beginning of the terms of articles' numbers: « artl1224-1 ».
const articleTerm = "art"

// shares caches what one query word, with all words that resemble it, adds to the score of each passage of a segment,
// before the multiplication by the word's weight. This amount is called the word's share of the passage. A few words
// are in most questions and in most passages, and many other words resemble them, so adding them up again would take
// most of the time of a search. shares do not change after they are filled.
type shares struct {
	of     variantKey
	others []variant
	scale  scale
	parts  []part      // by window of the segment
	often  atomic.Bool // a passage contains the word more than mostOwn times
	used   uint64      // time of the last use, by shareCache.clock
}

// variantKey is a query word and the maximum number of variants that it may have.
type variantKey struct {
	name        string
	maxVariants int
}

// scale holds the parameters on which shares depend.
type scale struct {
	window   uint32
	headings float32
}

// part holds the shares of a window: the set of passages that contain any of the words and, for each passage in
// order, its share and how often it contains the word itself.
type part struct {
	holders []uint64
	shares  []postings.Share
	owns    []uint8
}

// mostOwn is the maximum number of occurrences of a word in one passage that can be cached. The shares of a word that
// occurs more often are not cached.
const mostOwn = math.MaxUint8

// bytes returns the size of the shares in memory.
func (s *shares) bytes() (n int) {
	for _, p := range s.parts {
		n += 8*len(p.holders) + 2*len(p.shares) + len(p.owns)
	}
	return n
}

// addKnown adds the cached shares of a word to the lines of a window: of all passages that contain it if the word
// selects, else of those that are already selected.
func (h *scorer) addKnown(c *clause, p *part, lines []line, found []uint64) {
	first := 0
	for k, holders := range p.holders {
		if c.selects {
			found[k] |= holders
			for word := holders; word != 0; word &= word - 1 {
				pos := k*64 + bits.TrailingZeros64(word)
				h.addShare(c, pos, &lines[pos], p.shares[first], p.owns[first])
				first++
			}
			continue
		}
		for word := holders & found[k]; word != 0; word &= word - 1 {
			pos := k*64 + bits.TrailingZeros64(word)
			nth := first + bits.OnesCount64(holders&(word&-word-1))
			h.addShare(c, pos, &lines[pos], p.shares[nth], p.owns[nth])
		}
		first += bits.OnesCount64(holders)
	}
}

// addShare adds the cached share of one passage.
func (h *scorer) addShare(c *clause, pos int, l *line, share postings.Share, own uint8) {
	l.pieces += float32(c.pieces * share.Value())
	if own > 0 {
		l.words += float32(c.word * h.saturate(float32(own), h.norms[pos%windowSize]))
		l.held += c.word
	}
}

// plan says how a clause is scored in one view.
type plan struct {
	word   uint32   // term of the word in this view, or noTerm
	others []uint32 // terms of the other words
	known  *shares  // cached shares, nil if there are none
	wanted *shares  // shares to fill for the cache, nil if they are not worth it
}

// partFor returns where to store the shares of a window, nil if they are not wanted.
func (p *plan) partFor(w window, holders []uint64) *part {
	if p.wanted == nil {
		return nil
	}
	n := 0
	for _, word := range holders {
		n += bits.OnesCount64(word)
	}
	to := &p.wanted.parts[w.from/p.wanted.scale.window]
	to.holders, to.shares, to.owns = slices.Clone(holders[:wordsFor(int(w.to-w.from))]), make([]postings.Share, 0, n), make([]uint8, 0, n)
	return to
}

// makePlans looks up the terms of the clauses in all views, and their cached shares.
func (x *searcher) makePlans() {
	by := scale{x.window, float32(x.headings)}
	for _, v := range x.views {
		plans := make([]plan, 0, len(x.clauses))
		for i := range x.clauses {
			c := &x.clauses[i]
			p := plan{word: v.NumberOf(c.name)}
			n := v.PassagesWith(p.word)
			for _, k := range c.others {
				t := v.NumberOf(k.name)
				p.others = append(p.others, t)
				n += v.PassagesWith(t)
			}
			if c.compared && n*keptPart > len(v.Segment.Passages) && x.whole == nil {
				p.known, p.wanted = v.shareCache.lookup(c, by)
				if x.query.Filters.DocumentID != nil {
					p.wanted = nil // caching would need the words of all texts to search one
				}
				if p.wanted != nil {
					p.wanted.parts = make([]part, (len(v.Segment.Passages)+int(x.window)-1)/int(x.window))
				}
			}
			plans = append(plans, p)
		}
		x.plans = append(x.plans, plans)
	}
}

// storeShares caches the shares that were filled.
func (x *searcher) storeShares() {
	for i, v := range x.views {
		for _, p := range x.plans[i] {
			if p.wanted != nil && !p.wanted.often.Load() {
				v.shareCache.store(p.wanted, len(v.Segment.Passages))
			}
		}
	}
}

// shareCache caches the shares of the most recently used words of a segment, up to keptRoom.
type shareCache struct {
	mu    sync.Mutex
	words map[variantKey]*shares
	used  int // in bytes
	clock uint64
}

const (
	// keptRoom is the maximum size of a segment's cache, in bytes per passage.
	keptRoom = 192
	// A word is only cached if more than one of keptPart passages contains it.
	keptPart = 64
)

// lookup returns the cached shares of a clause, or empty ones that the caller fills and stores.
func (l *shareCache) lookup(c *clause, by scale) (known, wanted *shares) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.words == nil {
		l.words = make(map[variantKey]*shares)
	}
	if s := l.words[c.variantKey]; s != nil && s.scale == by && slices.Equal(s.others, c.others) {
		l.clock++
		s.used = l.clock
		return s, nil
	}
	return nil, &shares{of: c.variantKey, others: slices.Clone(c.others), scale: by}
}

// store adds shares, and drops the least recently used ones if the cache is too large for the given number of
// passages.
func (l *shareCache) store(s *shares, passages int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if old := l.words[s.of]; old != nil {
		l.used -= old.bytes()
	}
	l.clock++
	s.used = l.clock
	l.words[s.of] = s
	l.used += s.bytes()
	for l.used > keptRoom*passages {
		var oldest *shares
		for _, x := range l.words {
			if oldest == nil || x.used < oldest.used {
				oldest = x
			}
		}
		l.used -= oldest.bytes()
		delete(l.words, oldest.of)
	}
}
