package line

import (
	"slices"

	"vigueur/internal/gazette/layout"
)

// Joint signatories are printed side by side: « Le Ministre de l'Économie » and « Le Ministre du Commerce »
// on one line, their names on another. Two or more such lines form blocks, which are read one after the
// other.

// blockGap is the minimum width of the white space between two blocks, in heights of a line.
const blockGap = 1.5

// UnfoldBlocks puts lines of signatures that are printed side by side into reading order: the words left of the
// widest white space, then those right of it. Both halves may again consist of blocks.
func UnfoldBlocks(lines []Line) []Line {
	out := make([]Line, 0, len(lines))
	for i := 0; i < len(lines); {
		n, at := sideBySide(lines[i:])
		if n == 0 {
			out = append(out, lines[i])
			i++
			continue
		}
		var left, right []Line
		for _, l := range lines[i : i+n] {
			a, b := l.splitAt(at)
			left, right = append(left, a...), append(right, b...)
		}
		out = append(append(out, UnfoldBlocks(left)...), UnfoldBlocks(right)...)
		i += n
	}
	return out
}

// sideBySide returns the number of lines, from the first on, that form two blocks, and the x at which the blocks
// are separated. The number is 0 if fewer than two lines do.
func sideBySide(lines []Line) (n int, at float64) {
	white, ok := lines[0].white(0, lines[0].Rect[2])
	if !ok {
		return 0, 0
	}
	both, last := 1, 1
	for i := 1; i < len(lines); i++ {
		l := lines[i]
		if l.Page != lines[0].Page || l.Column != lines[0].Column || l.Gap > 6*max(l.Scale, 10) {
			break
		}
		if narrower, ok := l.white(white[0], white[1]); ok {
			white, last = narrower, i+1
			both++
			continue
		}
		if l.Rect[2] > white[0] && l.Rect[0] < white[1] || l.Gap > l.Scale {
			break
		}
		last = i + 1 // one block is longer than the other
	}
	if both < 2 {
		return 0, 0
	}
	return last, (white[0] + white[1]) / 2
}

// white returns the widest white space between two words of a line, within [from, to]. ok is false if none is
// as wide as blockGap.
func (l Line) white(from, to float64) (space [2]float64, ok bool) {
	for i := 1; i < len(l.Words); i++ {
		prev, next := l.Words[i-1].Rect, l.Words[i].Rect
		a, b := max(from, prev[2]), min(to, next[0])
		high := min(prev[3]-prev[1], next[3]-next[1]) // a signature written over a word makes its rectangle higher
		if b-a > blockGap*max(high, 6) && b-a > space[1]-space[0] {
			space, ok = [2]float64{a, b}, true
		}
	}
	return space, ok
}

// splitAt splits the line at x.
func (l Line) splitAt(x float64) (left, right []Line) {
	at := slices.IndexFunc(l.Words, func(w layout.Word) bool { return w.Rect[0] >= x })
	switch at {
	case -1:
		return []Line{l}, nil
	case 0:
		return nil, []Line{l}
	}
	a, b := l, l
	a.Words, b.Words = l.Words[:at:at], l.Words[at:]
	for _, part := range []*Line{&a, &b} {
		part.Rect, part.Text = BoundsOf(part.Words), part.Line.Text()
		part.Opens, part.Centered, part.Spaced = true, false, false
	}
	a.Slack, b.Indent = l.Slack+l.Rect[2]-a.Rect[2], l.Indent+b.Rect[0]-l.Rect[0]
	return []Line{a}, []Line{b}
}
