package layout

import (
	"math"
	"slices"
)

// columnsReach is how many pages before and after a page may provide its columns: the facing page, and the page
// on the same side of the next sheet.
const columnsReach = 2

// nearbyColumns returns the columns of the pages near page i, the nearest first.
func nearbyColumns(sheets []*sheet, i int) []gutters {
	var out []gutters
	for d := 1; d <= columnsReach; d++ {
		for _, k := range []int{i - d, i + d} {
			if k >= 0 && k < len(sheets) && sheets[k].parted && sheets[k].width == sheets[i].width {
				out = append(out, sheets[k].columns)
			}
		}
	}
	return out
}

// flowBands puts the chunks of a page without columns into reading order, if the page contains a band with
// running text on both sides of the gutter g of a nearby page. Such a band is, for example, the end of a text above
// an annex over the whole page: the band is too short to show a gutter. All other bands are read across. If there
// is no band with running text on both sides, flowBands returns false and does not call give.
func flowBands(g gutters, chunks []chunk, give func(cells []cell, column int)) bool {
	if len(chunks) == 0 {
		return false
	}
	region := chunks[0].r
	for _, c := range chunks[1:] {
		region = union(region, c.r)
	}
	if g.at <= region[0] || g.at >= region[2] {
		return false
	}
	chunks = g.cutChunks(chunks)
	all := bands(chunks, g)
	set := make([]bool, len(all))
	some := false
	for i, b := range all {
		set[i] = b.columns && running(b.chunks, g.at, region, 0.5) && !marginNumbers(b.chunks, g.at)
		some = some || set[i]
	}
	if !some {
		return false
	}
	for i, b := range all {
		if !set[i] {
			flow(b.chunks, -1, maxDepth, give)
			continue
		}
		left, right := sides(b.chunks, g.at)
		flow(left, 0, maxDepth, give)
		flow(right, 1, maxDepth, give)
	}
	return true
}

// all returns the places of all gutters, from left to right.
func (g gutters) all() []float64 {
	out := append([]float64{g.at}, g.others...)
	slices.Sort(out)
	return out
}

// sharedColumns returns the gutters of more than two columns that two of the nearby pages have at the same places, nil if
// there are none.
func sharedColumns(near []gutters) []float64 {
	for i, g := range near {
		columns := g.all()
		for _, o := range near[i+1:] {
			if same := o.all(); len(columns) > 1 && slices.EqualFunc(columns, same, func(a, b float64) bool { return math.Abs(a-b) <= 2*overhang }) {
				return columns
			}
		}
	}
	return nil
}

// clearOf reports whether a page without visible columns can have the given ones: fewer chunks extend over a gutter than
// are in any of the columns.
func clearOf(columns []float64, chunks []chunk) bool {
	in, crossing := make([]int, len(columns)+1), 0
	for _, c := range chunks {
		over := false
		for _, part := range cutAt(columns, c) {
			in[columnOf(columns, part)]++
			over = over || slices.ContainsFunc(columns, func(x float64) bool { return crosses(part.r, x) })
		}
		crossing += oneIf(over)
	}
	return crossing < slices.Min(in)
}

// columnOf returns the index of the column that contains the middle of a chunk.
func columnOf(columns []float64, c chunk) int {
	n := 0
	for n < len(columns) && (c.r[0]+c.r[2])/2 > columns[n] {
		n++
	}
	return n
}

// cutAt splits a chunk at its spaces over gutters.
func cutAt(columns []float64, c chunk) []chunk {
	var out []chunk
	from := 0
	for k := 1; k < len(c.cells); k++ {
		if slices.ContainsFunc(columns, func(x float64) bool { return c.cells[k-1].r[2] <= x && x <= c.cells[k].r[0] }) {
			out, from = append(out, chunk{c.cells[from:k:k], bounds(c.cells[from:k])}), k
		}
	}
	return append(out, chunk{c.cells[from:], bounds(c.cells[from:])})
}

// flowAmong puts the chunks of a page into reading order, between the given gutters. A line across a gutter ends the
// columns above it.
func flowAmong(columns []float64, chunks []chunk, give func(cells []cell, column int)) {
	parts := make([][]chunk, len(columns)+1)
	end := func() {
		for i, part := range parts {
			for _, r := range rowsOf(part) {
				give(r.cells, i)
			}
			parts[i] = nil
		}
	}
	for _, r := range rowsOf(chunks) {
		var cut []chunk
		for _, c := range r.chunks {
			cut = append(cut, cutAt(columns, c)...)
		}
		if slices.ContainsFunc(cut, func(c chunk) bool {
			return slices.ContainsFunc(columns, func(x float64) bool { return crosses(c.r, x) })
		}) {
			end()
			give(r.cells, -1)
			continue
		}
		for _, c := range cut {
			i := columnOf(columns, c)
			parts[i] = append(parts[i], c)
		}
	}
	end()
}
