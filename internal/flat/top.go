package flat

import (
	"bytes"
	"cmp"
	"slices"

	"vigueur/internal/country"
	"vigueur/internal/french"
	"vigueur/internal/law"
)

// place is a passage that may be a hit. Places are compared instead of hits
// because a search may have as many as there are passages.
type place struct {
	score, held   float64
	view, passage uint32
}

// best mixes the channels, each brought to 0..1 by its greatest score among the
// passages that q allows and, where it counts, the meaning, and gives the q.Limit
// greatest, a part of them by what they hold.
func (x *searcher) best(q Query, meant bool) []Hit {
	m := mix{searcher: x, meant: meant, asked: named(q)}
	m.count(q)
	first := ranking{n: q.Limit - q.Limit/holdersShare, order: x.byScore}
	more := ranking{n: q.Limit, order: x.byHeld}
	m.rank(&first, &more)
	chosen := first.list()
	for _, p := range more.list() {
		if len(chosen) < q.Limit && !slices.Contains(first.places, p) {
			chosen = append(chosen, p)
		}
	}
	slices.SortFunc(chosen[len(first.places):], x.byScore)
	local := x.hasLawOf(m.asked)
	hits := make([]Hit, 0, len(chosen))
	for _, at := range chosen {
		hit := x.views[at.view].hit(at.passage, at.score)
		hit.Local, hit.Meant = local, meant
		hits = append(hits, hit)
	}
	return hits
}

// holdersShare is the part of the hits that is kept for passages which hold most
// of the question's words, though others hold some of them more often: « congé »
// in every heading of a chapter outweighs the one « congé de maternité ».
const holdersShare = 4

// mix is how the channels of one search make one score.
type mix struct {
	*searcher
	meant       bool
	asked       []country.Code
	most        line    // of each channel
	least, span float32 // of the meaning
}

// count takes the greatest of each channel among the passages that q allows; the
// others are found no longer.
func (m *mix) count(q Query) {
	least, most := float32(1), float32(-1) // in meaning
	for i, v := range m.views {
		docs, g := v.allowed(q), &m.pages[i]
		for p := range each(g.found) {
			if of := &v.segment.passages[p]; !docs[of.doc] || !of.lawOn(q) {
				g.lines[p] = line{}
				unmark(g.found, p)
				continue
			}
			l := &g.lines[p]
			m.most = line{max(m.most.words, l.words), max(m.most.pieces, l.pieces), max(m.most.held, l.held)}
			if m.meant {
				least, most = min(least, g.meaning[p]), max(most, g.meaning[p])
			}
		}
	}
	m.least, m.span = least, most-least
}

// rank offers each passage to both rankings, but those that a bound on their
// score keeps out of both.
func (m *mix) rank(first, more *ranking) {
	whose := m.snapshot.whose(m.asked, m.tuning)
	bound := m.bound()
	for i, v := range m.views {
		g := &m.pages[i]
		for p := range each(g.found) {
			factor := 1.0
			if whose != nil {
				factor = whose[i][v.segment.passages[p].doc]
			}
			l := &g.lines[p]
			if score, held := bound.of(l, g, p); first.full() && more.full() &&
				factor*score < first.places[0].score && factor*held < more.places[0].held {
				continue
			}
			at := place{view: uint32(i), passage: p, score: factor * m.score(g, p), held: factor * share(l.held, m.most.held)}
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

func (m *mix) bound() bound {
	const hair = 1 + 1e-6
	per := func(weight float64, most float32) float64 {
		if most == 0 {
			return 0
		}
		return hair * weight / float64(most)
	}
	t, words := &m.tuning, hair
	b := bound{held: per(1, m.most.held)}
	if m.meant && m.span > 0 {
		words *= 1 - t.meaning
		b.meaning, b.least = per(t.meaning, m.span), m.least
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
	if m.meant && m.span > 0 {
		score = (1-t.meaning)*score + t.meaning*share(g.meaning[p]-m.least, m.span)
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

// named are the countries that a question names, else those of the turns before
// it.
func named(q Query) (codes []country.Code) {
	for _, text := range []string{q.Text, q.Earlier} {
		for _, m := range country.Mentions(french.Terms(text)) {
			codes = append(codes, m.Codes...)
		}
		if codes != nil {
			break
		}
	}
	return codes
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
	return Hit{PassageID: of.id, ArticleID: of.article, DocumentID: doc.id, Score: score, Countries: doc.countries}
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

// lawOn tells whether the passage is law on the day asked about.
func (p passage) lawOn(q Query) bool {
	if q.Day.IsZero() {
		return true
	}
	d := day(q.Day)
	return p.from <= d && d < p.to
}
