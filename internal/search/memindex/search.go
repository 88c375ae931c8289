package memindex

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
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

// Query is one search. With the zero value and a Limit it finds nothing.
type Query struct {
	Text      string         // the question
	Earlier   string         // earlier turns that it depends on; their words weigh less
	Countries []country.Code // countries whose law is asked about, by the question or those turns; nil if none is named
	Filters   law.Filters    // Date is ignored in favor of Day; with a Country, law that is known to be of others than Countries is excluded
	Day       time.Time      // only what is law on that day; the zero time admits any day
	Repealed  bool           // also find texts whose status is repealed
	Limit     int            // the maximum number of hits
	All       bool           // return the whole pool, whatever Limit says, unless it is 0

	Vector     []float32 // vector of the question, of length 1; nil searches by words alone
	Generation uuid.UUID // generation of the vector
}

// Hit is a passage that was found.
type Hit struct {
	PassageID  uuid.UUID
	ArticleID  uuid.UUID
	DocumentID uuid.UUID
	Score      float64        // score of the ranking's first step, comparable only within one search
	Features   rank.Features  // what the index knows about it
	Semantic   bool           // the search also went by meaning
	Countries  []country.Code // countries that the text belongs to, as far as known
	Guessed    bool           // nobody has said so: these are the countries that the text mentions most
	NewWording bool           // it is a new wording of an article of another text
	Amended    []uuid.UUID    // for a new wording, the texts of the catalogue that it may amend
	Local      bool           // the index has law of a country that the question names
}

// accumulator holds the scores of one search: a line for each passage of each view. Accumulators are pooled, because
// allocating and zeroing them for every search would take longer than the search. In the pool every field is zero
// except those whose comment says otherwise.
type accumulator struct {
	perView   []viewScores
	lines     []line
	sets      []uint64
	meanings  []float32
	distances []uint16
	normOf    []float32 // by the length of a passage; this field and the next ones are set by every search
	clauses   []clause  // the clauses of the question
	plans     [][]plan  // by view and clause
	admitted  [][]bool  // by view and text
}

// viewScores is the part of an accumulator that belongs to one view.
type viewScores struct {
	lines   []line    // by passage
	found   []uint64  // set of the passages whose line is not zero
	nearest []uint16  // by passage, the smallest distance of its vectors' sketches
	meaning []float32 // by passage, its cosine; this field and nearest hold values of an earlier search until they are written
}

// line holds the scores of a passage: by words (BM25F); by pieces of words, the share of its text and its headings
// that resembles words of the question; and the share of the question that it contains (held).
type line struct{ words, pieces, held float32 }

var accumulatorPool sync.Pool

// newAccumulator returns an accumulator for the views of s.
func (s *snapshot) newAccumulator() *accumulator {
	x, kept := accumulatorPool.Get().(*accumulator)
	if !kept {
		x = new(accumulator)
	}
	lines, words := 0, 0
	for _, v := range s.views {
		lines += len(v.Segment.Passages)
		words += wordsFor(len(v.Segment.Passages))
	}
	x.lines, x.meanings, x.distances = resized(x.lines, lines), resized(x.meanings, lines), resized(x.distances, lines)
	x.sets = resized(x.sets, words)
	x.perView = x.perView[:0]
	pos, set := 0, 0
	for _, v := range s.views {
		n, w := len(v.Segment.Passages), wordsFor(len(v.Segment.Passages))
		x.perView = append(x.perView, viewScores{x.lines[pos : pos+n], x.sets[set : set+w], x.distances[pos : pos+n], x.meanings[pos : pos+n]})
		pos, set = pos+n, set+w
	}
	return x
}

func wordsFor(bits int) int { return (bits + 63) / 64 }

// resized returns a slice of n values that reuses kept if it is large enough.
func resized[T any](kept []T, n int) []T {
	if cap(kept) < n {
		return make([]T, n)
	}
	return kept[:n]
}

// release clears the scores and returns the accumulator to the pool.
func (x *accumulator) release() {
	for i := range x.perView {
		g := &x.perView[i]
		for p := range members(g.found) {
			g.lines[p] = line{}
		}
		clear(g.found)
	}
	x.clauses, x.plans, x.admitted = x.clauses[:0], x.plans[:0], x.admitted[:0]
	accumulatorPool.Put(x)
}

func setBit(set []uint64, p uint32) { set[p>>6] |= 1 << (p & 63) }

func hasBit(set []uint64, p uint32) bool { return set[p>>6]&(1<<(p&63)) != 0 }

func clearBit(set []uint64, p uint32) { set[p>>6] &^= 1 << (p & 63) }

// members yields the members of a set in ascending order. Members that are added or removed during the iteration, in
// the current word or later ones, may or may not be yielded.
func members(set []uint64) func(yield func(uint32) bool) {
	return func(yield func(uint32) bool) {
		for i, word := range set {
			for ; word != 0; word &= word - 1 {
				if !yield(uint32(i<<6 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// setNorms sets the BM25 norm of each length of a passage.
func (x *searcher) setNorms(longest int, average float64) {
	x.normOf = slices.Grow(x.normOf[:0], longest+1)
	for length := range longest + 1 {
		x.normOf = append(x.normOf, x.norm(length, average))
	}
}

// queryTerm is one term of a question.
type queryTerm struct {
	name        string
	weight      float64
	maxVariants int // maximum number of similar words that it is compared with, by pieces; 0 for none
}

// queryTerms returns the terms of a question with their weights: its own words, the words of the law for them, and
// those of earlier turns, each once. The words of the law for one phrase together have the weight t.legal of each
// of its own words, so a phrase with three of them weighs no more than its neighbors.
func queryTerms(q Query, lexicon *french.Lexicon, t tuning) []queryTerm {
	var out []queryTerm
	seen := make(map[string]bool)
	addTerm := func(name string, kin int, weight float64) {
		if !seen[name] {
			seen[name] = true
			out = append(out, queryTerm{name, weight, kin})
		}
	}
	kinOf := func(x french.Token) int {
		if x.Kind != french.Word {
			return 0
		}
		return t.maxVariants
	}
	var terms []string
	for _, x := range french.Analyze(q.Text) {
		if !x.Stop {
			terms = append(terms, x.Term)
			addTerm(x.Term, kinOf(x), 1)
		}
	}
	for _, m := range lexicon.Matches(terms) {
		legal := slices.Concat(m.Legal...)
		for _, x := range legal {
			addTerm(x, t.maxLegalVariants, t.legal*float64(m.End-m.Start)/float64(len(legal)))
		}
	}
	for _, x := range french.Analyze(q.Earlier) {
		if !x.Stop {
			addTerm(x.Term, kinOf(x), t.earlier)
		}
	}
	return out
}

// variant is a word of the index that resembles one of the question.
type variant struct {
	name string
	like float64 // similarity; 1 for the word itself
}

// variants returns the words of the index that share enough pieces with a term, including the term itself, the most
// similar first, at most w.maxVariants.
func (s *snapshot) variants(w queryTerm, t tuning) []variant {
	switch {
	case s.whole != nil:
		return s.whole.variants(w, t)
	case w.maxVariants == 0:
		return nil
	}
	return s.variantCache.get(variantKey{w.name, w.maxVariants}, func() []variant { return s.findVariants(w, t) })
}

// variantCache caches the variants of query words for one snapshot, because most questions use the same few words.
type variantCache struct {
	mu    sync.Mutex
	known map[variantKey][]variant
}

const maxCachedWords = 4096

// get returns the variants of a word, and calls find if they are not cached. Callers must not change the result.
func (k *variantCache) get(w variantKey, find func() []variant) []variant {
	k.mu.Lock()
	found, known := k.known[w]
	k.mu.Unlock()
	if known {
		return found
	}
	found = find()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil || len(k.known) == maxCachedWords {
		k.known = make(map[variantKey][]variant)
	}
	k.known[w] = found
	return found
}

// findVariants computes the result of variants.
func (s *snapshot) findVariants(w queryTerm, t tuning) []variant {
	grams := french.Grams(nil, w.name)
	var found []variant
	seen := make(map[string]bool)
	for _, v := range s.views {
		for id, shared := range v.TermsSharing(grams) {
			passages, pieces := v.Frequency(id)
			like := french.Likeness(shared, len(grams), int(pieces))
			if like < t.likeness || passages <= v.DeletedCounts[id] {
				continue
			}
			if name := v.Term(id).Name; !seen[name] {
				seen[name] = true
				found = append(found, variant{name, like})
			}
		}
	}
	slices.SortFunc(found, func(a, b variant) int {
		return cmp.Or(cmp.Compare(b.like, a.like), cmp.Compare(a.name, b.name))
	})
	return slices.Clone(found[:min(len(found), w.maxVariants)])
}
