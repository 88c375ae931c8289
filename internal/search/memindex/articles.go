package memindex

import (
	"bytes"
	"cmp"
	"math"
	"runtime"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/law/french"
)

// Articles returns the passages of the articles with the given numbers that the filters and the day of q admit, in
// the order of the numbers. It only searches the given texts, in their order, or all if texts is nil. A new wording
// of an article belongs to the amended text, not to the one that gives it. All scores are 1.
func (x *Index) Articles(q Query, texts []uuid.UUID, numbers []string) []Hit {
	s, on := x.now.Load(), q.days()
	hits := make([]Hit, 0, q.Limit)
	for _, number := range numbers {
		key := french.ArticleTerm(number)
		var of []Hit
		for _, v := range s.views {
			for _, p := range v.OfArticle(key) {
				place := &v.Segment.Passages[p]
				if !v.admits(place.Doc, &q) || !place.InForce(on) {
					continue
				}
				if h := v.hit(p, 1); texts == nil || h.placeAmong(texts) >= 0 {
					of = append(of, h)
				}
			}
		}
		// Stable, so that the passages of a text stay in order.
		slices.SortStableFunc(of, func(a, b Hit) int {
			return cmp.Or(cmp.Compare(a.placeAmong(texts), b.placeAmong(texts)), bytes.Compare(a.DocumentID[:], b.DocumentID[:]))
		})
		hits = append(hits, of...)
	}
	runtime.KeepAlive(s)
	return hits[:min(len(hits), q.Limit)]
}

// placeAmong returns the index, among the given texts, of the text that the hit's article belongs to, -1 if it is
// none of them.
func (h Hit) placeAmong(texts []uuid.UUID) int {
	if !h.NewWording {
		return slices.Index(texts, h.DocumentID)
	}
	return slices.IndexFunc(texts, func(t uuid.UUID) bool { return slices.Contains(h.Amended, t) })
}

// BelongsTo reports whether the hit is in one of the texts, or is a new wording of an article of one.
func (h Hit) BelongsTo(texts []uuid.UUID) bool {
	return slices.Contains(texts, h.DocumentID) || h.placeAmong(texts) >= 0
}

// assumedPassages is the number of passages of other law that Rarity adds to those of the index. Otherwise, in a
// catalogue of one text, every word of this text would be frequent.
const assumedPassages = 300

// Rarity returns how distinctive each term is: 0 for one that is everywhere, 1 for one that is nowhere. Words that
// resemble a term count for it.
func (x *Index) Rarity(terms []string) []float64 {
	s, t := x.now.Load(), defaultTuning()
	all := float64(s.passages + assumedPassages)
	most := idf(all, 0)
	out := make([]float64, len(terms))
	for i, name := range terms {
		holders := 0.0
		for _, k := range s.variants(queryTerm{name: name, maxVariants: t.maxVariants}, t) {
			holders += math.Pow(k.like, t.power) * float64(s.holders(k.name))
		}
		holders = max(holders, float64(s.holders(name)))
		out[i] = idf(all, min(holders, float64(s.passages))) / most
	}
	return out
}
