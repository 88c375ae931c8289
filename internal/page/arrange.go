package page

import (
	"slices"

	"vigueur/internal/law"
)

// Arrange fills Lines and Aside of all pages of one file, in place: words into
// lines, lines into reading order, column by column, running heads, feet and
// page numbers aside. It wants all pages of the file at once, because what
// repeats from page to page is seen in no single one.
func Arrange(pages []Page) {
	for i := range pages {
		p := &pages[i]
		p.Lines, p.Aside = rows(p), nil
	}
}

// rows puts the words of a page into lines by their base line alone.
func rows(p *Page) []Line {
	words := slices.Clone(p.Words)
	slices.SortStableFunc(words, func(a, b Word) int {
		return int(a.Rect[3]) - int(b.Rect[3])
	})
	var out []Line
	for _, w := range words {
		if n := len(out) - 1; n >= 0 && w.Rect[3]-out[n].Rect[3] < (w.Rect[3]-w.Rect[1])/2 {
			out[n].Words = append(out[n].Words, w)
			continue
		}
		out = append(out, Line{Page: p.Number, Words: []Word{w}, Rect: w.Rect, Size: w.Size, Bold: w.Bold})
	}
	for i := range out {
		slices.SortStableFunc(out[i].Words, func(a, b Word) int { return int(a.Rect[0] - b.Rect[0]) })
		out[i].Rect = around(out[i].Words)
	}
	return out
}

// around is the smallest rectangle that holds the words.
func around(words []Word) law.Rect {
	r := words[0].Rect
	for _, w := range words[1:] {
		r[0], r[1] = min(r[0], w.Rect[0]), min(r[1], w.Rect[1])
		r[2], r[3] = max(r[2], w.Rect[2]), max(r[3], w.Rect[3])
	}
	return r
}
