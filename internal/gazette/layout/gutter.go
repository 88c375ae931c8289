package layout

import (
	"cmp"
	"math"
	"slices"

	"vigueur/internal/law"
)

// gutters says where a region is divided into columns: at the coordinate at and, with more than two columns, also at
// others.
type gutters struct {
	at     float64
	others []float64
	white  span // the white space between the columns on both sides of at, empty if there is none
}

// cutChunks splits each chunk that extends over the white space of the gutter and has a space there: its boxes are so
// high that the gutter seemed to be a space between words. A line across the columns has words there, and is kept.
func (g gutters) cutChunks(chunks []chunk) []chunk {
	if !(g.white.right > g.white.left) {
		return chunks
	}
	out := chunks
	for i, c := range chunks {
		k := c.spaceOver(g.white)
		if k == 0 {
			continue
		}
		if &out[0] == &chunks[0] {
			out = slices.Clone(chunks)
		}
		out[i] = chunk{cells: c.cells[:k:k], r: bounds(c.cells[:k])}
		out = append(out, chunk{cells: c.cells[k:], r: bounds(c.cells[k:])})
	}
	return out
}

// spaceOver returns the index of the first cell to the right of white if no cell of the chunk touches white, else 0.
func (c chunk) spaceOver(white span) int {
	if c.r[0] >= white.left || c.r[2] <= white.right {
		return 0
	}
	k := slices.IndexFunc(c.cells, func(o cell) bool { return o.r[2] > white.left })
	if k > 0 && c.cells[k].r[0] >= white.right {
		return k
	}
	return 0
}

// columnAt returns the edges of the column that contains x.
func (g gutters) columnAt(x float64, edge span) span {
	narrow := func(o float64) {
		if o <= x {
			edge.left = max(edge.left, o)
		} else {
			edge.right = min(edge.right, o)
		}
	}
	narrow(g.at)
	for _, o := range g.others {
		narrow(o)
	}
	return edge
}

// textAt is columnAt without the white space of the gutter, where no line of a column is printed.
func (g gutters) textAt(x float64, edge span) span {
	own := g.columnAt(x, edge)
	if g.white.left < g.at && g.at < g.white.right {
		if own.left == g.at {
			own.left = g.white.right
		}
		if own.right == g.at {
			own.right = g.white.left
		}
	}
	return own
}

// gutter finds the white space between two columns: the place that separates the most pairs of lines side by side, with
// nothing in between and with running text on both sides. Tables have such places too, but their cells are not filled
// with words. In a region of three columns, one side of this place is one column and the other side is two. The text of
// each column is compared with the width of its own column.
func gutter(chunks []chunk) (gutters, bool) {
	if len(chunks) < 6 {
		return gutters{}, false
	}
	region := chunks[0].r
	for _, c := range chunks[1:] {
		region = union(region, c.r)
	}
	if g, ok := mostGaps(chunks, region); ok && !marginNumbers(chunks, g.at) {
		chunks := g.cutChunks(chunks)
		if len(g.others) > 0 && slices.ContainsFunc(bands(chunks, g), func(b band) bool { return b.columns && runningAll(b.chunks, g, region) }) {
			return g, true
		}
		g.others = nil
		for _, b := range bands(chunks, g) {
			if b.columns && running(b.chunks, g.at, region, 0.5) {
				return g, true
			}
		}
	}
	g, ok := whiteStrip(chunks, region)
	return gutters{at: g}, ok && !marginNumbers(chunks, g)
}

// runningAll reports whether a band has running text in each of the columns of g: at least three lines at the same
// height, and half of these lines filled with words.
func runningAll(chunks []chunk, g gutters, region law.Rect) bool {
	parts := map[span][]chunk{}
	for _, c := range chunks {
		at := g.columnAt((c.r[0]+c.r[2])/2, span{region[0], region[2]})
		parts[at] = append(parts[at], c)
	}
	if len(parts) != len(g.others)+2 {
		return false
	}
	top, bottom, high := math.Inf(-1), math.Inf(1), 0.0
	for at, part := range parts {
		rows := rowsOf(part)
		if len(rows) < 3 || !isFilled(rows, at.right-at.left, 0.5) {
			return false
		}
		top, bottom = max(top, rows[0].r[1]), min(bottom, rows[len(rows)-1].r[3])
		high = max(high, rows[0].r[3]-rows[0].r[1])
	}
	return bottom-top > 3*high
}

// bins is the number of parts into which the width of a region is divided for counting.
const bins = 400

// counted holds how many chunks, or how many gaps, cover each bin of a region's width.
type counted [bins + 1]int

// countRange counts a chunk or a gap from x0 to x1, without its outermost bins.
func (c *counted) countRange(region law.Rect, x0, x1 float64) {
	bin := func(x float64) int {
		return int(min(max((x-region[0])/(region[2]-region[0])*bins, 0), bins))
	}
	for i := bin(x0) + 1; i < bin(x1); i++ {
		c[i]++
	}
}

// mostGaps returns the place in the middle part of region with the best score: the number of gaps between chunks there,
// minus the number of chunks that cover it. Its others are the best places on each side that score at least half as much.
func mostGaps(chunks []chunk, region law.Rect) (gutters, bool) {
	width := region[2] - region[0]
	if !(width > 1) || math.IsInf(width, 0) {
		return gutters{}, false
	}
	var votes, cover counted
	white := chunkGaps(chunks)
	for _, gap := range white {
		votes.countRange(region, gap[0], gap[1])
	}
	for _, c := range chunks {
		cover.countRange(region, c.r[0], c.r[2])
	}
	places := gutterScores{votes: &votes, cover: &cover}
	at := places.bestPlace(bins*15/100, bins*85/100)
	if at < 0 {
		return gutters{}, false
	}
	x := func(i int) float64 { return region[0] + (places.middle(i)+0.5)/bins*width }
	g := gutters{at: x(at)}
	g.white = commonWhite(white, g.at)
	const apart = bins * 15 / 100
	for _, beside := range []int{places.bestPlace(apart, at-apart), places.bestPlace(at+apart, bins-apart)} {
		if beside >= 0 && 2*places.score(beside) >= places.score(at) {
			g.others = append(g.others, x(beside))
		}
	}
	return g, true
}

// mostLines is the share of the gaps at a gutter that leave its white space free. In scans some lines stick
// out, and there is dirt in the gutter.
const mostLines = 0.9

// commonWhite returns the white space that most of the gaps around x share.
func commonWhite(gaps [][2]float64, x float64) span {
	var from, to []float64
	for _, gap := range gaps {
		if gap[0] < x && gap[1] > x {
			from, to = append(from, gap[0]), append(to, gap[1])
		}
	}
	if len(from) == 0 {
		return span{}
	}
	slices.Sort(from)
	slices.Sort(to)
	last := len(from) - 1
	white := span{from[int(mostLines*float64(last))], to[last-int(mostLines*float64(last))]}
	slack := max(0, min(overhang, (white.right-white.left)/4))
	return span{white.left + slack, white.right - slack}
}

// gutterScores rates the places of a region that may separate columns, by the number of gaps and the number of
// chunks that cover each bin.
type gutterScores struct{ votes, cover *counted }

func (r gutterScores) score(i int) int { return r.votes[i] - r.cover[i] }

// bestPlace returns the bin in from..to with the best score, -1 if no bin can separate columns. Of bins with equal
// scores it returns the one nearest to the middle of the region, because in a summary there is also a gap between a
// column and its page numbers.
func (r gutterScores) bestPlace(from, to int) int {
	at := -1
	off := func(i int) int { return max(2*i-bins, bins-2*i) } // distance from the middle of the region
	for i := from; i <= to; i++ {
		if r.votes[i] < 3 || 2*r.votes[i] < r.cover[i] {
			continue
		}
		if at < 0 || r.score(i) > r.score(at) || r.score(i) == r.score(at) && off(i) < off(at) {
			at = i
		}
	}
	return at
}

// middle returns the middle of the adjacent bins that have the same score as i.
func (r gutterScores) middle(i int) float64 {
	from, to := i, i
	for from > 0 && r.score(from-1) == r.score(i) {
		from--
	}
	for to < bins && r.score(to+1) == r.score(i) {
		to++
	}
	return float64(from+to) / 2
}

// chunkGaps returns the white space from each chunk to its nearest neighbor on the right, at the same height.
func chunkGaps(chunks []chunk) [][2]float64 {
	order := make([]int, len(chunks))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(chunks[b].r[0], chunks[a].r[0]) })
	seen := shelves{} // filled from right to left
	var out [][2]float64
	for _, i := range order {
		r := chunks[i].r
		near := math.Inf(1)
		for j := range seen.near(r) {
			if o := chunks[j].r; o[0] > r[2] && level(r, o) >= 0.3 {
				near = min(near, o[0])
			}
		}
		if !math.IsInf(near, 1) {
			out = append(out, [2]float64{r[2], near})
		}
		seen.put(r, i)
	}
	return out
}
