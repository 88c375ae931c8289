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
func (s *snapshot) best(q Query, t tuning, c channels, n near) []Hit {
	places := s.places(q, t, c, n)
	first, rest := s.greatest(places, q.Limit-q.Limit/holdersShare, s.byScore)
	more, _ := s.greatest(rest, q.Limit-len(first), s.byHeld)
	slices.SortFunc(more, s.byScore)
	local := s.hasLawOf(named(q))
	hits := make([]Hit, 0, len(first)+len(more))
	for _, at := range slices.Concat(first, more) {
		hit := s.views[at.view].hit(at.passage, at.score)
		hit.Local, hit.Meant = local, n.served
		hits = append(hits, hit)
	}
	return hits
}

// holdersShare is the part of the hits that is kept for passages which hold most
// of the question's words, though others hold some of them more often: « congé »
// in every heading of a chapter outweighs the one « congé de maternité ».
const holdersShare = 4

// places scores the passages that q allows.
func (s *snapshot) places(q Query, t tuning, c channels, n near) []place {
	var out []place
	var words, pieces, headings, held float32
	least, most := float32(1), float32(-1) // in meaning
	for i, v := range s.views {
		docs := v.allowed(q)
		for p := range v.segment.passages {
			if c.words[i][p] == 0 && c.pieces[i][p] == 0 && (!n.served || !n.chosen[i][p]) {
				continue
			}
			if x := &v.segment.passages[p]; !docs[x.doc] || !x.lawOn(q) {
				continue
			}
			out = append(out, place{view: uint32(i), passage: uint32(p)})
			if n.served {
				least, most = min(least, n.of[i][p]), max(most, n.of[i][p])
			}
			words, pieces, headings = max(words, c.words[i][p]), max(pieces, c.pieces[i][p]), max(headings, c.headings[i][p])
			held = max(held, c.held[i][p])
		}
	}
	whose := s.whose(named(q), t)
	for k := range out {
		at := &out[k]
		i, p := at.view, at.passage
		factor := whose[i][s.views[i].segment.passages[p].doc]
		at.score = ((1-t.pieces)*share(c.words[i][p], words) + t.pieces*share(c.pieces[i][p], pieces) +
			t.headings*share(c.headings[i][p], headings)) / (1 + t.headings)
		if n.served && most > least {
			at.score = (1-t.meaning)*at.score + t.meaning*share(n.of[i][p]-least, most-least)
		}
		at.score *= factor
		at.held = factor * share(c.held[i][p], held)
	}
	return out
}

// whose gives the factor of each text of each view.
func (s *snapshot) whose(asked []country.Code, t tuning) [][]float64 {
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
	x, y := &s.views[a.view].segment.passages[a.passage].id, &s.views[b.view].segment.passages[b.passage].id
	return bytes.Compare(x[:], y[:])
}

// greatest parts the n first by order from the rest; the first are in order, the
// rest in none. It keeps the first in a heap whose root is the last of them, so
// that most places are looked at once.
func (s *snapshot) greatest(all []place, n int, order func(a, b place) int) (first, rest []place) {
	if len(all) <= n {
		slices.SortFunc(all, order)
		return all, nil
	}
	first, rest = all[:n], all[n:]
	if n == 0 {
		return first, rest
	}
	for i := n/2 - 1; i >= 0; i-- {
		sink(first, i, order)
	}
	for i := range rest {
		if order(rest[i], first[0]) < 0 {
			rest[i], first[0] = first[0], rest[i]
			sink(first, 0, order)
		}
	}
	slices.SortFunc(first, order)
	return first, rest
}

// sink moves the place at i down to where no child comes behind it.
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
	for _, v := range s.views {
		for i, d := range v.docs {
			if !v.gone[uint32(i)] && slices.ContainsFunc(d.countries, func(c country.Code) bool { return slices.Contains(asked, c) }) {
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
	x := v.segment.passages[p]
	return Hit{PassageID: x.id, ArticleID: x.article, DocumentID: v.docs[x.doc].id, Score: score, Countries: v.docs[x.doc].countries}
}

// allowed tells of each text whether q admits it.
func (v view) allowed(q Query) []bool {
	out := make([]bool, len(v.docs))
	for i, d := range v.docs {
		f := q.Filters
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
