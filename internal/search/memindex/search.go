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
	k1, b            float64    // BM25's saturation and weight of length
	likeness         float64    // words less alike are not compared
	maxVariants      int        // at most so many words a word
	maxLegalVariants int        // of one that the lexicon adds, which the law writes so
	power            float64    // of the likeness, as the weight of a variant
	pieces           float64    // share of the pieces in the score beside the words, 0 to 1
	headings         float64    // what the pieces in headings count beside those in the text
	minRarity        float64    // a word finds passages whose rarity is so much of the rarest word's, at least
	maxReach         int        // the words that find are held so many times in all at most; the rarest finds whatever its share
	legal            float64    // weight of the words together that the lexicon adds, for each word of a phrase
	earlier          float64    // weight of a word of an earlier turn
	unknownCountry   float64    // factor for a text of no known country when the question names one
	foreignCountry   float64    // factor for a text of another country
	nearest          int        // the vectors of so many passages, by their sketches, are found and compared exactly, at least
	part             int        // and of one in so many of all passages
	window           uint32     // so many passages are scored together; in whole words of bits
	minScorers       int        // at least so many goroutines search together
	model            *rank.Step // by which the passages of a pool are ordered
}

// defaultTuning is how words and pieces of words are scored, as served best on 147
// questions about French labor law (decision 18). What these scores, the meaning and
// what else is known of a passage weigh beside each other was learned (decision 22).
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

// search finds the passages for q, the best first; of equal ones the smaller id
// first.
func (x *Index) search(q Query, t tuning) []Hit {
	return x.now.Load().search(q, queryTerms(q, x.options.Lexicon, t), t)
}

func (s *state) search(q Query, wants []queryTerm, t tuning) []Hit {
	return s.searchNear(wants, t, searcher{query: q, comparison: s.compare(q)})
}

// searchNear searches; x holds the query and how near passages are in meaning.
// Where the rarest words find too little, as in a text that a filter names, all find.
func (s *snapshot) searchNear(wants []queryTerm, t tuning, x searcher) []Hit {
	hits, all := s.searchOnce(wants, t, x)
	if !all && len(hits) < x.query.Limit {
		t.minRarity, t.maxReach = 0, math.MaxInt
		hits, _ = s.searchOnce(wants, t, x)
	}
	return hits
}

// searchOnce tells also whether all words of the question found passages.
func (s *snapshot) searchOnce(wants []queryTerm, t tuning, x searcher) (hits []Hit, all bool) {
	x.snapshot, x.tuning, x.accumulator = s, t, s.newAccumulator()
	x.setNorms(s.longest, s.average())
	x.admit()
	for _, w := range wants {
		x.addClause(w)
	}
	all = x.chooseFinders()
	x.plan()
	c := x.acquireScorers()
	panicked := true
	defer func() { c.release(panicked) }()
	hits = x.best(c, x.score(c))
	panicked = false
	x.release() // not after a panic: what is left in the accumulator then is not known
	return hits, all
}

// score fills the accumulator, and tells whether the meaning counts.
func (x *searcher) score(c *scorers) (meant bool) {
	switch {
	case x.comparison != nil:
		texts := x.stretches()
		c.each(len(texts), func(h *scorer, i int) { h.measure(texts[i]) })
		meant = x.served(c.all, max(x.nearest, x.passages/x.part))
	case x.givenCosines != nil:
		x.useGivenCosines()
		meant = true
	}
	c.eachWindow(func(h *scorer, w window) { h.add(w, meant) })
	x.storeShares()
	return meant
}

// average is the length of a passage.
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
	// At most one of these; neither: the search goes by words alone.
	*comparison
	givenCosines []float32 // how near each passage of the first view is
}

// clause is one term of a question with all words of the index that resemble it.
// Together they count as one word that occurs wherever any of them does, each
// occurrence weighted by its likeness. So a rare misspelling in the law weighs no more
// than the word that was meant.
type clause struct {
	variantKey
	others   []variant // but the word itself; like is what an occurrence counts
	rarity   float32   // how rare all together are, whatever they weigh
	reach    int       // how many passages hold each, added up
	finds    bool      // passages that hold any of them are found
	word     float32   // weight of the word itself
	pieces   float32   // weight of all together
	compared bool      // by its pieces too
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
		return // nothing holds it
	}
	rarity := x.idf(math.Min(holders, float64(x.passages)))
	c.rarity, c.pieces = float32(rarity), float32(rarity*w.weight)
	x.clauses = append(x.clauses, c)
}

// chooseFinders puts the rarest terms first and has them find passages. The others
// are in most passages: they count where a passage is found, but do not make all of
// a labor code worth a look because it says « travail ». It returns whether all find.
func (x *searcher) chooseFinders() (all bool) {
	slices.SortStableFunc(x.clauses, func(a, b clause) int { return cmp.Compare(b.rarity, a.rarity) })
	all = true
	reach := 0
	for i := range x.clauses {
		c := &x.clauses[i]
		reach += c.reach
		c.finds = i == 0 || all && c.rarity >= float32(x.minRarity)*x.clauses[0].rarity && reach <= x.tuning.maxReach
		all = all && c.finds
	}
	return all
}

// saturated is BM25's tf·(k1+1) / (tf + norm).
func (t *tuning) saturated(tf, norm float32) float32 {
	return float32(tf*float32(t.k1+1)) / (tf + norm)
}

// norm is BM25's k1·(1 − b + b·length/average).
func (t *tuning) norm(length int, average float64) float32 {
	return float32(t.k1 * (1 - t.b + t.b*float64(length)/average))
}
