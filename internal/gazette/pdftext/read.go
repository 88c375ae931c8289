package pdftext

import (
	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// maxChars bounds the characters read of one page; the densest real page of a
// gazette has about 12,000.
const maxChars = 400_000

// pages returns the page count of doc.
func (e *engine) pages(doc uint64) int { return e.int("FPDF_GetPageCount", doc) }

// withPage loads page n (from 1) and calls f with its handle. It reports whether the
// page could be loaded.
func (e *engine) withPage(doc uint64, n int, f func(handle uint64)) bool {
	h := uint64(uint32(e.call("FPDF_LoadPage", doc, uint64(n-1))))
	if h == 0 {
		return false
	}
	f(h)
	e.call("FPDF_ClosePage", h)
	return true
}

// read returns the words of page n and what is painted on it.
func (e *engine) read(doc uint64, n int) layout.Page {
	p := layout.Page{Number: n, Source: layout.None}
	ok := e.withPage(doc, n, func(h uint64) {
		f := e.frameOf(h)
		p.Width, p.Height = round2(f.width), round2(f.height)
		e.pictures(h, f, &p)
		e.words(h, f, &p)
	})
	if !ok {
		p.Fault = damagedPage(n)
	}
	if len(p.Words) > 0 {
		p.Source = layout.Layer
	}
	return p
}

// frame is the visible box of a page, in the page's own coordinates with the origin at
// the bottom left, and the clockwise quarter turns by which the page is displayed.
type frame struct {
	box           [4]float64 // left, top, right, bottom
	turns         int
	width, height float64 // as displayed
}

// frameOf reads the frame of a loaded page.
func (e *engine) frameOf(h uint64) frame {
	e.ok("FPDF_GetPageBoundingBox", h, e.at(0))
	f := frame{turns: e.int("FPDFPage_GetRotation", h) & 3}
	f.box = e.box()
	f.width, f.height = f.box[2]-f.box[0], f.box[1]-f.box[3]
	if f.turns%2 == 1 {
		f.width, f.height = f.height, f.width
	}
	return f
}

// place converts a box from the page's own coordinates to coordinates from the top
// left of the page as displayed.
func (f frame) place(left, top, right, bottom float64) law.Rect {
	ax, ay := f.point(left, top)
	bx, by := f.point(right, bottom)
	return law.Rect{min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)}
}

// point converts one point as place does.
func (f frame) point(x, y float64) (float64, float64) {
	x, y = x-f.box[0], y-f.box[3] // from the bottom left of the visible box
	w, h := f.box[2]-f.box[0], f.box[1]-f.box[3]
	switch f.turns {
	case 1:
		return y, x
	case 2:
		return w - x, y
	case 3:
		return h - y, w - x
	}
	return x, h - y
}

// words reads the characters of a loaded page, whose pictures are noted in p, groups them into words, and notes in p
// those that people can see.
func (e *engine) words(h uint64, f frame, p *layout.Page) {
	text := uint64(uint32(e.call("FPDFText_LoadPage", h)))
	if text == 0 {
		return
	}
	defer e.call("FPDFText_ClosePage", text)
	n := min(e.int("FPDFText_CountChars", text), maxChars)
	chars := make([]char, 0, max(n, 0))
	letter, box := e.function("FPDFText_GetUnicode"), e.function("FPDFText_GetLooseCharBox")
	for i := range n {
		r := rune(int32(uint32(e.run(letter, text, uint64(i)))))
		if i > 0 && r >= 0xDC00 && r <= 0xDFFF && len(chars) > 0 {
			if hi := chars[len(chars)-1].r; hi >= 0xD800 && hi <= 0xDBFF {
				chars[len(chars)-1].r = (hi-0xD800)<<10 + (r - 0xDC00) + 0x10000
				continue
			}
		}
		c := char{r: r, index: i}
		if !isSpace(r) && uint32(e.run(box, text, uint64(i), e.at(0))) != 0 {
			b := e.box()
			c.rect = f.place(b[0], b[1], b[2], b[3])
		}
		chars = append(chars, c)
	}
	set := styles{engine: e, text: text, frame: f, suspects: e.suspectsOf(h, p.Scan())}
	words, doubtful, objects := group(chars, set.of)
	words, p.Unseen = set.suspects.dropUnpainted(h, f, words, doubtful, objects)
	p.Words = MendCodes(words)
}
