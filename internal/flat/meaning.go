package flat

import (
	"math"

	"vigueur/internal/vector"
)

// near compares the query with all passages that it allows, and writes how near
// each is: a cosine, of its nearest vector. Those of which a vector is among the
// nearest by their sketches are near, and compared exactly; for the
// others the sketch says how near they are, roughly. It is false when the meaning
// does not count, because there is no vector for the query or one for it lacks:
// then the search goes by words alone.
func (x *searcher) near(s *state) (served bool) {
	q := x.query
	if s.meanings == nil || len(q.Vector) == 0 || s.generation != q.Generation {
		return false
	}
	c := comparison{searcher: x, blocks: s.blocks, direction: vector.NewQuery(q.Vector)}
	if !c.measure() {
		return false
	}
	c.place()
	return true
}

// comparison is one query held against the vectors.
type comparison struct {
	*searcher
	blocks    [][]*block // of the state
	direction vector.Query
	compare   [][]*block // per view and text, its vectors; nil for one that is not allowed
	limit     int        // sketches up to this distance are among the nearest
}

// measure takes the distances of all sketches of the texts that the query allows,
// in their order; false when a passage lacks its vectors or there are none.
func (c *comparison) measure() bool {
	histogram := make([]int, c.direction.Dimensions()+1)
	total := 0
	c.compare = make([][]*block, len(c.views))
	for i, v := range c.views {
		c.compare[i] = make([]*block, len(v.docs))
		for d := range v.docs {
			if !c.admitted[i][d] || len(v.docs[d].passages) == 0 {
				continue
			}
			b := c.blocks[i][d]
			if b == nil || b.set.Len() > 0 && b.set.Dimensions != c.direction.Dimensions() {
				return false
			}
			c.compare[i][d] = b
			from := len(c.distances)
			c.distances = b.set.Distances(c.distances, c.direction)
			of := c.distances[from:]
			for k, p := range v.docs[d].passages {
				if !v.segment.passages[p].lawOn(c.on) {
					continue
				}
				for _, far := range of[b.first[k]:b.first[k+1]] {
					histogram[far]++
				}
				total += int(b.first[k+1] - b.first[k])
			}
		}
	}
	c.limit = limitOf(histogram, c.nearest)
	return total > 0
}

// limitOf is the distance up to which there are n vectors.
func limitOf(histogram []int, n int) (limit int) {
	for sum := 0; limit < len(histogram)-1; limit++ {
		if sum += histogram[limit]; sum >= n {
			break
		}
	}
	return limit
}

// place writes the likeness of each passage.
func (c *comparison) place() {
	cosines := make([]float32, c.direction.Dimensions()+1)
	for d := range cosines {
		cosines[d] = float32(math.Cos(math.Pi * float64(d) / float64(c.direction.Dimensions())))
	}
	distances := c.distances
	for i, v := range c.views {
		g := &c.pages[i]
		for d, b := range c.compare[i] {
			if b == nil {
				continue
			}
			for k, p := range v.docs[d].passages {
				if !v.segment.passages[p].lawOn(c.on) {
					continue
				}
				best := float32(-1)
				for at := b.first[k]; at < b.first[k+1]; at++ {
					if far := int(distances[at]); far > c.limit {
						best = max(best, cosines[far])
					} else {
						best = max(best, b.set.Dot(c.direction, int(at)))
						mark(g.near, p)
					}
				}
				g.meaning[p] = best
			}
			distances = distances[b.set.Len():]
		}
	}
}
