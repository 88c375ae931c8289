package flat

import (
	"bytes"
	"cmp"
	"slices"

	"vigueur/internal/law"
)

// best mixes the channels, each brought to 0..1 by its greatest score among the
// passages that q allows and, where it counts, the meaning, and gives the q.Limit
// greatest.
func (s *snapshot) best(q Query, t tuning, c channels, n near) []Hit {
	type place struct{ view, passage int }
	var places []place
	var words, pieces, headings float32
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
		}
	}
	hits := make([]Hit, 0, len(places))
	for _, at := range places {
		score := (1-t.pieces)*share(c.words[at.view][at.passage], words) +
			t.pieces*share(c.pieces[at.view][at.passage], pieces) +
			t.headings*share(c.headings[at.view][at.passage], headings)
		score /= 1 + t.headings
		if n.served && most > least {
			score = (1-t.meaning)*score + t.meaning*share(n.of[at.view][at.passage]-least, most-least)
		}
		h := s.views[at.view].hit(uint32(at.passage), score)
		h.Meant = n.served
		hits = append(hits, h)
	}
	slices.SortFunc(hits, compareHits)
	return hits[:min(len(hits), q.Limit)]
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
	return Hit{PassageID: x.id, ArticleID: x.article, DocumentID: v.docs[x.doc].id, Score: score}
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
