package layout

import (
	"cmp"
	"math"
	"slices"
)

// A letterhead is two blocks side by side at the top of a first page: on the left the state, its motto and
// the ministry, on the right the title of the text. If it were read across, the lines of the title would
// begin with the state.
const (
	letterheadRows  = 12 // more rows are a table, or columns of text
	letterheadBoth  = 2  // the minimum number of rows with text on both sides
	letterheadWhite = 2  // the minimum space between the blocks, in heights of a line
)

// letterhead separates the two blocks at the top of a page from the rest. If there are none, left and right
// are empty and rest is everything. The blocks end at white space below both, or else at a line that extends
// below both.
func letterhead(chunks []chunk) (left, right, rest []chunk) {
	rows := rowsOf(chunks)
	most := min(letterheadRows, len(rows)-1)
	at := make([]float64, most+1) // where the first n rows are separated, 0 if nowhere
	for n := letterheadBoth; n <= most; n++ {
		if g, ok := whiteBetween(rows[:n]); ok && !marginNumbers(chunks, g) {
			at[n] = g
		}
	}
	end := 0
	for n := most; n > 0; n-- {
		through := func(c chunk) bool { return crosses(c.r, at[n]) }
		if at[n] > 0 && (isSetApart(rows, n) || end == 0 && slices.ContainsFunc(rows[n].chunks, through)) {
			end = n
		}
	}
	if end == 0 {
		return nil, nil, chunks
	}
	left, right = sides(chunksIn(rows[:end]), at[end])
	return left, right, chunksIn(rows[end:])
}

// isSetApart reports whether the space above row n is more than the space above each earlier row, and more than the
// height of row n.
func isSetApart(rows []row, n int) bool {
	above := func(i int) float64 { return rows[i].r[1] - rows[i-1].r[3] }
	for i := 1; i < n; i++ {
		if above(i) >= above(n) {
			return false
		}
	}
	return above(n) > rows[n].r[3]-rows[n].r[1]
}

// chunksIn returns the chunks of rows.
func chunksIn(rows []row) []chunk {
	var out []chunk
	for _, r := range rows {
		out = append(out, r.chunks...)
	}
	return out
}

// whiteBetween returns the middle of the widest white strip that separates all rows. ok is false if it is too
// narrow, or if too few rows have text on both of its sides.
func whiteBetween(rows []row) (float64, bool) {
	sorted := chunksIn(rows)
	slices.SortStableFunc(sorted, func(a, b chunk) int { return cmp.Compare(a.r[0], b.r[0]) })
	heights := make([]float64, 0, len(rows))
	for _, r := range rows {
		heights = append(heights, r.chunks[0].r[3]-r.chunks[0].r[1])
	}
	slices.Sort(heights)
	least := letterheadWhite * heights[len(heights)/2]
	best, at, end := least, 0.0, math.Inf(-1)
	for _, c := range sorted {
		if gap := c.r[0] - end; gap > best && !math.IsInf(end, -1) {
			best, at = gap, (c.r[0]+end)/2
		}
		end = max(end, c.r[2])
	}
	if best <= least {
		return 0, false
	}
	both := 0
	for _, r := range rows {
		if r.r[0] < at && r.r[2] > at {
			both++
		}
	}
	return at, both >= letterheadBoth
}
