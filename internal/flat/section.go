package flat

import (
	"hash/fnv"
	"math"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/postgres"
)

// standing is where an article stands in its text.
type standing struct {
	section uint32 // the headings above it, as a hash; of one text only
	order   uint16 // among the articles under them, from 1; 0: no article
}

// sections tells where the articles of one text stand, as its passages come.
type sections struct {
	last   map[uint32]uuid.UUID // the article that came last under the headings
	orders map[uint32]uint16    // its order
}

func newSections() sections {
	return sections{last: make(map[uint32]uuid.UUID), orders: make(map[uint32]uint16)}
}

func (s sections) clear() {
	clear(s.last)
	clear(s.orders)
}

// of takes the next passage.
func (s sections) of(r postgres.IndexRow) standing {
	h := fnv.New32a()
	for _, heading := range r.Path {
		_, _ = h.Write([]byte(heading)) // never fails
		_, _ = h.Write([]byte{0})
	}
	at := standing{section: h.Sum32()}
	if r.ArticleNumber == "" {
		return at
	}
	if article := r.Passage.ArticleID; s.last[at.section] != article && s.orders[at.section] < math.MaxUint16 {
		s.last[at.section] = article
		s.orders[at.section]++
	}
	at.order = s.orders[at.section]
	return at
}

// poolTimes is how many times as many passages are looked at with their sections
// as are given.
const poolTimes = 3

// choose gives the n best of what was found by score and by what it holds, once
// all of it is settled: most by their score, the others by what they hold.
func (x *searcher) choose(scored, holding []place, n int) []place {
	in := make(map[[2]uint32]bool, len(scored)+len(holding))
	pool := make([]place, 0, len(scored)+len(holding))
	for _, p := range slices.Concat(scored, holding) {
		if at := [2]uint32{p.view, p.passage}; !in[at] {
			in[at] = true
			pool = append(pool, p)
		}
	}
	x.settle(pool)
	slices.SortFunc(pool, x.byScore)
	most := min(len(pool), n-n/holdersShare)
	slices.SortFunc(pool[most:], x.byHeld)
	pool = pool[:min(len(pool), n)]
	slices.SortFunc(pool[most:], x.byScore)
	return pool
}

// settle scores places once more by where they stand: what stands under the
// headings of one that fits well is lifted towards it, since a section answers
// together; and the first articles under headings say what the others go into.
func (x *searcher) settle(pool []place) {
	type section struct{ view, doc, headings uint32 }
	of := func(p place) section {
		v := &x.views[p.view]
		return section{p.view, v.segment.passages[p.passage].doc, v.segment.names[p.passage].section}
	}
	best := make(map[section]float64)
	for _, p := range pool {
		at := of(p)
		best[at] = max(best[at], p.score)
	}
	for i, p := range pool {
		score := (1-x.section)*p.score + x.section*best[of(p)]
		if order := x.views[p.view].segment.names[p.passage].order; order > 0 {
			score *= 1 + x.opening/float64(order)
		}
		pool[i].score = score
	}
}
