package memindex

import (
	"cmp"
	"math"
	"slices"

	"vigueur/internal/search/postings"
	"vigueur/internal/search/rank"
)

// tuning holds the parameters of the scores.
type tuning struct {
	k1, b            float64    // saturation and length weight of BM25
	likeness         float64    // minimum similarity of variants
	maxVariants      int        // maximum number of variants of a word
	maxLegalVariants int        // maximum number of variants of a word that the lexicon adds, because its spelling is that of the law
	power            float64    // exponent of the similarity in the weight of a variant
	pieces           float64    // weight of the pieces in the score, 0 to 1; the words have the rest
	headings         float64    // weight of pieces in headings, relative to those in the text
	minRarity        float64    // minimum rarity of a word that selects passages, relative to that of the rarest word
	maxReach         int        // maximum number of passages that the selecting words contain in total; the rarest word always selects
	legal            float64    // total weight of the words that the lexicon adds, for each word of a phrase
	earlier          float64    // weight of a word of an earlier turn
	unknownCountry   float64    // factor for a text whose country is unknown, if the question names one
	foreignCountry   float64    // factor for a text of another country, if the question names one
	nearest          int        // minimum number of passages whose vectors are compared exactly
	part             int        // the number of all passages divided by part replaces nearest if it is greater
	window           uint32     // number of passages that are scored together, a multiple of 64
	minScorers       int        // minimum number of goroutines that search together
	model            *rank.Step // orders the passages of a pool
}

// defaultTuning returns the parameters for words and pieces of words that were best for 147 questions about French
// labor law. The weights of these scores, of meaning and of all other features were learned (package rank).
func defaultTuning() tuning {
	return tuning{k1: 2, b: 0.75, likeness: 0.35, maxVariants: 15, maxLegalVariants: 8, power: 2, pieces: 0.6, headings: 1.4, legal: 0.6, minRarity: 0.3, maxReach: 300_000, earlier: 0.3,
		unknownCountry: 0.8, foreignCountry: 0.4, nearest: 600, part: 512, window: windowSize, minScorers: 1}
}

// tuning returns the default with the index's own ranking.
func (x *Index) tuning() tuning {
	t := defaultTuning()
	t.model = x.options.Ranking
	return t
}

// search returns the passages for q, best first; among passages with equal scores the smaller id first.
func (x *Index) search(q Query, t tuning) []Hit {
	return x.now.Load().search(q, queryTerms(q, x.options.Lexicon, t), t)
}

func (s *state) search(q Query, wants []queryTerm, t tuning) []Hit {
	return s.searchNear(wants, t, searcher{query: q, comparison: s.compare(q)})
}

// searchNear searches with the query and the vectors in x. If the rarest words select too few passages, as in a text
// that a filter names, all words select.
func (s *snapshot) searchNear(wants []queryTerm, t tuning, x searcher) []Hit {
	hits, all := s.searchOnce(wants, t, x)
	if !all && len(hits) < x.query.Limit {
		t.minRarity, t.maxReach = 0, math.MaxInt
		hits, _ = s.searchOnce(wants, t, x)
	}
	return hits
}

// searchOnce also reports whether all words of the question selected passages.
func (s *snapshot) searchOnce(wants []queryTerm, t tuning, x searcher) (hits []Hit, all bool) {
	x.snapshot, x.tuning, x.accumulator = s, t, s.newAccumulator()
	x.setNorms(s.longest, s.average())
	x.admit()
	for _, w := range wants {
		x.addClause(w)
	}
	all = x.chooseSelecting()
	x.makePlans()
	c := x.acquireScorers()
	panicked := true
	defer func() { c.release(panicked) }()
	hits = x.bestHits(c, x.score(c))
	panicked = false
	x.release() // not after a panic, when the state of the accumulator is unknown
	return hits, all
}

// score fills the accumulator, and reports whether meaning counts.
func (x *searcher) score(c *scorers) (meant bool) {
	switch {
	case x.comparison != nil:
		texts := x.stretches()
		c.runTasks(len(texts), func(h *scorer, i int) { h.measure(texts[i]) })
		meant = x.served(c.all, max(x.nearest, x.passages/x.part))
	case x.givenCosines != nil:
		x.useGivenCosines()
		meant = true
	}
	c.eachWindow(func(h *scorer, w window) { h.scoreWindow(w, meant) })
	x.storeShares()
	return meant
}

// average returns the mean length of a passage.
func (s *snapshot) average() float64 {
	return max(1, s.length/math.Max(1, float64(s.passages)))
}

// searcher runs one search over one snapshot.
type searcher struct {
	*snapshot
	tuning
	*accumulator
	query Query
	on    postings.Days
	// At most one of these is set; if neither is, the search goes by words alone.
	*comparison
	givenCosines []float32 // cosines of the passages of the first view
}

// clause is one term of a question with all words of the index that resemble it. Together they count as one word that
// occurs wherever any of them does, each occurrence weighted by its similarity. So a rare misspelling in the law
// weighs no more than the word that was meant.
type clause struct {
	variantKey
	others   []variant // without the word itself; variant.like is then the weight of an occurrence
	rarity   float32   // rarity of all together, whatever their weights
	reach    int       // number of passages that contain a word, added up over the word itself and the others
	selects  bool      // passages that contain any of them are selected
	word     float32   // weight of the word itself
	pieces   float32   // weight of all together
	compared bool      // the word is also compared by pieces
}

// addClause adds one term to the clauses.
func (x *searcher) addClause(w queryTerm) {
	c := clause{variantKey: variantKey{w.name, w.maxVariants}, word: float32(x.idf(float64(x.holders(w.name))) * w.weight)}
	kindred := x.variants(w, x.tuning)
	holders := 0.0
	for _, k := range kindred {
		k.like = math.Pow(k.like, x.power)
		n := x.holders(k.name)
		holders += k.like * float64(n)
		c.reach += n
		if k.name != w.name {
			c.others = append(c.others, k)
		}
	}
	c.compared = len(kindred) > 0
	if !c.compared {
		c.reach = x.holders(w.name)
		holders = float64(c.reach)
	}
	if holders == 0 {
		return // no passage contains it
	}
	rarity := x.idf(math.Min(holders, float64(x.passages)))
	c.rarity, c.pieces = float32(rarity), float32(rarity*w.weight)
	x.clauses = append(x.clauses, c)
}

// chooseSelecting orders the clauses by rarity and makes the rarest ones select passages. The others are in most
// passages: they score passages that are selected, but should not select every passage of a labor code that contains
// « travail ». It reports whether all clauses select.
func (x *searcher) chooseSelecting() (all bool) {
	slices.SortStableFunc(x.clauses, func(a, b clause) int { return cmp.Compare(b.rarity, a.rarity) })
	all = true
	reach := 0
	for i := range x.clauses {
		c := &x.clauses[i]
		reach += c.reach
		c.selects = i == 0 || all && c.rarity >= float32(x.minRarity)*x.clauses[0].rarity && reach <= x.tuning.maxReach
		all = all && c.selects
	}
	return all
}

// saturate returns tf·(k1+1) / (tf + norm), the saturation of BM25.
func (t *tuning) saturate(tf, norm float32) float32 {
	return float32(tf*float32(t.k1+1)) / (tf + norm)
}

// norm returns k1·(1 − b + b·length/average), the length normalization of BM25.
func (t *tuning) norm(length int, average float64) float32 {
	return float32(t.k1 * (1 - t.b + t.b*float64(length)/average))
}
