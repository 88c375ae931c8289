package recheck

import (
	"slices"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/law"
)

// pad is the white space around letters that recognition needs, in points.
const pad = 4

// piece is the part of a place in one column of one page.
type piece struct {
	page   int // index of the page
	column int
	rect   law.Rect // on the straightened page
	high   float64  // height of the tallest line in it
}

// pieces returns the parts of a place, lines [from,to) of the issue, that are on scanned pages, in reading order.
func (c *check) pieces(from, to int) []piece {
	var out []piece
	for i := from; i < to; i++ {
		l := c.issue.Lines[i]
		page := slices.IndexFunc(c.pages, func(p layout.Page) bool { return p.Number == l.Page })
		if page < 0 || !c.pages[page].Rereadable() {
			continue
		}
		at := slices.IndexFunc(c.pages[page].Lines, func(line layout.Line) bool { return line.Rect == l.Rect && line.Text() == l.Text })
		if at < 0 {
			continue // a person corrected the line
		}
		line := c.pages[page].Lines[at]
		r := straightLine(c.pages[page], line)
		n := len(out) - 1
		if n < 0 || out[n].page != page || out[n].column != line.Column {
			out = append(out, piece{page: page, column: line.Column, rect: r})
			n++
		}
		out[n].rect = union(out[n].rect, r)
		out[n].high = max(out[n].high, r[3]-r[1])
	}
	for i := range out {
		c.widen(&out[i], i == 0, i == len(out)-1)
	}
	return out
}

// widen extends a piece to the width of its column and, where the place continues in another piece, by two lines,
// because a head may have been lost completely there.
func (c *check) widen(p *piece, first, last bool) {
	for _, l := range c.pages[p.page].Lines {
		if l.Column == p.column && len(l.Words) > 0 {
			r := straightLine(c.pages[p.page], l)
			p.rect[0], p.rect[2] = min(p.rect[0], r[0]), max(p.rect[2], r[2])
		}
	}
	if !first {
		p.rect[1] = max(0, p.rect[1]-2*p.high)
	}
	if !last {
		p.rect[3] = min(c.pages[p.page].Height, p.rect[3]+2*p.high)
	}
}

// straightLine returns the rectangle of a line on its straightened page.
func straightLine(p layout.Page, l layout.Line) law.Rect {
	out := ocr.Straight(p, l.Words[0].Rect)
	for _, w := range l.Words[1:] {
		out = union(out, ocr.Straight(p, w.Rect))
	}
	return out
}

// margin returns the rectangle of the piece with the white space around it.
func (p piece) margin() law.Rect {
	return law.Rect{max(0, p.rect[0]-pad), max(0, p.rect[1]-pad), p.rect[2] + pad, p.rect[3] + pad}
}

// contains reports whether the center of a rectangle, as displayed, is in the piece.
func (p piece) contains(page layout.Page, r law.Rect) bool {
	s := ocr.Straight(page, r)
	x, y := (s[0]+s[2])/2, (s[1]+s[3])/2
	return x >= p.rect[0] && x <= p.rect[2] && y >= p.rect[1] && y <= p.rect[3]
}

// linesIn returns the lines whose center is in the piece.
func (p piece) linesIn(page layout.Page, lines [][]layout.Word) [][]layout.Word {
	return slices.DeleteFunc(slices.Clone(lines), func(words []layout.Word) bool { return !p.contains(page, around(words)) })
}

func union(a, b law.Rect) law.Rect {
	return law.Rect{min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])}
}

func around(words []layout.Word) law.Rect {
	r := words[0].Rect
	for _, w := range words[1:] {
		r = union(r, w.Rect)
	}
	return r
}
