package memindex

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"vigueur/internal/law/country"
	"vigueur/internal/search/rank"
)

// rankingInput is what the description and the order of a pool need in addition to its passages.
type rankingInput struct {
	query     Query
	meant     bool
	asked     []country.Code
	most      line    // the greatest score of each channel among all admitted passages
	fullMatch float32 // what line.held would be for a passage with all words of the question
	model     *rank.Step
}

// vectors returns the kind of vectors that the search used.
func (by *rankingInput) vectors() rank.Vectors {
	if by.meant {
		return rank.WordVectors
	}
	return rank.NoVectors
}

// pooled is a passage of the pool. The pool holds the best passages by words and by meaning, which are described by
// features and ordered by the learned ranking.
type pooled struct {
	place
	line
	cosine   float32
	section  section
	features rank.Features
}

// section identifies the passages under the same headings of a text.
type section struct{ view, doc, headings uint32 }

// pool returns the union of both lists, with the scores of each passage.
func (x *searcher) pool(first, more []place, meant bool) []pooled {
	in := make(map[[2]uint32]bool, len(first)+len(more))
	pool := make([]pooled, 0, len(first)+len(more))
	for _, p := range slices.Concat(first, more) {
		at := [2]uint32{p.view, p.passage}
		if in[at] {
			continue
		}
		in[at] = true
		l := pooled{place: p, line: x.perView[p.view].lines[p.passage]}
		switch {
		case meant && x.comparison != nil:
			l.cosine = x.exactCosine(int(p.view), p.passage)
		case meant:
			l.cosine = x.perView[p.view].meaning[p.passage]
		}
		pool = append(pool, l)
	}
	return pool
}

// exactCosine returns the cosine of a passage's nearest vector and the query's, computed with the vectors and not
// their sketches.
func (x *searcher) exactCosine(view int, p uint32) float32 {
	v := x.views[view]
	d := v.Segment.Passages[p].Doc
	from, _ := v.Extent(d)
	b, k := x.blocks[view][d], p-from
	best := float32(-1)
	for at := b.first[k]; at < b.first[k+1]; at++ {
		best = max(best, b.set.Dot(x.direction, int(at)))
	}
	return best
}

// fullMatch returns what line.held would be for a passage with all words of the question.
func (x *searcher) fullMatch() (sum float32) {
	for i := range x.clauses {
		sum += x.clauses[i].word
	}
	return sum
}

// hits returns the passages of a pool in the order of the model, at most as many as the query asks for.
func (x *searcher) hits(pool []pooled, by *rankingInput) []Hit {
	x.describe(pool, by)
	weights := by.model.For(by.vectors())
	for i := range pool {
		pool[i].score = weights.Score(&pool[i].features)
	}
	slices.SortFunc(pool, func(a, b pooled) int { return x.byScore(a.place, b.place) })
	if !by.query.All {
		pool = pool[:min(len(pool), by.query.Limit)]
	}
	local := x.hasLawOf(by.asked)
	hits := make([]Hit, 0, len(pool))
	for i := range pool {
		hit := x.views[pool[i].view].hit(pool[i].passage, pool[i].score)
		hit.Local, hit.Semantic, hit.Features = local, by.meant, pool[i].features
		hits = append(hits, hit)
	}
	return hits
}

// fewWords is the maximum number of words of a short question. Half of the typed questions have no more.
const fewWords = 3

// describe sets the features of the passages of a pool that the index knows. They depend only on the pool and on the
// scores of its passages, so a pool that another store found is described in the same way.
func (x *searcher) describe(pool []pooled, by *rankingInput) {
	if len(pool) == 0 {
		return
	}
	nearest := float32(-1)
	for i := range pool {
		at := &pool[i]
		v := &x.views[at.view]
		at.section = section{at.view, v.Segment.Passages[at.passage].Doc, v.Segment.Identity(at.passage).Section}
		nearest = max(nearest, at.cosine)
	}
	short := len(x.clauses) <= fewWords
	for i := range pool {
		x.describeOne(&pool[i], by, nearest, short)
	}
	x.ranks(pool, by.meant)
	x.sections(pool, by.meant)
}

// describeOne sets the features that depend on one passage alone.
func (x *searcher) describeOne(at *pooled, by *rankingInput, nearest float32, short bool) {
	f, v := &at.features, &x.views[at.view]
	name, doc := v.Segment.Identity(at.passage), v.ClassOf(v.Segment.Passages[at.passage].Doc)
	f[rank.Words] = quotient(at.words, by.most.words)
	f[rank.Pieces] = quotient(at.pieces, by.most.pieces)
	f[rank.Held] = quotient(at.held, by.fullMatch)
	f[rank.WordsOfMost] = quotient(at.words, by.fullMatch*float32(x.k1+1))
	if by.meant {
		f[rank.Cosine], f[rank.CosineGap] = at.cosine, at.cosine-nearest
	}
	if short {
		f[rank.ShortWords], f[rank.ShortCosine] = f[rank.Words], f[rank.Cosine]
	}
	f[rank.Length] = float32(math.Log((1 + float64(v.Lengths[at.passage])) / (1 + x.average())))
	if name.Order == 0 {
		f[rank.NoArticle] = 1
	} else {
		f[rank.Opening] = 1 / float32(name.Order)
	}
	switch initial(name.Number) {
	case 'l':
		f[rank.NumberedL] = 1
	case 'r', 'd':
		f[rank.NumberedR] = 1
	}
	if _, anew := v.NewWording(name.Article); anew {
		f[rank.NewWording] = 1
	}
	switch {
	case len(by.asked) == 0 || len(doc.Countries) > 0 && country.Fits(by.asked, doc.Countries):
	case len(doc.Countries) == 0:
		f[rank.UnknownCountry] = 1
	default:
		f[rank.Foreign] = 1
	}
}

func quotient(a, b float32) float32 {
	if b == 0 {
		return 0
	}
	return a / b
}

// ranks sets the ranks in each channel. Equal passages have the same rank.
func (x *searcher) ranks(pool []pooled, meant bool) {
	order := make([]int, len(pool))
	for i := range order {
		order[i] = i
	}
	place := func(feature int, of func(l *pooled) float32) {
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(of(&pool[b]), of(&pool[a])) })
		at := 0
		for i, p := range order {
			if i > 0 && of(&pool[p]) != of(&pool[order[i-1]]) {
				at = i
			}
			pool[p].features[feature] = float32(-math.Log1p(float64(at)))
		}
	}
	place(rank.RankWords, func(l *pooled) float32 { return l.words })
	place(rank.RankPieces, func(l *pooled) float32 { return l.pieces })
	if meant {
		place(rank.RankCosine, func(l *pooled) float32 { return l.cosine })
	}
}

// sectionSummary summarizes the passages of a pool under the same headings.
type sectionSummary struct {
	words, sum, gap float32
	count           int
	beside          map[uint16]articleBest // by position of the article
}

// articleBest holds the best values of an article's passages.
type articleBest struct{ words, gap float32 }

// sections sets the features that depend on the passages under the same headings, and on those of adjacent articles.
func (x *searcher) sections(pool []pooled, meant bool) {
	all := make(map[section]*sectionSummary)
	for i := range pool {
		at := &pool[i]
		g := all[at.section]
		if g == nil {
			g = &sectionSummary{gap: -2, beside: make(map[uint16]articleBest)}
			all[at.section] = g
		}
		words, gap := at.features[rank.Words], at.features[rank.CosineGap]
		g.words, g.gap, g.count = max(g.words, words), max(g.gap, gap), g.count+1
		order := x.orderOf(at)
		b, known := g.beside[order]
		if !known {
			b = articleBest{gap: -2}
		}
		g.beside[order] = articleBest{max(b.words, words), max(b.gap, gap)}
	}
	x.sumSections(pool, all)
	for i := range pool {
		at := &pool[i]
		f, g, order := &at.features, all[at.section], x.orderOf(at)
		f[rank.SectionWords], f[rank.SectionMean] = g.words, g.sum/float32(g.count)
		f[rank.SectionCount] = float32(math.Log(float64(g.count)))
		next, gap := float32(0), float32(-1)
		for _, o := range []uint16{order - 1, order + 1} {
			if b, ok := g.beside[o]; ok && order > 0 && o > 0 {
				next, gap = max(next, b.words), max(gap, b.gap)
			}
		}
		f[rank.NeighborWords] = next
		if meant {
			f[rank.SectionGap], f[rank.NeighborGap] = g.gap, gap
		}
	}
}

// sumSections adds up the words of each section, in increasing order. Sums of floats depend on the order, and the
// order of the pool depends on how it was made.
func (x *searcher) sumSections(pool []pooled, all map[section]*sectionSummary) {
	order := make([]int, len(pool))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Compare(pool[a].features[rank.Words], pool[b].features[rank.Words])
	})
	for _, i := range order {
		all[pool[i].section].sum += pool[i].features[rank.Words]
	}
}

func (x *searcher) orderOf(at *pooled) uint16 {
	return x.views[at.view].Segment.Identity(at.passage).Order
}

// initial returns the letter with which the number of an article begins, given its term, 0 if it begins with
// something else.
func initial(term string) byte {
	number, _ := strings.CutPrefix(term, articleTerm)
	if number != "" && number[0] >= 'a' && number[0] <= 'z' {
		return number[0]
	}
	return 0
}

// articleTerm is the beginning of the terms of articles' numbers: « artl1224-1 ».
const articleTerm = "art"
