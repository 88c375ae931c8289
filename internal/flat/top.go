package flat

import (
	"bytes"
	"cmp"
	"math"
	"math/bits"
	"slices"

	"vigueur/internal/country"
	"vigueur/internal/law"
)

// place is a passage that may be a hit. Places are compared instead of hits
// because a search may have as many as there are passages.
type place struct {
	score, held   float64
	view, passage uint32
}

// best mixes the channels, each brought to 0..1 by its greatest score among the
// passages that the query admits and, where it counts, the meaning, and gives the
// query's limit of the greatest, a part of them by what they hold.
func (x *searcher) best(c *crew, meant bool) []Hit {
	m := mix{searcher: x, meant: meant, asked: x.query.Countries, span: emptySpan}
	if meant {
		c.eachWindow((*hand).weigh)
	}
	limit := x.query.Limit
	for _, h := range c.hands {
		m.most.take(&h.most)
		m.span = m.span.join(h.meant)
		h.first.reset(poolTimes*limit, x.byScore)
		h.more.reset(limit, x.byHeld)
	}
	m.factors, m.bound = x.snapshot.whose(m.asked, x.tuning), m.bounds()
	c.eachWindow(func(h *hand, w window) { m.rank(h, w) })
	first, more := c.rankings()
	chosen := x.choose(first.list(), more.list(), limit)
	local := x.hasLawOf(m.asked)
	hits := make([]Hit, 0, len(chosen))
	for _, at := range chosen {
		hit := x.views[at.view].hit(at.passage, at.score)
		hit.Local, hit.Meant = local, meant
		hits = append(hits, hit)
	}
	return hits
}

// rankings are those of all hands together.
func (c *crew) rankings() (first, more *ranking) {
	first, more = &c.hands[0].first, &c.hands[0].more
	for _, h := range c.hands[1:] {
		for _, p := range h.first.places {
			first.offer(p)
		}
		for _, p := range h.more.places {
			more.offer(p)
		}
	}
	return first, more
}

// holdersShare is the part of the hits that is kept for passages which hold most
// of the question's words, though others hold some of them more often: « congé »
// in every heading of a chapter outweighs the one « congé de maternité ».
const holdersShare = 4

// mix is how the channels of one search make one score.
type mix struct {
	*searcher
	meant   bool
	asked   []country.Code
	most    line        // of each channel
	span    span        // of the meaning
	factors [][]float64 // of the texts of each view; nil: 1
	bound   bound
}

// take takes the greater of each channel. The comparisons are spelled out: they are
// made for every passage found, and max, which minds what is no number, takes
// longer.
func (l *line) take(o *line) {
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

// span is from the least to the most.
type span struct{ least, most float32 }

var emptySpan = span{1, -1}

func (s *span) take(x float32) {
	if x < s.least {
		s.least = x
	}
	if x > s.most {
		s.most = x
	}
}

func (s span) join(o span) span { return span{min(s.least, o.least), max(s.most, o.most)} }
func (s span) width() float32   { return s.most - s.least }

// rank offers the passages of a window to the rankings of a hand, but those that
// a bound on their score keeps out of both.
func (m *mix) rank(h *hand, w window) {
	g, first, more := &m.pages[w.view], &h.first, &h.more
	for k := w.from / 64; k < (w.to+63)/64; k++ {
		for word := g.found[k]; word != 0; word &= word - 1 {
			p := k*64 + uint32(bits.TrailingZeros64(word))
			factor := 1.0
			if m.factors != nil {
				factor = m.factors[w.view][m.views[w.view].segment.passages[p].doc]
			}
			l := &g.lines[p]
			if score, held := m.bound.of(l, g, p); first.full() && more.full() &&
				factor*score < first.places[0].score && factor*held < more.places[0].held {
				continue
			}
			at := place{view: uint32(w.view), passage: p, score: factor * m.score(g, p), held: factor * share(l.held, m.most.held)}
			first.offer(at)
			more.offer(at)
		}
	}
}

// bound gives more than the scores of a passage, by a hair, without a division.
type bound struct {
	words, pieces, held, meaning float64
	least                        float32
}

func (m *mix) bounds() bound {
	const hair = 1 + 1e-6
	per := func(weight float64, most float32) float64 {
		if most == 0 {
			return 0
		}
		return hair * weight / float64(most)
	}
	t, words := &m.tuning, hair
	b := bound{held: per(1, m.most.held)}
	if m.meant && m.span.width() > 0 {
		words *= 1 - t.meaning
		b.meaning, b.least = per(t.meaning, m.span.width()), m.span.least
	}
	b.words, b.pieces = per(words*(1-t.pieces), m.most.words), per(words*t.pieces, m.most.pieces)
	return b
}

func (b *bound) of(l *line, g *page, p uint32) (score, held float64) {
	score = b.words*float64(l.words) + b.pieces*float64(l.pieces)
	if b.meaning > 0 {
		score += b.meaning * float64(g.meaning[p]-b.least)
	}
	return score, b.held * float64(l.held)
}

func (m *mix) score(g *page, p uint32) float64 {
	l, t := &g.lines[p], &m.tuning
	score := (1-t.pieces)*share(l.words, m.most.words) + t.pieces*share(l.pieces, m.most.pieces)
	if m.meant && m.span.width() > 0 {
		score = (1-t.meaning)*score + t.meaning*share(g.meaning[p]-m.span.least, m.span.width())
	}
	return score
}

// whose gives the factor of each text of each view; nil: 1.
func (s *snapshot) whose(asked []country.Code, t tuning) [][]float64 {
	if len(asked) == 0 {
		return nil
	}
	out := make([][]float64, len(s.views))
	for i, v := range s.views {
		out[i] = make([]float64, len(v.docs))
		for d := range v.docs {
			out[i][d] = t.whose(asked, v.docs[d].countries)
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

func (s *snapshot) byHeld(a, b place) int {
	if a.held != b.held {
		return cmp.Compare(b.held, a.held)
	}
	return s.byScore(a, b)
}

func (s *snapshot) byID(a, b place) int {
	x, y := &s.views[a.view].segment.names[a.passage].id, &s.views[b.view].segment.names[b.passage].id
	return bytes.Compare(x[:], y[:])
}

// hasLawOf tells whether a text is the law of one of the countries themselves,
// not of a union only.
func (s *snapshot) hasLawOf(asked []country.Code) bool {
	if s.world != nil {
		return s.world.hasLawOf(asked)
	}
	if len(asked) == 0 {
		return false
	}
	for _, v := range s.views {
		for i := range v.docs {
			if !v.gone[uint32(i)] && slices.ContainsFunc(v.docs[i].countries, func(c country.Code) bool { return slices.Contains(asked, c) }) {
				return true
			}
		}
	}
	return false
}

// whose is what is left of a score when a question names countries and the text
// is the law of others, or of none that is known.
func (t tuning) whose(asked, of []country.Code) float64 {
	switch {
	case len(asked) == 0 || len(of) > 0 && country.Fits(asked, of):
		return 1
	case len(of) == 0:
		return t.nobodys
	}
	return t.foreign
}

func share(score, most float32) float64 {
	if most == 0 {
		return 0
	}
	return float64(score) / float64(most)
}

func (v view) hit(p uint32, score float64) Hit {
	of, doc := &v.segment.names[p], &v.docs[v.segment.passages[p].doc]
	amended, anew := v.segment.amended[of.article]
	return Hit{PassageID: of.id, ArticleID: of.article, DocumentID: doc.id, Score: score, Countries: doc.countries,
		Anew: anew, Amended: amended}
}

// allowed tells of each text whether q admits it.
func (v view) allowed(q Query) []bool {
	out := make([]bool, len(v.docs))
	f := q.Filters
	for i := range v.docs {
		d := &v.docs[i]
		out[i] = !v.gone[uint32(i)] &&
			(f.Domain == "" || f.Domain == d.domain) &&
			(f.Type == "" || f.Type == d.kind) &&
			(f.Status == "" || f.Status == d.status) &&
			(f.DocumentID == nil || *f.DocumentID == d.id) &&
			(q.Repealed || f.Status != "" || d.status != law.Repealed)
	}
	return out
}

// admit notes what the query admits.
func (x *searcher) admit() {
	for _, v := range x.views {
		x.admitted = append(x.admitted, v.allowed(x.query))
	}
	x.on = x.query.when()
}

// when is a day, or any.
type when struct{ earliest, latest int32 }

// when is the day that q asks about.
func (q *Query) when() when {
	if q.Day.IsZero() {
		return when{math.MinInt32, math.MaxInt32}
	}
	return when{day(q.Day), day(q.Day)}
}

// lawOn tells whether the passage is law then.
func (p *passage) lawOn(w when) bool { return p.from <= w.latest && w.earliest < p.to }
