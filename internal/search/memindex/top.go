package memindex

import (
	"bytes"
	"cmp"
	"math"
	"math/bits"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/postings"
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
func (t tuning) countryFactor(asked, of []country.Code) float64 {
	switch {
	case len(asked) == 0 || len(of) > 0 && country.Fits(asked, of):
		return 1
	case len(of) == 0:
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
	of, d := v.Segment.Identity(p), v.Segment.Passages[p].Doc
	amended, anew := v.NewWording(of.Article)
	return Hit{PassageID: of.ID, ArticleID: of.Article, DocumentID: v.DocID(d), Score: score, Countries: v.ClassOf(d).Countries,
		NewWording: anew, Amended: amended}
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
	f, of := &q.Filters, v.ClassOf(d)
	return !v.Deleted[d] &&
		f.Admit(v.DocID(d), of.Domain, of.Kind, of.Status) &&
		(f.Country == "" || country.Fits(q.Countries, of.Countries)) &&
		(q.Repealed || f.Status != "" || of.Status != law.Repealed)
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
