package segment_test

import (
	"strings"
	"unicode/utf8"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// typed returns the arranged pages of a typewritten text. A form feed begins a page, leading blanks are the
// indent, and the column is as wide as its longest line. Letters are 6 points wide, lines 12 points apart.
func typed(text string) []layout.Page {
	var out []layout.Page
	width := 0
	for l := range strings.SplitSeq(text, "\n") {
		width = max(width, utf8.RuneCountInString(l))
	}
	for n, sheet := range strings.Split(text, "\f") {
		p := layout.Page{Number: n + 1, Width: 595, Height: 842, Source: layout.Layer}
		gap := 0.0
		for row, l := range strings.Split(sheet, "\n") {
			if strings.TrimSpace(l) == "" {
				gap = 12
				continue
			}
			p.Lines = append(p.Lines, typedLine(l, n+1, row, width, gap))
			gap = 2
		}
		out = append(out, p)
	}
	return out
}

func typedLine(text string, number, row, width int, gap float64) layout.Line {
	l := layout.Line{Page: number, Size: 10, Gap: gap}
	column := 0
	for i, w := range strings.Split(text, " ") {
		if i > 0 {
			column++
		}
		n := utf8.RuneCountInString(w)
		if strings.TrimSpace(w) != "" {
			left := 50 + 6*float64(column)
			top := 50 + 12*float64(row)
			l.Words = append(l.Words, layout.Word{Text: w, Size: 10, Rect: law.Rect{left, top, left + 6*float64(n), top + 10}})
		}
		column += n
	}
	if len(l.Words) > 0 {
		l.Rect = law.Rect{l.Words[0].Rect[0], l.Words[0].Rect[1], l.Words[len(l.Words)-1].Rect[2], l.Words[0].Rect[3]}
	}
	l.Indent = l.Rect[0] - 50
	l.Slack = max(0, 50+6*float64(width)-l.Rect[2])
	return l
}
