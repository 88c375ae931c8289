package pdftext

import (
	"math"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/page"
)

// maxChars bounds the characters read of one page; the densest real page of a
// gazette has about 12,000.
const maxChars = 400_000

// pages gives the page count of doc.
func (e *engine) pages(doc uint64) int { return e.int("FPDF_GetPageCount", doc) }

// withPage calls f with page n (from 1) loaded, and tells whether it could be.
func (e *engine) withPage(doc uint64, n int, f func(handle uint64)) bool {
	h := uint64(uint32(e.call("FPDF_LoadPage", doc, uint64(n-1))))
	if h == 0 {
		return false
	}
	f(h)
	e.call("FPDF_ClosePage", h)
	return true
}

// read gives the words of page n and what is painted on it.
func (e *engine) read(doc uint64, n int) page.Page {
	p := page.Page{Number: n, Source: page.None}
	ok := e.withPage(doc, n, func(h uint64) {
		f := e.frameOf(h)
		p.Width, p.Height = round2(f.width), round2(f.height)
		p.Words = e.words(h, f)
		e.pictures(h, f, &p)
	})
	if !ok {
		p.Fault = damagedPage(n)
	}
	if len(p.Words) > 0 {
		p.Source = page.Layer
	}
	return p
}

// frame is how a page lies: its visible box in its own coordinates, origin at
// the bottom left, and the quarter turns by which it is shown.
type frame struct {
	box           [4]float64 // left, top, right, bottom
	turns         int
	width, height float64 // as displayed
}

// frameOf reads the frame of a loaded page.
func (e *engine) frameOf(h uint64) frame {
	e.ok("FPDF_GetPageBoundingBox", h, e.at(0))
	f := frame{turns: e.int("FPDFPage_GetRotation", h) & 3}
	for i := range f.box {
		f.box[i] = e.float32At(uint32(i))
	}
	f.width, f.height = f.box[2]-f.box[0], f.box[1]-f.box[3]
	if f.turns%2 == 1 {
		f.width, f.height = f.height, f.width
	}
	return f
}

// place turns a box of the page's own coordinates into one from the top left of
// the page as displayed.
func (f frame) place(left, top, right, bottom float64) law.Rect {
	ax, ay := f.point(left, top)
	bx, by := f.point(right, bottom)
	return law.Rect{min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)}
}

// point turns one point.
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

// words reads the characters of a loaded page and groups them.
func (e *engine) words(h uint64, f frame) []page.Word {
	text := uint64(uint32(e.call("FPDFText_LoadPage", h)))
	if text == 0 {
		return nil
	}
	defer e.call("FPDFText_ClosePage", text)
	n := min(e.int("FPDFText_CountChars", text), maxChars)
	chars := make([]char, 0, max(n, 0))
	for i := range n {
		r := rune(e.int("FPDFText_GetUnicode", text, uint64(i)))
		if i > 0 && r >= 0xDC00 && r <= 0xDFFF && len(chars) > 0 {
			if hi := chars[len(chars)-1].r; hi >= 0xD800 && hi <= 0xDBFF {
				chars[len(chars)-1].r = (hi-0xD800)<<10 + (r - 0xDC00) + 0x10000
				continue
			}
		}
		c := char{r: r, index: i}
		if !isSpace(r) && e.ok("FPDFText_GetLooseCharBox", text, uint64(i), e.at(0)) {
			c.rect = f.place(e.float32At(0), e.float32At(1), e.float32At(2), e.float32At(3))
		}
		chars = append(chars, c)
	}
	return group(chars, func(i int) style { return e.style(text, f, i) })
}

// turnOf makes a turn of an angle, clockwise in radians, and the page's own
// quarter turns. A scan is rarely quite straight, so ten degrees are allowed.
func turnOf(angle float64, turns int) page.Turn {
	quarters := angle / (math.Pi / 2)
	near := math.Round(quarters)
	if math.IsNaN(near) || math.Abs(quarters-near) > 1.0/9 {
		return page.Askew
	}
	return page.Turn((int(near)%4 + 4 + turns) % 4)
}

// Bits of a font descriptor's flags (PDF 32000-1, table 123).
const (
	flagItalic    = 1 << 6
	flagForceBold = 1 << 18
)

// renderFillStroke is the text mode by which word processors make a font bold.
const renderFillStroke = 2

// style reads how character i is set. The size is the font's times the scale of
// the text matrix, which is how tall it is on the page.
func (e *engine) style(text uint64, f frame, i int) style {
	angle := math.Float32frombits(uint32(e.call("FPDFText_GetCharAngle", text, uint64(i))))
	s := style{turn: turnOf(float64(angle), f.turns)}
	if e.ok("FPDFText_GetCharOrigin", text, uint64(i), e.at(0), e.at(2)) {
		s.x, s.y = f.point(e.float64At(0), e.float64At(2))
	}
	size := math.Float64frombits(e.call("FPDFText_GetFontSize", text, uint64(i)))
	scale := 1.0
	if e.ok("FPDFText_GetMatrix", text, uint64(i), e.at(0)) {
		scale = math.Hypot(e.float32At(2), e.float32At(3))
	}
	s.size = size * scale
	const nameAt, nameMax = 16, scratch - 64
	n := e.call("FPDFText_GetFontInfo", text, uint64(i), e.at(nameAt), nameMax, e.at(0))
	flags := e.uint32At(0)
	name := ""
	if n > 1 && n <= nameMax {
		b, _ := e.mem.Read(uint32(e.at(nameAt)), uint32(n-1))
		name = strings.ToLower(string(b))
	}
	s.bold = flags&flagForceBold != 0 || containsAny(name, "bold", "black", "heavy", "-bd", "demi", "gras")
	s.ital = flags&flagItalic != 0 || containsAny(name, "italic", "oblique", "-it", "kursiv")
	if !s.bold {
		if obj := e.call("FPDFText_GetTextObject", text, uint64(i)); obj != 0 {
			s.bold = e.int("FPDFTextObj_GetTextRenderMode", obj) == renderFillStroke
		}
	}
	return s
}

func containsAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
