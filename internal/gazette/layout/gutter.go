package layout

import (
	"cmp"
	"math"
	"slices"

	"vigueur/internal/law"
)

// parting is where a region is parted into columns: at one x, and perhaps at others
// beside it.
type parting struct {
	at     float64
	others []float64
	white  span // between the lines on its two sides, empty where they leave none
}

// cut parts the chunks that reach over the white of a gutter from one column into the
// other: words on both sides whose boxes are so high that the space between them seems
// one between words. A line across the columns has no such space just there.
func (g parting) cut(chunks []chunk) []chunk {
	if !(g.white.right > g.white.left) {
		return chunks
	}
	out := chunks
	for i, c := range chunks {
		k := c.over(g.white)
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

// over is the index of the cell before which a chunk has a space over all of white, 0 for
// none.
func (c chunk) over(white span) int {
	if c.r[0] >= white.left || c.r[2] <= white.right {
		return 0
	}
	k := slices.IndexFunc(c.cells, func(o cell) bool { return o.r[2] > white.left })
	if k > 0 && c.cells[k].r[0] >= white.right {
		return k
	}
	return 0
}

// column is the column around x.
func (g parting) column(x float64, edge span) span {
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

// gutter looks for the white space between two columns: the place where the
// most lines have another line beside them and nothing between, and which parts
// running text from running text. A table has such places too, but its cells
// are not filled with words.
//
// Of three columns the text beside the place is one column on one of its sides, and
// two on the other: each is held against its own width.
func gutter(chunks []chunk) (parting, bool) {
	if len(chunks) < 6 {
		return parting{}, false
	}
	region := chunks[0].r
	for _, c := range chunks[1:] {
		region = union(region, c.r)
	}
	if g, ok := mostGaps(chunks, region); ok && !labels(chunks, g.at) {
		chunks := g.cut(chunks)
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
	return parting{at: g}, ok && !labels(chunks, g)
}

// runningAll reports whether a band holds running text in each of the columns that g
// parts: three lines or more, at the same height, of which half are filled with words.
func runningAll(chunks []chunk, g parting, region law.Rect) bool {
	parts := map[span][]chunk{}
	for _, c := range chunks {
		at := g.column((c.r[0]+c.r[2])/2, span{region[0], region[2]})
		parts[at] = append(parts[at], c)
	}
	if len(parts) != len(g.others)+2 {
		return false
	}
	top, bottom, high := math.Inf(-1), math.Inf(1), 0.0
	for at, part := range parts {
		rows := rowsOf(part)
		if len(rows) < 3 || !filled(rows, at.right-at.left, 0.5) {
			return false
		}
		top, bottom = max(top, rows[0].r[1]), min(bottom, rows[len(rows)-1].r[3])
		high = max(high, rows[0].r[3]-rows[0].r[1])
	}
	return bottom-top > 3*high
}

// bins is how finely a region's width is divided to count what lies where.
const bins = 400

// counted is how many things cover each bin of a region's width.
type counted [bins + 1]int

// add counts what lies from x0 to x1, but for its outermost bins.
func (c *counted) add(region law.Rect, x0, x1 float64) {
	bin := func(x float64) int {
		return int(min(max((x-region[0])/(region[2]-region[0])*bins, 0), bins))
	}
	for i := bin(x0) + 1; i < bin(x1); i++ {
		c[i]++
	}
}

// mostGaps is the x within the middle of region where the most gaps between
// neighbors at one height lie over one another, less the chunks that stand in
// the way; beside it, on each side, the next such place that is half as good.
func mostGaps(chunks []chunk, region law.Rect) (parting, bool) {
	width := region[2] - region[0]
	if !(width > 1) || math.IsInf(width, 0) {
		return parting{}, false
	}
	var votes, cover counted
	white := gaps(chunks)
	for _, gap := range white {
		votes.add(region, gap[0], gap[1])
	}
	for _, c := range chunks {
		cover.add(region, c.r[0], c.r[2])
	}
	places := ranked{votes: &votes, cover: &cover}
	at := places.best(bins*15/100, bins*85/100)
	if at < 0 {
		return parting{}, false
	}
	x := func(i int) float64 { return region[0] + (places.middle(i)+0.5)/bins*width }
	g := parting{at: x(at)}
	g.white = common(white, g.at)
	const apart = bins * 15 / 100
	for _, beside := range []int{places.best(apart, at-apart), places.best(at+apart, bins-apart)} {
		if beside >= 0 && 2*places.score(beside) >= places.score(at) {
			g.others = append(g.others, x(beside))
		}
	}
	return g, true
}

// mostLines is the share of the gaps over a gutter that leave its white: lines of scans
// stick out, and dirt stands between.
const mostLines = 0.9

// common is the white that most of the gaps over x have in common.
func common(gaps [][2]float64, x float64) span {
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

// ranked are the places of a region that may part columns: how many gaps lie over one
// another there, and how many chunks.
type ranked struct{ votes, cover *counted }

func (r ranked) score(i int) int { return r.votes[i] - r.cover[i] }

// best is the best of the places from..to, -1 where none may part columns. Of places
// that are as good it is the middle one: a summary's page numbers, which stand beside
// their column, part it from themselves.
func (r ranked) best(from, to int) int {
	at := -1
	off := func(i int) int { return max(2*i-bins, bins-2*i) } // from the middle
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

// middle is that of the places around i that are as good as it is.
func (r ranked) middle(i int) float64 {
	from, to := i, i
	for from > 0 && r.score(from-1) == r.score(i) {
		from--
	}
	for to < bins && r.score(to+1) == r.score(i) {
		to++
	}
	return float64(from+to) / 2
}

// gaps are the white spaces from each chunk to its nearest neighbor on the
// right at the same height.
func gaps(chunks []chunk) [][2]float64 {
	order := make([]int, len(chunks))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(chunks[b].r[0], chunks[a].r[0]) })
	seen := shelves{} // from right to left
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
