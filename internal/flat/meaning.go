package flat

import (
	"math"

	"vigueur/internal/vector"
)

// nearest is how many vectors, by their sketches, are compared exactly; for the
// others the sketch says how near they are, roughly.
const nearest = 1500

// near is how near in meaning the passages are that a query allows: a cosine
// each, of the nearest piece. served is false when it does not count, because
// there is no vector for the query or one for it lacks: then the search goes by
// words alone.
type near struct {
	of     scores
	chosen [][]bool // compared exactly
	served bool
}

// stretch is the vectors of one passage.
type stretch struct {
	view, passage int
	block         *block
	from, to      int
}

// near compares the query with all passages that it allows.
func (m *meanings) near(s *snapshot, q Query) near {
	if m == nil || len(q.Vector) == 0 || m.generation != q.Generation {
		return near{}
	}
	prepared := vector.NewQuery(q.Vector)
	stretches, total, complete := m.stretches(s, q, prepared.Dimensions())
	if !complete || total == 0 {
		return near{}
	}
	distances, limit := measure(prepared, stretches, total)
	n := near{of: s.newScores(), chosen: make([][]bool, len(s.views)), served: true}
	for i, v := range s.views {
		n.chosen[i] = make([]bool, len(v.segment.passages))
	}
	at := 0
	for _, p := range stretches {
		best := float32(-1)
		for i := p.from; i < p.to; i++ {
			d := distances[at]
			at++
			if d > limit {
				best = max(best, float32(math.Cos(math.Pi*float64(d)/float64(prepared.Dimensions()))))
				continue
			}
			best = max(best, p.block.set.Dot(prepared, i))
			n.chosen[p.view][p.passage] = true
		}
		n.of[p.view][p.passage] = best
	}
	return n
}

// stretches lists the vectors of the passages that q allows, and how many they
// are; complete is false when a passage lacks them.
func (m *meanings) stretches(s *snapshot, q Query, dimensions int) (list []stretch, total int, complete bool) {
	for i, v := range s.views {
		allowed := v.allowed(q)
		for d, doc := range v.docs {
			if !allowed[d] || len(doc.passages) == 0 {
				continue
			}
			b := m.blocks[doc.id]
			if b == nil || len(b.passages) != len(doc.passages) || b.set.Dimensions != dimensions && b.set.Len() > 0 {
				return nil, 0, false
			}
			for k, p := range doc.passages {
				x := v.segment.passages[p]
				if x.id != b.passages[k] {
					return nil, 0, false
				}
				if x.lawOn(q) {
					list = append(list, stretch{i, int(p), b, b.first[k], b.first[k+1]})
					total += b.first[k+1] - b.first[k]
				}
			}
		}
	}
	return list, total, true
}

// measure gives the distances of all sketches, and up to which distance vectors
// are compared exactly.
func measure(q vector.Query, stretches []stretch, total int) (distances []int, limit int) {
	distances = make([]int, 0, total)
	histogram := make([]int, q.Dimensions()+1)
	for _, p := range stretches {
		for i := p.from; i < p.to; i++ {
			d := p.block.set.Distance(q, i)
			distances = append(distances, d)
			histogram[d]++
		}
	}
	for sum := 0; limit < len(histogram)-1; limit++ {
		if sum += histogram[limit]; sum >= nearest {
			break
		}
	}
	return distances, limit
}
