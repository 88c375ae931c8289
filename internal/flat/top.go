package flat

import (
	"bytes"
	"cmp"
	"slices"

	"vigueur/internal/country"
	"vigueur/internal/french"
	"vigueur/internal/law"
)

// best mixes the channels, each brought to 0..1 by its greatest score among the
// passages that q allows and, where it counts, the meaning, and gives the q.Limit
// greatest.
func (s *snapshot) best(q Query, t tuning, c channels, n near) []Hit {
	type place struct{ view, passage int }
	var places []place
	var words, pieces, headings, held float32
	least, most := float32(1), float32(-1) // in meaning
	for i, v := range s.views {
		docs := v.allowed(q)
		for p, x := range v.segment.passages {
			if c.words[i][p] == 0 && c.pieces[i][p] == 0 && (!n.served || !n.chosen[i][p]) || !docs[x.doc] || !x.lawOn(q) {
				continue
			}
			places = append(places, place{i, p})
			if n.served {
				least, most = min(least, n.of[i][p]), max(most, n.of[i][p])
			}
			words, pieces, headings = max(words, c.words[i][p]), max(pieces, c.pieces[i][p]), max(headings, c.headings[i][p])
			held = max(held, c.held[i][p])
		}
	}
	asked := named(q)
	local := s.hasLawOf(asked)
	hits := make([]Hit, 0, len(places))
	for _, at := range places {
		score := (1-t.pieces)*share(c.words[at.view][at.passage], words) +
			t.pieces*share(c.pieces[at.view][at.passage], pieces) +
			t.headings*share(c.headings[at.view][at.passage], headings)
		score /= 1 + t.headings
		if n.served && most > least {
			score = (1-t.meaning)*score + t.meaning*share(n.of[at.view][at.passage]-least, most-least)
		}
		hit := s.views[at.view].hit(uint32(at.passage), score)
		hit.Score *= t.whose(asked, hit.Countries)
		hit.Local, hit.Meant = local, n.served
		hit.held = t.whose(asked, hit.Countries) * share(c.held[at.view][at.passage], held)
		hits = append(hits, hit)
	}
	slices.SortFunc(hits, compareHits)
	return withHolders(hits, q.Limit)
}

// holdersShare is the part of the hits that is kept for passages which hold most
// of the question's words, though others hold some of them more often: « congé »
// in every heading of a chapter outweighs the one « congé de maternité ».
const holdersShare = 4

// withHolders gives the limit greatest hits, a part of them by what they hold.
func withHolders(hits []Hit, limit int) []Hit {
	if len(hits) <= limit {
		return hits
	}
	first := limit - limit/holdersShare
	rest := hits[first:]
	slices.SortStableFunc(rest, func(a, b Hit) int { return cmp.Compare(b.held, a.held) })
	hits = hits[:limit]
	slices.SortFunc(hits[first:], compareHits)
	return hits
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

func compareHits(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), bytes.Compare(a.PassageID[:], b.PassageID[:]))
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
