package label

import (
	"slices"
	"strings"

	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// pageMeasure holds the usual type size and gap of a page. The type size and the gap of each line of the page are
// compared to them.
type pageMeasure struct{ scale, space float64 }

// measurePage measures the page of lines[0].
func measurePage(lines []line.Line) pageMeasure {
	n := 1
	for n < len(lines) && lines[n].Page == lines[0].Page {
		n++
	}
	scales, gaps := make([]float64, 0, n), make([]float64, 0, n)
	for i := range lines[:n] {
		scales = append(scales, lines[i].Scale)
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

// gapBucket returns a bucket for the white space above a line, minus the usual gap, in heights of a line.
func (m pageMeasure) gapBucket(l *line.Line) string {
	return bucket((l.Gap-m.space)/max(m.scale, 4), -0.25, 0.15, 0.5, 1, 2, 4)
}

// sizeBucket returns a bucket for the type size of a line, relative to the usual type size.
func (m pageMeasure) sizeBucket(l *line.Line) string {
	return bucket(l.Scale/max(m.scale, 1), 0.8, 0.93, 1.07, 1.25, 1.6)
}

// shapeOf returns buckets for the place of a line in its column: its indent, the space after it, and the
// width of the column.
func shapeOf(l *line.Line) string {
	width := max(l.Rect[2]-l.Rect[0]+l.Indent+l.Slack, 1)
	size := max(l.Scale, 4)
	return bucket(l.Indent/size, 0.3, 1.2, 3, 8) + bucket(l.Slack/width, 0.03, 0.15, 0.5) + bucket(width/size, 20, 40)
}

// prefixes counts the lines of a file that begin alike.
type prefixes struct {
	seen  map[string]int
	total map[string]int
}

// prefixLetters is how many letters and digits are compared.
const prefixLetters = 28

// beginnings counts the beginnings of all lines.
func beginnings(lines []line.Line) prefixes {
	p := prefixes{seen: map[string]int{}, total: map[string]int{}}
	for i := range lines {
		if key := prefixOf(lines[i].Text); key != "" {
			p.total[key]++
		}
	}
	return p
}

// repeatFlags reports, as two flags, whether an earlier line begins with the same letters as the given one, and whether
// a later line does: an entry of a summary comes again later, as a title. Call it once for each line, in order.
func (p prefixes) repeatFlags(text string) string {
	key := prefixOf(text)
	if key == "" {
		return "none"
	}
	before := p.seen[key]
	p.seen[key]++
	return flag(before > 0) + flag(p.total[key]-before > 1)
}

// prefixOf returns the first letters and digits of a line, "" if it has fewer than prefixLetters.
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
