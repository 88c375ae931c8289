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
	sums      []sum
	sets      []uint64
	meanings  []float32
	distances []uint16
	norms     []float64 // per length of a passage; filled anew for every search
}

// page is the part of a sheet that is one view's.
type page struct {
	lines   []line    // per passage
	sums    []sum     // per passage, of the word at hand
	touched []uint64  // the passages that hold the word at hand, a bit each
	found   []uint64  // those with anything in their line
	near    []uint64  // those near in meaning
	meaning []float32 // per passage, how near it is; of an earlier search until it is written
}

// line is what a passage has in each channel: by words (BM25F), by pieces of
// words (how much of its text and of its headings the words take up that resemble
// the question's); and what of the question it holds.
type line struct{ words, pieces, held float32 }

// sum is how often a passage holds a word or what resembles it.
type sum struct{ all, heads float32 }

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
	x.lines, x.sums, x.meanings = room(x.lines, lines), room(x.sums, lines), room(x.meanings, lines)
	x.sets = room(x.sets, 3*words)
	x.pages = x.pages[:0]
	at, set := 0, 0
	for _, v := range s.views {
		n, w := len(v.segment.passages), wordsFor(len(v.segment.passages))
		x.pages = append(x.pages, page{x.lines[at : at+n], x.sums[at : at+n],
			x.sets[set : set+w], x.sets[set+w : set+2*w], x.sets[set+2*w : set+3*w], x.meanings[at : at+n]})
		at, set = at+n, set+3*w
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
		clear(g.near)
	}
	x.distances = x.distances[:0]
	sheets.Put(x)
}

func mark(set []uint64, p uint32) { set[p>>6] |= 1 << (p & 63) }

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

// setNorms fills the norms with BM25's k1·(1 − b + b·length/average).
func (x *sheet) setNorms(t tuning, longest int, average float64) {
	x.norms = slices.Grow(x.norms[:0], longest+1)
	for length := range longest + 1 {
		x.norms = append(x.norms, t.k1*(1-t.b+t.b*float64(length)/average))
	}
}
