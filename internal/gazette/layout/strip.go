package layout

import (
	"cmp"
	"math"
	"slices"

	"vigueur/internal/law"
)

// The minimum height of a gutter that is found as a white strip: as a share of its region, and in heights of a
// line.
const (
	stripShare = 0.3
	stripLines = 10
	// The minimum share of filled lines on each side of the strip. It is lower than for gutters found by counting gaps,
	// because the columns of a summary have headings and page numbers.
	stripFilled = 0.25
)

// whiteStrip looks for the gutter of columns whose lines are at different heights, or that fill only a part
// of the page, so that counting gaps finds nothing. It returns the highest white strip in the middle of the
// region that has running text on both sides.
func whiteStrip(chunks []chunk, region law.Rect) (float64, bool) {
	width, height := region[2]-region[0], region[3]-region[1]
	if !(width > 1) || !(height > 1) {
		return 0, false
	}
	sorted := slices.Clone(chunks)
	slices.SortStableFunc(sorted, func(a, b chunk) int { return cmp.Compare(a.r[1], b.r[1]) })
	heights := make([]float64, len(sorted))
	for i, c := range sorted {
		heights[i] = c.r[3] - c.r[1]
	}
	slices.Sort(heights)
	least := max(stripShare*height, stripLines*heights[len(heights)/2])
	var best, from, to float64 // height of the strip, and its left and right edge
	var where span             // its top and bottom
	const steps = 200
	middle := (region[0] + region[2]) / 2
	for i := steps * 42 / 100; i <= steps*58/100; i++ {
		x := region[0] + width*float64(i)/steps
		white := highest(sorted, x, region)
		high := white.right - white.left
		switch {
		case high < least || high < best-1:
		case high <= best+1 && x-to < 1.5*width/steps:
			to = x
		case high > best+1 || math.Abs(x-middle) < math.Abs((from+to)/2-middle):
			best, where, from, to = high, white, x, x
		}
	}
	if best == 0 {
		return 0, false
	}
	g := (from + to) / 2
	var beside []chunk
	for _, c := range chunks {
		if mid := (c.r[1] + c.r[3]) / 2; mid > where.left && mid < where.right {
			beside = append(beside, c)
		}
	}
	return g, running(beside, g, region, stripFilled)
}

// highest returns the longest interval of the vertical line at x that no chunk touches, from top (left) to
// bottom (right). The chunks are sorted by their tops.
func highest(sorted []chunk, x float64, region law.Rect) span {
	free := region[1]
	var best span
	for _, c := range sorted {
		if c.r[0] > x || c.r[2] < x {
			continue
		}
		if c.r[1]-free > best.right-best.left {
			best = span{free, c.r[1]}
		}
		free = max(free, c.r[3])
	}
	if region[3]-free > best.right-best.left {
		best = span{free, region[3]}
	}
	return best
}
