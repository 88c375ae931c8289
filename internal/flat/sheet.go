package flat

import (
	"math/bits"
	"slices"
	"sync"
)

// sheet is what one search adds up: a page for each view, a line for each
// passage. Sheets are used again, because zeroing new ones for every search, and
// collecting them, would take longer than the search; between two searches all
// of a sheet is zero but what says otherwise.
type sheet struct {
	pages     []page
	lines     []line
	sets      []uint64
	meanings  []float32
	distances []uint16
	normOf    []float32 // per length of a passage; this and the rest is filled anew for every search
	clauses   []clause  // of the question
	plans     [][]plan  // per view, for each clause
	admitted  [][]bool  // per view and text
}

// page is the part of a sheet that is one view's.
type page struct {
	lines   []line    // per passage
	found   []uint64  // the passages with anything in their line, a bit each
	nearest []uint16  // per passage, the least distance of its vectors' sketches
	meaning []float32 // per passage, how near it is; this and the distance are of an earlier search until they are written
}

// line is what a passage has in each channel: by words (BM25F), by pieces of
// words (how much of its text and of its headings the words take up that resemble
// the question's); and what of the question it holds.
type line struct{ words, pieces, held float32 }

var sheets sync.Pool

// newSheet gives a sheet for the views of s.
func (s *snapshot) newSheet() *sheet {
	x, kept := sheets.Get().(*sheet)
	if !kept {
		x = new(sheet)
	}
	lines, words := 0, 0
	for _, v := range s.views {
		lines += len(v.segment.passages)
		words += wordsFor(len(v.segment.passages))
	}
	x.lines, x.meanings, x.distances = room(x.lines, lines), room(x.meanings, lines), room(x.distances, lines)
	x.sets = room(x.sets, words)
	x.pages = x.pages[:0]
	at, set := 0, 0
	for _, v := range s.views {
		n, w := len(v.segment.passages), wordsFor(len(v.segment.passages))
		x.pages = append(x.pages, page{x.lines[at : at+n], x.sets[set : set+w], x.distances[at : at+n], x.meanings[at : at+n]})
		at, set = at+n, set+w
	}
	return x
}

func wordsFor(bits int) int { return (bits + 63) / 64 }

// room gives n values, those of kept when they are enough.
func room[T any](kept []T, n int) []T {
	if cap(kept) < n {
		return make([]T, n)
	}
	return kept[:n]
}

// release gives the sheet back: what was found is wiped out.
func (x *sheet) release() {
	for i := range x.pages {
		g := &x.pages[i]
		for p := range each(g.found) {
			g.lines[p] = line{}
		}
		clear(g.found)
	}
	x.clauses, x.plans, x.admitted = x.clauses[:0], x.plans[:0], x.admitted[:0]
	sheets.Put(x)
}

func mark(set []uint64, p uint32) { set[p>>6] |= 1 << (p & 63) }

func marked(set []uint64, p uint32) bool { return set[p>>6]&(1<<(p&63)) != 0 }

func unmark(set []uint64, p uint32) { set[p>>6] &^= 1 << (p & 63) }

// each gives the members of a set, ascending. Those from the present one's word
// on that are put in or taken out meanwhile may be given or not.
func each(set []uint64) func(yield func(uint32) bool) {
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

// setNorms fills the norms.
func (x *searcher) setNorms(longest int, average float64) {
	x.normOf = slices.Grow(x.normOf[:0], longest+1)
	for length := range longest + 1 {
		x.normOf = append(x.normOf, x.norm(length, average))
	}
}
