package memindex

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"maps"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/google/uuid"

	"vigueur/internal/kit/parallel"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/postings"
	"vigueur/internal/store/postgres"
)

// place is a passage that may come into the pool. Places are compared instead of hits, because there may be one for
// each passage.
type place struct {
	score         float64
	view, passage uint32
}

// The minimum size of each half of the pool: the best passages by words, and the best by meaning (by line.held, if
// meaning does not count). If the query has a greater limit, both halves have that size.
const (
	poolWords = 200
	poolNear  = 100
)

// bestHits fills the pool with the best passages by words, for which each channel is divided by its greatest score
// among the admitted passages, and with the nearest in meaning. It returns the hits in the order of the model, up to
// the query's limit.
func (x *searcher) bestHits(c *scorers, meant bool) []Hit {
	if x.query.Limit == 0 {
		return []Hit{}
	}
	m := mix{searcher: x, meant: meant, asked: x.query.Countries}
	if meant {
		c.eachWindow((*scorer).weigh)
	}
	for _, h := range c.all {
		m.most.raise(&h.most)
		h.first.reset(max(poolWords, x.query.Limit), x.byScore)
		h.more.reset(max(poolNear, x.query.Limit), x.byScore)
	}
	m.factors, m.bound = x.snapshot.countryFactors(m.asked, x.tuning), m.bounds()
	c.eachWindow(func(h *scorer, w window) { m.rank(h, w) })
	first, more := c.rankings()
	return x.hits(x.pool(first.list(), more.list(), meant), &rankingInput{
		query: x.query, meant: meant, asked: m.asked, most: m.most, fullMatch: x.fullMatch(), model: x.model})
}

// rankings merges the rankings of all scorers.
func (c *scorers) rankings() (first, more *ranking) {
	first, more = &c.all[0].first, &c.all[0].more
	for _, h := range c.all[1:] {
		for _, p := range h.first.places {
			first.offer(p)
		}
		for _, p := range h.more.places {
			more.offer(p)
		}
	}
	return first, more
}

// mix combines the channels of one search into the two orders by which passages enter the pool.
type mix struct {
	*searcher
	meant   bool
	asked   []country.Code
	most    line        // greatest score of each channel
	factors [][]float64 // by view and text; nil means 1
	bound   bound
}

// raise sets each channel to the greater value. It does not use max, which takes longer because it handles NaN, and is
// called for every passage found.
func (l *line) raise(o *line) {
	if o.words > l.words {
		l.words = o.words
	}
	if o.pieces > l.pieces {
		l.pieces = o.pieces
	}
	if o.held > l.held {
		l.held = o.held
	}
}

// rank offers the passages of a window to the rankings of a scorer, except those that an upper bound of their score
// excludes from both.
func (m *mix) rank(h *scorer, w window) {
	g, first, more := &m.perView[w.view], &h.first, &h.more
	for k := w.from / 64; k < (w.to+63)/64; k++ {
		for word := g.found[k]; word != 0; word &= word - 1 {
			p := k*64 + uint32(bits.TrailingZeros64(word))
			factor := 1.0
			if m.factors != nil {
				factor = m.factors[w.view][m.views[w.view].Segment.Passages[p].Doc]
			}
			l := &g.lines[p]
			other := m.secondScore(g, p, factor)
			if first.full() && more.full() && factor*m.bound.scoreOf(l) < first.places[0].score && other < more.places[0].score {
				continue
			}
			first.offer(place{view: uint32(w.view), passage: p, score: factor * m.score(l)})
			more.offer(place{view: uint32(w.view), passage: p, score: other})
		}
	}
}

// secondScore returns the second score by which a passage may enter the pool, besides its score by words: its
// cosine, scaled to 0..1, or line.held if meaning does not count.
func (m *mix) secondScore(g *viewScores, p uint32, factor float64) float64 {
	if m.meant {
		return factor * (1 + float64(g.meaning[p])) / 2
	}
	return factor * float64(g.lines[p].held)
}

// bound computes, without a division, an upper bound slightly above a passage's score by words.
type bound struct{ words, pieces float64 }

func (m *mix) bounds() bound {
	const hair = 1 + 1e-6
	per := func(weight float64, most float32) float64 {
		if most == 0 {
			return 0
		}
		return hair * weight / float64(most)
	}
	return bound{per(1-m.pieces, m.most.words), per(m.pieces, m.most.pieces)}
}

func (b *bound) scoreOf(l *line) float64 {
	return b.words*float64(l.words) + b.pieces*float64(l.pieces)
}

func (m *mix) score(l *line) float64 { return m.tuning.byWords(l, &m.most) }

// byWords returns the score of a passage by words and pieces of words, from 0 to 1.
func (t *tuning) byWords(l, most *line) float64 {
	return (1-t.pieces)*share(l.words, most.words) + t.pieces*share(l.pieces, most.pieces)
}

// countryFactors returns the factor of each text of each view; nil means 1.
func (s *snapshot) countryFactors(asked []country.Code, t tuning) [][]float64 {
	if len(asked) == 0 {
		return nil
	}
	out := make([][]float64, len(s.views))
	for i, v := range s.views {
		out[i] = make([]float64, v.DocCount())
		for d := range out[i] {
			out[i][d] = t.countryFactor(asked, v.ClassOf(uint32(d)).Countries)
		}
	}
	return out
}

func (s *snapshot) byScore(a, b place) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	return s.byID(a, b)
}

func (s *snapshot) byID(a, b place) int {
	x, y := s.views[a.view].Segment.IDOf(a.passage), s.views[b.view].Segment.IDOf(b.passage)
	return bytes.Compare(x[:], y[:])
}

// hasLawOf reports whether a text is the law of one of the countries themselves, not only of a union.
func (s *snapshot) hasLawOf(asked []country.Code) bool {
	if s.whole != nil {
		return s.whole.hasLawOf(asked)
	}
	if len(asked) == 0 {
		return false
	}
	for _, v := range s.views {
		if v.HasLawOf(asked) {
			return true
		}
	}
	return false
}

// countryFactor returns the factor by which a score is multiplied if a question names countries and the text is the
// law of others, or of none that is known.
func (t tuning) countryFactor(asked, codes []country.Code) float64 {
	switch {
	case len(asked) == 0 || len(codes) > 0 && country.Fits(asked, codes):
		return 1
	case len(codes) == 0:
		return t.unknownCountry
	}
	return t.foreignCountry
}

func share(score, most float32) float64 {
	if most == 0 {
		return 0
	}
	return float64(score) / float64(most)
}

func (v view) hit(p uint32, score float64) Hit {
	identity, d := v.Segment.Identity(p), v.Segment.Passages[p].Doc
	amended, anew := v.NewWording(identity.Article)
	return Hit{PassageID: identity.ID, ArticleID: identity.Article, DocumentID: v.DocID(d), Score: score, Countries: v.ClassOf(d).Countries,
		Guessed: v.ClassOf(d).Guessed, NewWording: anew, Amended: amended}
}

// allowed reports for each text whether q admits it.
func (v view) allowed(q Query) []bool {
	out := make([]bool, v.DocCount())
	for d := range out {
		out[d] = v.admits(uint32(d), &q)
	}
	return out
}

// admits reports whether q admits text d.
func (v view) admits(d uint32, q *Query) bool {
	f, class := &q.Filters, v.ClassOf(d)
	return !v.Deleted[d] &&
		f.Admit(v.DocID(d), class.Domain, class.Kind, class.Status) &&
		(f.Country == "" || country.Fits(q.Countries, class.Countries)) &&
		(q.Repealed || f.Status != "" || class.Status != law.Repealed)
}

// admit computes which texts and days the query admits.
func (x *searcher) admit() {
	for _, v := range x.views {
		x.admitted = append(x.admitted, v.allowed(x.query))
	}
	x.on = x.query.days()
}

// days returns the day that q asks about, as a range.
func (q *Query) days() postings.Days {
	if q.Day.IsZero() {
		return postings.Days{Earliest: math.MinInt32, Latest: math.MaxInt32}
	}
	day := postings.Day(q.Day)
	return postings.Days{Earliest: day, Latest: day}
}

// scorers are the states of the goroutines of one search: one, and more if cores are free. The hits do not depend on
// their number.
type scorers struct {
	all     []*scorer
	windows []window
}

// searching is the number of scorers that are running in this process.
var searching atomic.Int64

// acquireScorers returns the scorers of a search. release returns them to the pool.
func (x *searcher) acquireScorers() *scorers {
	c := &scorers{windows: x.windows()}
	free := runtime.GOMAXPROCS(0) - int(searching.Load())
	for range max(x.tuning.minScorers, min(free, len(c.windows))) {
		h, kept := scorerPool.Get().(*scorer)
		if !kept {
			h = new(scorer)
		}
		h.begin(x)
		c.all = append(c.all, h)
	}
	searching.Add(int64(len(c.all)))
	return c
}

func (h *scorer) begin(x *searcher) {
	h.searcher, h.view, h.most, h.lacks = x, -1, line{}, false
	if x.comparison != nil {
		h.histogram = resized(h.histogram, len(x.cosines))
		clear(h.histogram)
	}
}

// release returns the scorers to the pool, except after a panic, when their state is unknown.
func (c *scorers) release(panicked bool) {
	searching.Add(-int64(len(c.all)))
	for _, h := range c.all {
		h.searcher = nil
		if !panicked {
			scorerPool.Put(h)
		}
	}
}

// windows divides the passages of all views into windows, in order.
func (x *searcher) windows() (all []window) {
	for i, v := range x.views {
		n := uint32(len(v.Segment.Passages))
		for start := uint32(0); start < n; start += x.window {
			all = append(all, window{i, start, min(n, start+x.window)})
		}
	}
	return all
}

// runTasks runs the tasks on all scorers at once. Each scorer gets its tasks in ascending order.
func (c *scorers) runTasks(tasks int, do func(h *scorer, task int)) {
	parallel.Workers(len(c.all), tasks, func(worker, task int) { do(c.all[worker], task) })
}

// eachWindow runs a task for each window.
func (c *scorers) eachWindow(do func(*scorer, window)) {
	c.runTasks(len(c.windows), func(h *scorer, i int) { do(h, c.windows[i]) })
}

// ranking keeps the first n, in the given order, of the places that it is offered. It is a heap whose root is the
// last of them, so most places need a single comparison.
type ranking struct {
	n      int
	order  func(a, b place) int
	places []place
}

// reset makes the ranking empty.
func (r *ranking) reset(n int, order func(a, b place) int) {
	r.n, r.order, r.places = n, order, r.places[:0]
}

// full reports whether the ranking may reject an offer.
func (r *ranking) full() bool { return len(r.places) == r.n && r.n > 0 }

func (r *ranking) offer(p place) {
	switch {
	case len(r.places) < r.n:
		r.places = append(r.places, p)
		if len(r.places) == r.n {
			for i := r.n/2 - 1; i >= 0; i-- {
				sink(r.places, i, r.order)
			}
		}
	case r.n > 0 && r.order(p, r.places[0]) < 0:
		r.places[0] = p
		sink(r.places, 0, r.order)
	}
}

// list returns the places in order. Nothing can be offered afterwards.
func (r *ranking) list() []place {
	slices.SortFunc(r.places, r.order)
	return r.places
}

// sink moves the place at i down until no child comes after it.
func sink(heap []place, i int, order func(a, b place) int) {
	for {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && order(heap[child+1], heap[child]) > 0 {
			child++
		}
		if order(heap[child], heap[i]) <= 0 {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}

// Sparse is a vector with few non-zero coordinates: one for each term, in ascending order.
type Sparse struct {
	Terms  []uint32
	Values []float32
}

// coordinate returns the coordinate of a term in every sparse vector. Two terms may have the same coordinate; about
// ten of 200,000 terms do.
func coordinate(term string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(term)) // never fails
	return h.Sum32()&math.MaxInt32 + 1
}

func sparse(values map[uint32]float64) Sparse {
	s := Sparse{Terms: slices.Sorted(maps.Keys(values)), Values: make([]float32, 0, len(values))}
	for _, t := range s.Terms {
		s.Values = append(s.Values, float32(values[t]))
	}
	return s
}

// Weighed is a passage for a store of vectors: a sparse vector whose product with the vector of a query approximates
// the score by words, and the counts from which Among computes the exact score.
type Weighed struct {
	PassageID uuid.UUID
	Words     Sparse
	Counts    string         // in a printable encoding
	Countries []country.Code // whose law it is, as far as known
}

// Weigh returns the passages of rows, which must be ordered by text, for a catalogue whose passages have the given
// average length. The average only influences which passages are found, so it need not be up to date.
func Weigh(rows []postgres.IndexRow, average float64) []Weighed {
	b := postings.NewBuilder()
	for _, r := range rows {
		b.Add(r)
	}
	seg, t := b.Segment(), defaultTuning()
	held := make([]map[uint32]postings.Count, len(seg.Passages))
	for i := range held {
		held[i] = make(map[uint32]postings.Count)
	}
	for id := range seg.TermCount() {
		pos := coordinate(seg.Term(id).Name)
		for p, c := range seg.Postings(id) {
			old := held[p][pos]
			held[p][pos] = postings.Count{Body: old.Body + c.Body, Heads: old.Heads + c.Heads}
		}
	}
	out := make([]Weighed, len(seg.Passages))
	for i := range seg.Passages {
		values := make(map[uint32]float64, len(held[i]))
		for pos, c := range held[i] {
			tf := c.Total()
			values[pos] = tf * (t.k1 + 1) / (tf + t.k1*(1-t.b+t.b*float64(seg.Lengths[i])/average))
		}
		out[i] = Weighed{PassageID: *seg.IDOf(uint32(i)), Words: sparse(values), Counts: packCounts(held[i]),
			Countries: seg.ClassOf(seg.Passages[i].Doc).Countries}
	}
	return out
}

// packCounts encodes counts as text, with differences of coordinates.
func packCounts(held map[uint32]postings.Count) string {
	raw := make([]byte, 0, 6*len(held))
	last := uint32(0)
	for _, pos := range slices.Sorted(maps.Keys(held)) {
		raw = binary.AppendUvarint(raw, uint64(pos-last))
		raw = binary.AppendUvarint(raw, held[pos].Pack())
		last = pos
	}
	return base64.RawStdEncoding.EncodeToString(raw)
}

// eachCount decodes what packCounts encoded. It returns false for anything else.
func eachCount(packed string, yield func(pos uint32, c postings.Count)) bool {
	raw, err := base64.RawStdEncoding.DecodeString(packed)
	if err != nil {
		return false
	}
	offset := uint64(0)
	for len(raw) > 0 {
		gap, n := binary.Uvarint(raw)
		if n <= 0 || gap == 0 || gap > math.MaxInt32 {
			return false
		}
		packed, m := binary.Uvarint(raw[n:])
		if m <= 0 || packed > math.MaxUint32 {
			return false
		}
		raw = raw[n+m:]
		if offset += gap; offset > math.MaxInt32+1 {
			return false
		}
		yield(uint32(offset), postings.Unpack(packed))
	}
	return true
}

// SparseQuery returns the vector of a question. Its product with a passage's vector approximates the passage's score
// by words and by similar words.
func (x *Index) SparseQuery(q Query) Sparse {
	s, t := x.now.Load(), defaultTuning()
	values := make(map[uint32]float64)
	for _, w := range queryTerms(q, x.options.Lexicon, t) {
		if n := s.holders(w.name); n > 0 {
			values[coordinate(w.name)] += (1 - t.pieces) * s.idf(float64(n)) * w.weight
		}
		s.addVariants(values, w, t)
	}
	return sparse(values)
}

func (s *snapshot) addVariants(values map[uint32]float64, w queryTerm, t tuning) {
	kindred := s.variants(w, t)
	holders := 0.0
	for _, k := range kindred {
		holders += math.Pow(k.like, t.power) * float64(s.holders(k.name))
	}
	idf := s.idf(math.Min(holders, float64(s.passages)))
	for _, k := range kindred {
		values[coordinate(k.name)] += t.pieces * idf * w.weight * math.Pow(k.like, t.power)
	}
}

// Candidate is a passage that another store found.
type Candidate struct {
	PassageID  uuid.UUID
	DocumentID uuid.UUID
	Counts     string  // Weighed.Counts
	Cosine     float32 // cosine of the query and the passage's nearest vector; -1 if the passage has no vector
}

// Among searches the candidates with the filters, scores and order that Search uses for all passages. It ignores
// candidates that the index does not know. If meant is set, their cosines count. Each channel is normalized by its
// best score among the candidates, so the candidates must include the best passage of each channel.
func (x *Index) Among(q Query, candidates []Candidate, meant bool) []Hit {
	s, t := x.now.Load().snapshot, x.tuning()
	wanted := queryTerms(q, x.options.Lexicon, t)
	seg, cosines := s.segmentOf(candidates, s.termNames(wanted, t))
	part := &snapshot{whole: s, views: []view{newView(postings.View{Segment: seg})}, passages: s.passages, length: s.length, longest: seg.Longest, version: s.version}
	near := searcher{query: q}
	if meant {
		near.givenCosines = cosines
	}
	hits := part.searchNear(wanted, t, near)
	return hits
}

// useGivenCosines sets the cosines of the candidates. All that are admitted are selected.
func (x *searcher) useGivenCosines() {
	if len(x.perView) == 0 {
		return
	}
	g, passages := &x.perView[0], x.views[0].Segment.Passages
	for p, c := range x.givenCosines {
		if passage := &passages[p]; x.admitted[0][passage.Doc] && passage.InForce(x.on) {
			g.meaning[p] = c
			setBit(g.found, uint32(p))
		}
	}
}

// termNames returns the terms that a search considers, by their coordinates.
func (s *snapshot) termNames(wanted []queryTerm, t tuning) map[uint32][]string {
	seen, out := make(map[string]bool), make(map[uint32][]string)
	addName := func(name string) {
		if !seen[name] {
			seen[name] = true
			pos := coordinate(name)
			out[pos] = append(out[pos], name)
		}
	}
	for _, w := range wanted {
		if s.holders(w.name) > 0 {
			addName(w.name)
		}
		for _, k := range s.variants(w, t) {
			addName(k.name)
		}
	}
	return out
}

// segmentOf makes a segment of the candidates that the snapshot knows, with the given terms. It returns their cosines
// in the order of the segment's passages.
func (s *snapshot) segmentOf(candidates []Candidate, names map[uint32][]string) (segment *postings.Segment, cosines []float32) {
	candidates = slices.Clone(candidates)
	slices.SortFunc(candidates, func(a, b Candidate) int {
		return cmp.Or(slices.Compare(a.DocumentID[:], b.DocumentID[:]), slices.Compare(a.PassageID[:], b.PassageID[:]))
	})
	candidates = slices.CompactFunc(candidates, func(a, b Candidate) bool { return a.PassageID == b.PassageID })
	b := postings.NewBuilder()
	for _, c := range candidates {
		v, nth, ok := s.locate(c)
		if !ok {
			continue
		}
		pos := b.Carry(v.View, nth)
		cosines = append(cosines, c.Cosine)
		eachCount(c.Counts, func(coordinate uint32, n postings.Count) {
			for _, name := range names[coordinate] {
				b.AddTerm(name, pos, n)
			}
		})
	}
	return b.Carried(), cosines
}

// locate returns the view and the index of a candidate.
func (s *snapshot) locate(c Candidate) (v view, passage uint32, ok bool) {
	for _, v := range s.views {
		d, ok := v.DocOf(c.DocumentID)
		if !ok || v.Deleted[d] {
			continue
		}
		for p, end := v.Extent(d); p < end; p++ {
			if *v.Segment.IDOf(p) == c.PassageID {
				return v, p, true
			}
		}
	}
	return view{}, 0, false
}
