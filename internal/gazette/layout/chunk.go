package layout

import (
	"cmp"
	"math"
	"slices"

	"vigueur/internal/law"
)

// chunk is a run of words on one base line, with no more space between them than between words of a line. A
// line of a column is one chunk or, if it is spaced out, several.
type chunk struct {
	cells []cell
	r     law.Rect
}

// Limits of closeWords, in heights of the words. closeMost is less than the width of any gutter between columns. A word
// processor's table leaves 10.8 points between the words of its cells, which is 0.78 of the boxes of 12-point type.
const (
	closeLeast = 0.4
	closeMost  = 0.75
)

// closeWords estimates the widest space between two words of a chunk, in heights of the words. It is a little more than
// the usual space between neighbors, because most neighbors are in the same line. The space differs between pages:
// recognized words are further apart than the words of a text layer, whose boxes include the space around letters.
func closeWords(cells []cell) float64 {
	seen := shelves{} // filled from right to left
	var spaces []float64
	for i := len(cells) - 1; i >= 0; i-- {
		r := cells[i].r
		near := math.Inf(1)
		for j := range seen.near(r) {
			if o := cells[j].r; o[0] >= r[2] && o[0] < near && level(r, o) >= 0.5 {
				near = o[0]
			}
		}
		if h := r[3] - r[1]; h > 0 && near-r[2] < 2*h {
			spaces = append(spaces, (near-r[2])/h)
		}
		seen.put(r, i)
	}
	if len(spaces) == 0 {
		return closeLeast
	}
	slices.Sort(spaces)
	return min(max(1.7*spaces[len(spaces)/2], closeLeast), closeMost)
}

// fromTheLeft returns cells by their left edges, then by their upper ones. Cells at one place keep their order. It sorts
// places instead of cells, which is several times faster than a stable sort of a page's cells.
func fromTheLeft(cells []cell) []cell {
	type place struct {
		x, y float64
		at   int
	}
	places := make([]place, len(cells))
	for i := range cells {
		places[i] = place{cells[i].r[0], cells[i].r[1], i}
	}
	slices.SortFunc(places, func(a, b place) int {
		if c := cmp.Compare(a.x, b.x); c != 0 {
			return c
		}
		if c := cmp.Compare(a.y, b.y); c != 0 {
			return c
		}
		return a.at - b.at
	})
	out := make([]cell, len(cells))
	for i, p := range places {
		out[i] = cells[p.at]
	}
	return out
}

// chunksOf groups cells into chunks, from left to right. Each cell continues the chunk that ends beside it,
// or begins a new chunk.
func chunksOf(cells []cell) []chunk {
	cells = fromTheLeft(cells)
	var chunks []chunk
	closest := closeWords(cells)
	ends := shelves{}
	for _, c := range cells {
		best, off := -1, math.Inf(1)
		for i := range ends.near(c.r) {
			last := chunks[i].cells[len(chunks[i].cells)-1].r
			em, low := max(c.r[3]-c.r[1], last[3]-last[1]), min(c.r[3]-c.r[1], last[3]-last[1])
			gap := c.r[0] - last[2]
			if gap > closest*em || gap < -0.5*low || level(last, c.r) < 0.5 {
				continue
			}
			if d := math.Abs(last[1]+last[3]-c.r[1]-c.r[3]) + math.Abs(gap)/4; d < off {
				best, off = i, d
			}
		}
		if best < 0 {
			best = len(chunks)
			chunks = append(chunks, chunk{r: c.r})
		}
		chunks[best].cells = append(chunks[best].cells, c)
		chunks[best].r = union(chunks[best].r, c.r)
		ends.put(c.r, best)
	}
	return chunks
}

// level returns the vertical overlap of two rectangles as a share of the smaller of their heights, 0 to 1.
func level(a, b law.Rect) float64 {
	h := min(a[3]-a[1], b[3]-b[1])
	both := min(a[3], b[3]) - max(a[1], b[1])
	if h <= 0 {
		if both >= 0 {
			return 1
		}
		return 0
	}
	return max(0, both/h)
}

// shelves is an index of items, each given by a number, by their vertical position on the page.
type shelves map[int][]int

const shelf = 8.0 // height of a shelf, in points

func shelfOf(r law.Rect) int { return int(min(max((r[1]+r[3])/2/shelf, -1e6), 1e6)) }

func (s shelves) put(r law.Rect, i int) {
	at := shelfOf(r)
	if n := len(s[at]); n == 0 || s[at][n-1] != i {
		s[at] = append(s[at], i)
	}
}

// near yields the items that were put near the vertical position of r, possibly more than once.
func (s shelves) near(r law.Rect) func(yield func(int) bool) {
	reach := int(min((r[3]-r[1])/shelf, 20)) + 1
	return func(yield func(int) bool) {
		at := shelfOf(r)
		for y := at - reach; y <= at+reach; y++ {
			for _, i := range s[y] {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// row holds chunks on one base line.
type row struct {
	cells  []cell
	chunks []chunk
	r      law.Rect
}

// rowsOf groups the chunks of one column into rows, from top to bottom, each from left to right. A small
// raised chunk (« 1er ») belongs to the row that it overlaps most, and if it overlaps several rows equally, to the
// nearest of them. A chunk above or below words of a row never belongs to that row: in some scans the boxes are so
// high that they overlap the next line.
func rowsOf(chunks []chunk) []row {
	chunks = slices.Clone(chunks)
	slices.SortStableFunc(chunks, func(a, b chunk) int {
		return cmp.Or(cmp.Compare(b.r[2]-b.r[0], a.r[2]-a.r[0]), cmp.Compare(a.r[1], b.r[1]), cmp.Compare(a.r[0], b.r[0]))
	})
	var rows []row
	shelved := shelves{}
	for _, c := range chunks {
		best, most, off := -1, 0.5, 0.0
		for i := range shelved.near(c.r) {
			l, d := level(rows[i].chunks[0].r, c.r), math.Abs(middle(rows[i].chunks[0].r)-middle(c.r))
			if l < most || l == most && best >= 0 && d >= off || rows[i].below(c.r) {
				continue
			}
			best, most, off = i, l, d
		}
		if best < 0 {
			best = len(rows)
			rows = append(rows, row{r: c.r})
			shelved.put(c.r, best)
		}
		rows[best].chunks = append(rows[best].chunks, c)
		rows[best].r = union(rows[best].r, c.r)
	}
	for i := range rows {
		rows[i].sortCells()
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Compare(a.chunks[0].r[1]+a.chunks[0].r[3], b.chunks[0].r[1]+b.chunks[0].r[3])
	})
	return rows
}

// below reports whether o is above or below a chunk of the row, and not beside it: the two overlap horizontally by
// more than half of the narrower width, and are further apart vertically than a word that was printed twice.
func (r *row) below(o law.Rect) bool {
	for _, c := range r.chunks {
		both := min(c.r[2], o[2]) - max(c.r[0], o[0])
		if 2*both > min(c.r[2]-c.r[0], o[2]-o[0]) && math.Abs(middle(c.r)-middle(o)) > 0.25*min(c.r[3]-c.r[1], o[3]-o[1]) {
			return true
		}
	}
	return false
}

// middle returns the vertical center of r.
func middle(r law.Rect) float64 { return (r[1] + r[3]) / 2 }

// sortCells orders the row's cells from left to right. It does not reorder the chunks: the first one is the widest,
// and its height counts as the height of the row.
func (r *row) sortCells() {
	for _, c := range r.chunks {
		r.cells = append(r.cells, c.cells...)
	}
	slices.SortStableFunc(r.cells, func(a, b cell) int { return cmp.Compare(a.r[0], b.r[0]) })
}
