package pdftext

import (
	"math"
	"strings"

	"vigueur/internal/gazette/layout"
)

// turnOf returns the turn of a character as displayed, from its angle on the page
// (clockwise, in radians) and the quarter turns of the page. The angle may be up to
// ten degrees off a quarter turn, because few scans are exactly straight; if it is
// further off, the turn is Askew.
func turnOf(angle float64, turns int) layout.Turn {
	quarters := angle / (math.Pi / 2)
	near := math.Round(quarters)
	if math.IsNaN(near) || math.Abs(quarters-near) > 1.0/9 {
		return layout.Askew
	}
	return layout.Turn((int(near)%4 + 4 + turns) % 4)
}

// Bits of a font descriptor's flags (PDF 32000-1, table 123).
const (
	flagItalic    = 1 << 6
	flagForceBold = 1 << 18
)

// renderFillStroke is the text mode by which word processors make a font bold.
const renderFillStroke = 2

// styles reads the styles of the characters of a loaded page. Characters of one text
// object have the same style except for their position.
type styles struct {
	*engine
	text     uint64
	frame    frame
	suspects suspects
	object   uint64 // text object of last
	last     style
}

// of returns the style of character i.
func (s *styles) of(i int) style {
	if object := s.call("FPDFText_GetTextObject", s.text, uint64(i)); object == 0 || object != s.object {
		s.object, s.last = object, s.read(i, object)
	}
	s.last.x, s.last.y = 0, 0
	if s.ok("FPDFText_GetCharOrigin", s.text, uint64(i), s.at(0), s.at(2)) {
		s.last.x, s.last.y = s.frame.point(s.float64At(0), s.float64At(2))
	}
	return s.last
}

// read reads the style, without the position, of character i, which belongs to the
// text object. The size is the font size times the scale of the text matrix: the
// height on the page.
func (s *styles) read(i int, object uint64) style {
	var out style
	size := math.Float64frombits(s.call("FPDFText_GetFontSize", s.text, uint64(i)))
	scale := 1.0
	if s.ok("FPDFText_GetMatrix", s.text, uint64(i), s.at(0)) {
		m := s.box() // the direction of the base line, then that of the letters' height
		scale = math.Hypot(m[2], m[3])
		// PDFium's own angle is that of the letters, and letters that a printer slants stand on a straight base line.
		out.turn = turnOf(math.Atan2(-m[1], m[0]), s.frame.turns)
		out.ital = slanted(m)
	}
	out.size = size * scale
	if s.suspects.mayHide(s.text, object, i) {
		out.suspect = object
	}
	const nameAt, nameMax = 16, scratch - 64
	n := s.call("FPDFText_GetFontInfo", s.text, uint64(i), s.at(nameAt), nameMax, s.at(0))
	flags := s.uint32At(0)
	name := ""
	if n > 1 && n <= nameMax {
		b, _ := s.mem.Read(uint32(s.at(nameAt)), uint32(n-1))
		name = strings.ToLower(string(b))
	}
	out.bold = flags&flagForceBold != 0 || containsAny(name, "bold", "black", "heavy", "-bd", "demi", "gras")
	out.ital = out.ital || flags&flagItalic != 0 || containsAny(name, "italic", "oblique", "-it", "kursiv")
	if !out.bold && object != 0 {
		out.bold = s.int("FPDFTextObj_GetTextRenderMode", object) == renderFillStroke
	}
	return out
}

// leastSlant is the sine of the least angle by which letters that are printed slanted lean. A printer slants by 12 to 20
// degrees.
const leastSlant = 0.15

// slanted reports whether letters lean to the right of what is upright on their base line.
func slanted(m [4]float64) bool {
	lean := m[0]*m[2] + m[1]*m[3]
	return lean > leastSlant*math.Hypot(m[0], m[1])*math.Hypot(m[2], m[3])
}

func containsAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
