package pdftext

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// char is one character as PDFium gives it, in points from the top left of the
// page as displayed.
type char struct {
	r     rune
	rect  law.Rect
	index int // PDFium's number of the character on its page
}

// style is how a word is printed. A word has the style of its first character.
type style struct {
	size       float64 // font size on the page, in points
	bold, ital bool
	x, y       float64 // start of the character on the base line, on the page as displayed
	turn       layout.Rotation
	object     uint64 // the text object
}

// group groups characters, which are in PDFium's order, into words. A word ends at
// white space, and also before a character that is not placed as the word's next
// character: many PDFs place words, columns and table cells next to each other without
// spaces. styleOf is called once for each word, with the index of its first character;
// look tells what people see of it. Words that they do not see are left out, and counted,
// unless most are so: then it is the page that cannot be painted.
func group(chars []char, styleOf func(index int) style, look func(run []char, s style) sight) (words []layout.Word, left int) {
	var run []char
	var s style
	bare := map[int]bool{} // words that nobody sees
	flush := func() {
		if len(run) > 0 {
			n := len(words)
			if words = appendWord(words, run, s); len(words) > n {
				switch look(run, s) {
				case covered:
					words[n].Covered = true
				case unseen:
					words[n].Covered, bare[n] = true, true
				case seen:
				}
			}
			run = run[:0]
		}
	}
	for _, c := range chars {
		if isSpace(c.r) {
			flush()
			continue
		}
		if len(run) > 0 && (apart(run[len(run)-1].rect, c.rect, s) || marksNote(run, c, s.turn)) {
			flush()
		}
		if len(run) == 0 {
			s = styleOf(c.index)
		}
		run = append(run, c)
	}
	flush()
	if 2*len(bare) > len(words) {
		return joinRaised(words), 0
	}
	kept := words[:0]
	for i, w := range words {
		if !bare[i] {
			kept = append(kept, w)
		}
	}
	return joinRaised(kept), len(bare)
}

// apart reports whether the character box b is too far from the box a before it to be
// in the same word, which has the style s. Distances are relative to the font size, or
// to the height of the boxes if that is smaller or the size is unknown.
func apart(a, b law.Rect, s style) bool {
	if none(a) || none(b) {
		return false // a mark without a box of its own
	}
	if s.turn != layout.Upright {
		a, b = layout.Unturn(a, s.turn, 0, 0), layout.Unturn(b, s.turn, 0, 0)
	}
	em := max(a[3]-a[1], b[3]-b[1])
	if s.size > 0 && s.size < em {
		em = s.size
	}
	level := math.Abs((a[1]+a[3])-(b[1]+b[3])) / 2
	if s.turn == layout.Askew {
		return math.Hypot(level, (a[0]+a[2]-b[0]-b[2])/2) > 2*em
	}
	gap := b[0] - a[2]
	return level > 0.8*em || gap > 0.45*em || gap < -2*em
}

// raisedDigits are the digits that are characters of their own.
const raisedDigits = "⁰¹²³⁴⁵⁶⁷⁸⁹"

// marksNote reports whether the character b, behind the characters of a word, begins the mark of a note, as in « Article
// 431¹⁶⁵ » or « capital⁽³⁾ »: it is smaller than the one before, and raised, and no power of a unit. Raised letters, in
// contrast, are part of their word (« 1ᵉʳ »).
func marksNote(run []char, b char, turn layout.Rotation) bool {
	a := run[len(run)-1]
	own := strings.ContainsRune(raisedDigits, b.r)
	if !latin(a.r) || !own && !unicode.IsDigit(b.r) && b.r != '(' || own && strings.ContainsRune(raisedDigits, a.r) {
		return false
	}
	var word strings.Builder
	for _, c := range run {
		word.WriteRune(c.r)
	}
	if layout.Unit(word.String()) {
		return false
	}
	if own {
		return true
	}
	if turn == layout.Askew || none(a.rect) || none(b.rect) {
		return false
	}
	previous, mark := layout.Unturn(a.rect, turn, 0, 0), layout.Unturn(b.rect, turn, 0, 0)
	height := previous[3] - previous[1]
	return mark[3]-mark[1] < 0.8*height && mark[3] < previous[3]-0.1*height
}

// joinRaised joins raised and lowered letters and powers to their words, where a file sets them apart a little (« 1 ᵉʳ »,
// « CO ₂ »), and marks the raised numbers that are none.
func joinRaised(words []layout.Word) []layout.Word {
	out := words[:0]
	for i, w := range words {
		mark := strings.TrimRight(w.Text, ".,;:") // what follows the mark is printed behind it
		number := mark != "" && strings.Trim(mark, "()*0123456789"+raisedDigits) == ""
		if n := len(out) - 1; n >= 0 && w.Turn != layout.Askew {
			size := out[n].Size
			if gap, shift := beside(out[n], w); w.Size < 0.8*size && w.Size > 0.4*size && math.Abs(gap) < 0.7*size && math.Abs(shift) > 0.1*size && math.Abs(shift) < 0.6*size &&
				(!number || shift > 0 || layout.Unit(out[n].Text)) && !out[n].Raised {
				out[n].Text += w.Text
				for k := range 2 {
					out[n].Rect[k], out[n].Rect[k+2] = min(out[n].Rect[k], w.Rect[k]), max(out[n].Rect[k+2], w.Rect[k+2])
				}
				continue
			}
		}
		if number && w.Turn != layout.Askew {
			higher := func(o layout.Word) bool {
				gap, shift := beside(o, w)
				return w.Size < 0.8*o.Size && gap < o.Size && shift < -0.1*o.Size && shift > -1.15*o.Size
			}
			w.Raised = strings.Trim(mark, raisedDigits) == "" || len(out) > 0 && higher(out[len(out)-1]) || i+1 < len(words) && higher(words[i+1])
			if w.Raised {
				w.Text = norm.NFKC.String(w.Text)
			}
		}
		out = append(out, w)
	}
	return out
}

// beside returns the white space between two words, and how much lower the base of the second is. Words of other turns are far
// apart.
func beside(a, b layout.Word) (gap, shift float64) {
	if a.Turn != b.Turn {
		return math.Inf(1), 0
	}
	r, o := layout.Unturn(a.Rect, a.Turn, 0, 0), layout.Unturn(b.Rect, a.Turn, 0, 0)
	return max(o[0]-r[2], r[0]-o[2]), (o[3] - descent*b.Size) - (r[3] - descent*a.Size)
}

func none(r law.Rect) bool { return r[2] <= r[0] && r[3] <= r[1] }

// appendWord appends the word that the characters of run form, unless its cleaned text
// is empty.
func appendWord(words []layout.Word, run []char, s style) []layout.Word {
	var room [64]byte // long enough for most words
	b := room[:0]
	for _, c := range run {
		b = utf8.AppendRune(b, c.r)
	}
	text := clean(string(b))
	if text == "" {
		return words
	}
	r := boxOf(run, s)
	for i := range r {
		r[i] = round2(r[i])
	}
	return append(words, layout.Word{Text: text, Rect: r, Size: round2(s.size), Bold: s.bold, Ital: s.ital, Turn: s.turn})
}

// boxOf returns the box of a word.
func boxOf(run []char, s style) law.Rect {
	r := run[0].rect
	for _, c := range run {
		if !none(c.rect) {
			r[0], r[1] = min(r[0], c.rect[0]), min(r[1], c.rect[1])
			r[2], r[3] = max(r[2], c.rect[2]), max(r[3], c.rect[3])
		}
	}
	return onBase(r, s)
}

// ascent and descent are how far a line of text extends above and below its base line,
// as multiples of the font size.
const ascent, descent = 0.9, 0.25

// onBase returns the box r of a word with a new top and bottom, computed from the
// word's base line and font size: PDFium's boxes have the height that the font claims,
// which can be twice the height of the line. A box whose place or height contradicts
// the base line or the font size is returned unchanged.
func onBase(r law.Rect, s style) law.Rect {
	if s.turn == layout.Askew || s.size <= 0 {
		return r
	}
	rect := layout.Unturn(r, s.turn, 0, 0)
	base := layout.Unturn(law.Rect{s.x, s.y, s.x, s.y}, s.turn, 0, 0)[1]
	h := rect[3] - rect[1]
	if base < rect[1]-h || base > rect[3]+h || s.size > 4*h || s.size < h/8 {
		return r
	}
	rect[1], rect[3] = base-ascent*s.size, base+descent*s.size
	back := [...]layout.Rotation{layout.Upright, layout.Up, layout.Over, layout.Down}[s.turn]
	return layout.Unturn(rect, back, 0, 0)
}

// round2 rounds x to hundredths, which for points is finer than print. NaN, infinite
// and huge values become 0, because JSON cannot represent the first two.
func round2(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) || math.Abs(x) > 1e7 {
		return 0
	}
	return math.Round(x*100) / 100
}

// bullet stands for the symbols that have no place in Unicode.
const bullet = '•'

// clean brings a word's text into one form: NFC, letters in their plain form (« ﬁscal » is
// found as « fiscal »), one kind of hyphen and of raised o, no invisible characters, a
// bullet for each run of symbols of the private zone. A soft hyphen, or PDFium's mark for a
// soft hyphen, becomes a hyphen at the end of the word and is removed at any other place.
func clean(s string) string {
	if plain(s) {
		return s
	}
	if symbolic(s) {
		s = strings.Map(func(r rune) rune { return r - 0xF000 }, s)
	}
	runes := []rune(s)
	var out strings.Builder
	last := ' '
	for i, r := range runes {
		switch {
		case softHyphen(r):
			if i == len(runes)-1 && i > 0 {
				out.WriteByte('-')
			}
		case r == '\u2010' || r == '\u2011':
			out.WriteByte('-')
		case strings.ContainsRune("ºᵒ˚", r):
			out.WriteRune('°')
		case r == '№':
			out.WriteString("N°")
		case private(r):
			if last != bullet {
				out.WriteRune(bullet)
			}
			r = bullet
		case r < ' ' || invisible(r):
			continue
		case unicode.In(r, unicode.L, unicode.Nl), r >= 0xFF00 && r < 0xFFEF, r >= 0x1D400 && r < 0x1D800: // letters, forms of full width, mathematical digits
			out.WriteString(norm.NFKC.String(string(r)))
		default:
			out.WriteRune(r)
		}
		last = r
	}
	return norm.NFC.String(out.String())
}

// plain reports whether s is printable ASCII and the letters and signs of Latin-1 and of the
// range behind it (« é », « œ », « « »), which are in one form already: the common case.
func plain(s string) bool {
	for _, r := range s {
		if (r < ' ' || r > '~') && (r <= '\u00A0' || r > '\u017F' || r == '\u00AD' || r == 'º') && r != '’' {
			return false
		}
	}
	return true
}

// symbolic reports whether s is ordinary text of a font that moved all its codes to
// the private zone, as symbol fonts do: at least two characters, all moved, and at
// least half of them letters.
func symbolic(s string) bool {
	n, letters := 0, 0
	for _, r := range s {
		if r < 0xF020 || r > 0xF07E {
			return false
		}
		n++
		if unicode.IsLetter(r - 0xF000) {
			letters++
		}
	}
	return n >= 2 && 2*letters >= n
}

// softHyphen reports whether r is a soft hyphen, which is printed only at a line's
// end. PDFium writes a soft hyphen that it recognized as U+0002 or U+FFFE.
func softHyphen(r rune) bool { return r == '\u00AD' || r == '\u0002' || r == '\uFFFE' }

// private reports whether r is a private code of Unicode, whose meaning each font chooses.
func private(r rune) bool {
	return r >= 0xE000 && r <= 0xF8FF || r >= 0xF0000 && r <= 0x10FFFD
}

// invisible reports whether r is a character that prints nothing.
func invisible(r rune) bool {
	return r == '\uFFFF' || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Cc, r) || r >= 0xFE00 && r <= 0xFE0F
}

// isSpace reports whether r is white space of any width. NUL counts as white space:
// PDFium returns NUL for characters that it cannot map to Unicode.
func isSpace(r rune) bool { return r == 0 || unicode.IsSpace(r) }

// Fonts made by programs for the Macintosh often name the wrong code page: their
// bytes are in Windows-1252, but are read as Mac Roman. « décret » then becomes
// « dÈcret », « l’arrêté » becomes « líarrÍtÈ », « à » becomes « ‡ ». No French word
// has an accented capital after a small letter, so such words show that a page was
// read in the wrong code page, and the reverse mapping restores the printed text.

// leastMiscoded is how many words of a page must look miscoded before the page is
// mended: a single one can be a misprint.
const leastMiscoded = 3

// MendCodes mends the words of a page that was read in the wrong code page, in place,
// and returns them. The words of any other page, and of a page that was already
// mended, do not change.
func MendCodes(words []layout.Word) []layout.Word {
	told := 0
	for i := range words {
		if misplaced(words[i].Text) {
			told++
		}
	}
	if told < leastMiscoded {
		return words
	}
	for i := range words {
		w := &words[i]
		if fitting(w.Text) && !misplaced(w.Text) {
			continue
		}
		if mended := asWindows(w.Text); fitting(mended) && !misplaced(mended) {
			w.Text = mended
		}
	}
	return words
}

// misplaced reports whether s has an accented capital inside a word next to a small
// letter, or one of noInitials at the beginning of a word before a small letter.
func misplaced(s string) bool {
	runes := []rune(s)
	for i, r := range runes {
		if r <= unicode.MaxASCII || !unicode.IsUpper(r) {
			continue
		}
		earlier, late := i > 0 && unicode.IsLetter(runes[i-1]), i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if earlier && (late || unicode.IsLower(runes[i-1])) || !earlier && late && strings.ContainsRune(noInitials, r) {
			return true
		}
	}
	return false
}

// noInitials are the accented capitals with which no French word begins whose other
// letters are small.
const noInitials = "ÈÍËÓÙ"

// frenchSigns are the characters outside of ASCII that occur in printed French.
const frenchSigns = "àâäæçéèêëîïôöœùûüÿÀÂÄÆÇÉÈÊËÎÏÔÖŒÙÛÜŸ’‘“”«»–—…•°º§€½¼¾²³★☆■□●\u00a0\u202f"

// fitting reports whether all characters of s occur in printed French and no letter
// follows an ellipsis.
func fitting(s string) bool {
	for i, r := range s {
		if r > unicode.MaxASCII && !strings.ContainsRune(frenchSigns, r) {
			return false
		}
		if r == '…' { // « É » of Windows-1252 reads as « … » in Mac Roman
			if next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):]); unicode.IsLetter(next) {
				return false
			}
		}
	}
	return true
}

// asWindows encodes s in Mac Roman and decodes the bytes as Windows-1252. Characters
// that Mac Roman lacks do not change.
func asWindows(s string) string {
	return strings.Map(func(r rune) rune {
		code, ok := charmap.Macintosh.EncodeRune(r)
		if !ok {
			return r
		}
		return charmap.Windows1252.DecodeByte(code)
	}, s)
}

// turnOf returns the turn of a character as displayed, from its angle on the page
// (clockwise, in radians) and the quarter turns of the page. The angle may be up to
// ten degrees off a quarter turn, because few scans are exactly straight; if it is
// further off, the turn is Askew.
func turnOf(angle float64, turns int) layout.Rotation {
	quarters := angle / (math.Pi / 2)
	distance := math.Round(quarters)
	if math.IsNaN(distance) || math.Abs(quarters-distance) > 1.0/9 {
		return layout.Askew
	}
	return layout.Rotation((int(distance)%4 + 4 + turns) % 4)
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
	text   uint64
	frame  frame
	object uint64 // text object of last
	last   style
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
	out := style{object: object}
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
