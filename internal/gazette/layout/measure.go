package layout

import (
	"math"
	"slices"
)

// span is the left and the right edge of a column.
type span struct{ left, right float64 }

// measure sets the fields of lines that depend on their column: indent, slack, centering, gap, size and
// weight.
func measure(sheets []*sheet) {
	usual := usualEdges(sheets)
	for _, s := range sheets {
		edges := s.edges()
		for c, e := range edges {
			edges[c] = widen(e, usual[c])
		}
		for i := range s.laid {
			s.laid[i].measure(edges[s.laid[i].column])
			s.laid[i].line.Gap = s.gapAbove(i)
		}
		s.uncenter()
	}
}

// measure sets the fields of a line in a column with edges e.
func (l *laid) measure(e span) {
	l.line.Size, l.line.Bold = setting(l.cells)
	l.line.Indent = max(0, l.r[0]-e.left)
	l.line.Slack = max(0, e.right-l.r[2])
	width := e.right - e.left
	off := math.Abs(l.line.Indent - l.line.Slack)
	room := max(0.03*width, 4)
	l.line.Centered = l.line.Indent > room && l.line.Slack > room && off < max(0.06*width, 6)
}

// uncenter clears Centered on indented lines that are not centered, but whose distance from the right edge equals
// their indent by chance. Such a line has an adjacent line with the same indent and another end.
func (s *sheet) uncenter() {
	var wrong []int
	for i, l := range s.laid {
		if l.line.Centered && (s.flush(i, i-1) || s.flush(i, i+1)) {
			wrong = append(wrong, i)
		}
	}
	for _, i := range wrong {
		s.laid[i].line.Centered = false
	}
}

// flush reports whether lines i and j are in the same column, begin at the same indent, and end at different
// places.
func (s *sheet) flush(i, j int) bool {
	if j < 0 || j >= len(s.laid) || s.laid[i].column != s.laid[j].column {
		return false
	}
	a, b := s.laid[i].line, s.laid[j].line
	return math.Abs(a.Indent-b.Indent) < 1.5 && math.Abs(a.Slack-b.Slack) > 4 ||
		math.Abs(a.Indent-b.Indent) < 0.2 && a.Slack != b.Slack
}

// gapAbove returns the white space between line i and the nearest line above it, in its column or across the
// columns.
func (s *sheet) gapAbove(i int) float64 {
	l := s.laid[i]
	gap := math.Inf(1)
	const back = 200 // in lines; no column has more
	for j := i - 1; j >= max(0, i-back); j-- {
		o := s.laid[j]
		if o.r[0] < l.r[2] && l.r[0] < o.r[2] || o.column == l.column {
			if d := l.r[1] - o.r[3]; (o.r[1]+o.r[3])/2 < (l.r[1]+l.r[3])/2 {
				gap = min(gap, d)
				if o.column == l.column {
					break
				}
			}
		}
	}
	if math.IsInf(gap, 1) {
		return 0
	}
	return max(0, gap)
}

// edges returns the edges of the columns, as the lines of the sheet show them. It ignores one line in twenty,
// because justified columns have lines that stick out. Lines across the columns have the edges of all text.
func (s *sheet) edges() map[int]span {
	left, right := map[int][]float64{}, map[int][]float64{}
	addEdges := func(c int, l laid) {
		left[c], right[c] = append(left[c], l.r[0]), append(right[c], l.r[2])
	}
	for _, l := range s.laid {
		addEdges(l.column, l)
		if l.column >= 0 {
			addEdges(-1, l)
		}
	}
	out := map[int]span{}
	for c, x := range left {
		slices.Sort(x)
		slices.Sort(right[c])
		skip := len(x) / 20
		out[c] = span{x[skip], right[c][len(x)-1-skip]}
	}
	return out
}

// usualEdges returns the median edges of each column over all pages.
func usualEdges(sheets []*sheet) map[int]span {
	left, right := map[int][]float64{}, map[int][]float64{}
	for _, s := range sheets {
		for c, e := range s.edges() {
			left[c], right[c] = append(left[c], e.left), append(right[c], e.right)
		}
	}
	out := map[int]span{}
	for c := range left {
		slices.Sort(left[c])
		slices.Sort(right[c])
		out[c] = span{left[c][len(left[c])/2], right[c][len(right[c])/2]}
	}
	return out
}

// widen corrects the edges of a page with little text, using the usual ones.
func widen(e, usual span) span {
	if e.right-e.left > 0.7*(usual.right-usual.left) {
		return e
	}
	if usual.left <= e.left+2 && usual.right >= e.right-2 {
		return span{min(e.left, usual.left), max(e.right, usual.right)}
	}
	return e
}
