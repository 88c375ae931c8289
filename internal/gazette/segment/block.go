package segment

import (
	"slices"

	"vigueur/internal/gazette/layout"
)

// Who sign together stand beside each other: « Le Ministre de l'Économie » and « Le
// Ministre du Commerce » on one line, their names on another. Two such lines or
// more make blocks, which are read one after the other.

// blockGap is how many heights of a line the white space between two blocks is
// wide at least.
const blockGap = 1.5

// inBlocks puts the lines of signatures that stand beside each other into order:
// what stands left of the widest white space, then what stands right of it, each
// in its blocks in turn.
func inBlocks(lines []line) []line {
	out := make([]line, 0, len(lines))
	for i := 0; i < len(lines); {
		n, at := besides(lines[i:])
		if n == 0 {
			out = append(out, lines[i])
			i++
			continue
		}
		var left, right []line
		for _, l := range lines[i : i+n] {
			a, b := l.parted(at)
			left, right = append(left, a...), append(right, b...)
		}
		out = append(append(out, inBlocks(left)...), inBlocks(right)...)
		i += n
	}
	return out
}

// besides tells how many lines from the first on stand in two blocks, and where
// they part; 0 when fewer than two do.
func besides(lines []line) (n int, at float64) {
	white, ok := lines[0].white(0, lines[0].Rect[2])
	if !ok {
		return 0, 0
	}
	both, last := 1, 1
	for i := 1; i < len(lines); i++ {
		l := lines[i]
		if l.Page != lines[0].Page || l.Column != lines[0].Column || l.Gap > 6*max(l.scale, 10) {
			break
		}
		if narrower, ok := l.white(white[0], white[1]); ok {
			white, last = narrower, i+1
			both++
			continue
		}
		if l.Rect[2] > white[0] && l.Rect[0] < white[1] || l.Gap > l.scale {
			break
		}
		last = i + 1 // one block is longer than the other
	}
	if both < 2 {
		return 0, 0
	}
	return last, (white[0] + white[1]) / 2
}

// white is the widest white space between two words of a line within from and to.
func (l line) white(from, to float64) (space [2]float64, ok bool) {
	for i := 1; i < len(l.Words); i++ {
		prev, next := l.Words[i-1].Rect, l.Words[i].Rect
		a, b := max(from, prev[2]), min(to, next[0])
		high := min(prev[3]-prev[1], next[3]-next[1]) // a signature written over one makes the line higher
		if b-a > blockGap*max(high, 6) && b-a > space[1]-space[0] {
			space, ok = [2]float64{a, b}, true
		}
	}
	return space, ok
}

// parted cuts a line at x into what stands left and what stands right of it.
func (l line) parted(x float64) (left, right []line) {
	at := slices.IndexFunc(l.Words, func(w layout.Word) bool { return w.Rect[0] >= x })
	switch at {
	case -1:
		return []line{l}, nil
	case 0:
		return nil, []line{l}
	}
	a, b := l, l
	a.Words, b.Words = l.Words[:at:at], l.Words[at:]
	for _, part := range []*line{&a, &b} {
		part.Rect, part.text = around(part.Words), part.Line.Text()
		part.opens, part.mid, part.wide = true, false, false
	}
	a.Slack, b.Indent = l.Slack+l.Rect[2]-a.Rect[2], l.Indent+b.Rect[0]-l.Rect[0]
	return []line{a}, []line{b}
}
