package articles

import (
	"strings"
	"unicode/utf8"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// plainLines makes lines of texts, without places.
func plainLines(texts ...string) []line.Line {
	var out []line.Line
	for _, t := range texts {
		var l layout.Line
		for w := range strings.FieldsSeq(t) {
			l.Words = append(l.Words, layout.Word{Text: w})
		}
		out = append(out, line.Line{Line: l, Text: t, Opens: true})
	}
	return out
}

// typedLines makes lines of a typewritten page, on which a letter is 6 points wide.
func typedLines(text string) []line.Line {
	var p layout.Page
	for row, t := range strings.Split(strings.Trim(text, "\n"), "\n") {
		l := layout.Line{Page: 1, Size: 10, Gap: 2}
		pos := 0
		for _, w := range strings.Split(t, " ") {
			n := utf8.RuneCountInString(w)
			if w != "" {
				left, top := 50+6*float64(pos), 50+12*float64(row)
				l.Words = append(l.Words, layout.Word{Text: w, Size: 10, Rect: law.Rect{left, top, left + 6*float64(n), top + 10}})
			}
			pos += n + 1
		}
		if len(l.Words) > 0 {
			l.Rect = line.BoundsOf(l.Words)
			p.Lines = append(p.Lines, l)
		}
	}
	return line.Flatten([]layout.Page{p})
}

func textsOf(lines []line.Line) (out []string) {
	for _, l := range lines {
		out = append(out, l.Text)
	}
	return out
}
