package segment

import (
	"slices"
	"strings"

	"vigueur/internal/law"
)

// pageMeasure is what is usual on a page: sizes and gaps are told against it.
type pageMeasure struct{ scale, space float64 }

// measurePage measures the page that lines begin with.
func measurePage(lines []line) pageMeasure {
	n := 1
	for n < len(lines) && lines[n].Page == lines[0].Page {
		n++
	}
	scales, gaps := make([]float64, 0, n), make([]float64, 0, n)
	for i := range lines[:n] {
		scales = append(scales, lines[i].scale)
		if i > 0 && lines[i].Column == lines[i-1].Column {
			gaps = append(gaps, lines[i].Gap)
		}
	}
	return pageMeasure{scale: median(scales), space: median(gaps)}
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// gap is the white space above a line against the usual one, in heights of a line.
func (m pageMeasure) gap(l *line) string {
	return bucket((l.Gap-m.space)/max(m.scale, 4), -0.25, 0.15, 0.5, 1, 2, 4)
}

// size is the size of type against the usual one.
func (m pageMeasure) size(l *line) string {
	return bucket(l.scale/max(m.scale, 1), 0.8, 0.93, 1.07, 1.25, 1.6)
}

// shapeOf is how a line lies in its column: indent, room behind it, and width.
func shapeOf(l *line) string {
	width := max(l.Rect[2]-l.Rect[0]+l.Indent+l.Slack, 1)
	size := max(l.scale, 4)
	return bucket(l.Indent/size, 0.3, 1.2, 3, 8) + bucket(l.Slack/width, 0.03, 0.15, 0.5) + bucket(width/size, 20, 40)
}

// prefixes counts how often the lines of a file begin alike.
type prefixes struct {
	seen  map[string]int
	total map[string]int
}

// prefixLetters is how many letters make a beginning.
const prefixLetters = 28

// beginnings counts the beginnings of all lines.
func beginnings(lines []line) prefixes {
	p := prefixes{seen: map[string]int{}, total: map[string]int{}}
	for i := range lines {
		if key := prefixOf(lines[i].text); key != "" {
			p.total[key]++
		}
	}
	return p
}

// of reports whether the beginning of a line stands before it, behind it, or both:
// a summary names what comes.
func (p prefixes) of(text string) string {
	key := prefixOf(text)
	if key == "" {
		return "none"
	}
	before := p.seen[key]
	p.seen[key]++
	return flag(before > 0) + flag(p.total[key]-before > 1)
}

// prefixOf is the first letters and figures of a line, "" for a short one.
func prefixOf(text string) string {
	var b strings.Builder
	for _, r := range law.Fold(text) {
		if runeClass(r) < 2 {
			b.WriteRune(r)
			if b.Len() >= prefixLetters {
				return b.String()
			}
		}
	}
	return ""
}
