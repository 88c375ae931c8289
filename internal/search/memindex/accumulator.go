package memindex

import (
	"math/bits"
	"slices"
	"sync"
)

// accumulator holds the scores of one search: a line for each passage of each view. Accumulators are pooled, because
// allocating and zeroing them for every search would take longer than the search. In the pool every field is zero
// except those whose comment says otherwise.
type accumulator struct {
	perView   []viewScores
	lines     []line
	sets      []uint64
	meanings  []float32
	distances []uint16
	normOf    []float32 // by the length of a passage; this field and the next ones are set by every search
	clauses   []clause  // the clauses of the question
	plans     [][]plan  // by view and clause
	admitted  [][]bool  // by view and text
}

// viewScores is the part of an accumulator that belongs to one view.
type viewScores struct {
	lines   []line    // by passage
	found   []uint64  // set of the passages whose line is not zero
	nearest []uint16  // by passage, the smallest distance of its vectors' sketches
	meaning []float32 // by passage, its cosine; this field and nearest hold values of an earlier search until they are written
}

// line holds the scores of a passage: by words (BM25F); by pieces of words, the share of its text and its headings
// that resembles words of the question; and the share of the question that it contains (held).
type line struct{ words, pieces, held float32 }

var accumulatorPool sync.Pool

// newAccumulator returns an accumulator for the views of s.
func (s *snapshot) newAccumulator() *accumulator {
	x, kept := accumulatorPool.Get().(*accumulator)
	if !kept {
		x = new(accumulator)
	}
	lines, words := 0, 0
	for _, v := range s.views {
		lines += len(v.Segment.Passages)
		words += wordsFor(len(v.Segment.Passages))
	}
	x.lines, x.meanings, x.distances = resized(x.lines, lines), resized(x.meanings, lines), resized(x.distances, lines)
	x.sets = resized(x.sets, words)
	x.perView = x.perView[:0]
	at, set := 0, 0
	for _, v := range s.views {
		n, w := len(v.Segment.Passages), wordsFor(len(v.Segment.Passages))
		x.perView = append(x.perView, viewScores{x.lines[at : at+n], x.sets[set : set+w], x.distances[at : at+n], x.meanings[at : at+n]})
		at, set = at+n, set+w
	}
	return x
}

func wordsFor(bits int) int { return (bits + 63) / 64 }

// resized returns a slice of n values that reuses kept if it is large enough.
func resized[T any](kept []T, n int) []T {
	if cap(kept) < n {
		return make([]T, n)
	}
	return kept[:n]
}

// release clears the scores and returns the accumulator to the pool.
func (x *accumulator) release() {
	for i := range x.perView {
		g := &x.perView[i]
		for p := range members(g.found) {
			g.lines[p] = line{}
		}
		clear(g.found)
	}
	x.clauses, x.plans, x.admitted = x.clauses[:0], x.plans[:0], x.admitted[:0]
	accumulatorPool.Put(x)
}

func setBit(set []uint64, p uint32) { set[p>>6] |= 1 << (p & 63) }

func hasBit(set []uint64, p uint32) bool { return set[p>>6]&(1<<(p&63)) != 0 }

func clearBit(set []uint64, p uint32) { set[p>>6] &^= 1 << (p & 63) }

// members yields the members of a set in ascending order. Members that are added or removed during the iteration, in
// the current word or later ones, may or may not be yielded.
func members(set []uint64) func(yield func(uint32) bool) {
	return func(yield func(uint32) bool) {
		for i, word := range set {
			for ; word != 0; word &= word - 1 {
				if !yield(uint32(i<<6 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// setNorms sets the BM25 norm of each length of a passage.
func (x *searcher) setNorms(longest int, average float64) {
	x.normOf = slices.Grow(x.normOf[:0], longest+1)
	for length := range longest + 1 {
		x.normOf = append(x.normOf, x.norm(length, average))
	}
}
