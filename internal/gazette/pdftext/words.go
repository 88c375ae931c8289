package pdftext

import (
	"math"
	"unicode"
	"unicode/utf8"

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
	turn       layout.Turn
	suspect    uint64 // the text object, if it may not be visible
}

// group groups characters, which are in PDFium's order, into words. A word ends at
// white space, and also before a character that is not placed as the word's next
// character: many PDFs place words, columns and table cells next to each other without
// spaces. styleOf is called once for each word, with the index of its first character.
// doubtful are the indexes of the words that may not be visible, and objects those that they belong to.
func group(chars []char, styleOf func(index int) style) (words []layout.Word, doubtful []int, objects []uint64) {
	var run []char
	var s style
	flush := func() {
		if len(run) > 0 {
			n := len(words)
			words = appendWord(words, run, s)
			if s.suspect != 0 && len(words) > n {
				doubtful, objects = append(doubtful, n), append(objects, s.suspect)
			}
			run = run[:0]
		}
	}
	for _, c := range chars {
		if isSpace(c.r) {
			flush()
			continue
		}
		if len(run) > 0 && (apart(run[len(run)-1].rect, c.rect, s) || marksNote(run[len(run)-1], c, s.turn)) {
			flush()
		}
		if len(run) == 0 {
			s = styleOf(c.index)
		}
		run = append(run, c)
	}
	flush()
	return words, doubtful, objects
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

// marksNote reports whether the digit b, after the digit a, is the mark of a note, as in « Article 431¹⁶⁵ »: b is smaller
// than a, and raised. All digits of a number have one size, so b is not part of a's number. Raised letters, in contrast,
// are part of their word (« 1ᵉʳ »).
func marksNote(a, b char, turn layout.Turn) bool {
	if !unicode.IsDigit(a.r) || !unicode.IsDigit(b.r) || turn == layout.Askew || none(a.rect) || none(b.rect) {
		return false
	}
	before, mark := layout.Unturn(a.rect, turn, 0, 0), layout.Unturn(b.rect, turn, 0, 0)
	height := before[3] - before[1]
	return mark[3]-mark[1] < 0.8*height && mark[3] < before[3]-0.1*height
}

func none(r law.Rect) bool { return r[2] <= r[0] && r[3] <= r[1] }

// appendWord appends the word that the characters of run form, unless its cleaned text
// is empty.
func appendWord(words []layout.Word, run []char, s style) []layout.Word {
	var room [64]byte // long enough for most words
	b := room[:0]
	r := run[0].rect
	for _, c := range run {
		b = utf8.AppendRune(b, c.r)
		if !none(c.rect) {
			r[0], r[1] = min(r[0], c.rect[0]), min(r[1], c.rect[1])
			r[2], r[3] = max(r[2], c.rect[2]), max(r[3], c.rect[3])
		}
	}
	text := clean(string(b))
	if text == "" {
		return words
	}
	r = onBase(r, s)
	for i := range r {
		r[i] = round2(r[i])
	}
	return append(words, layout.Word{Text: text, Rect: r, Size: round2(s.size), Bold: s.bold, Ital: s.ital, Turn: s.turn})
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
	up := layout.Unturn(r, s.turn, 0, 0)
	base := layout.Unturn(law.Rect{s.x, s.y, s.x, s.y}, s.turn, 0, 0)[1]
	h := up[3] - up[1]
	if base < up[1]-h || base > up[3]+h || s.size > 4*h || s.size < h/8 {
		return r
	}
	up[1], up[3] = base-ascent*s.size, base+descent*s.size
	back := [...]layout.Turn{layout.Upright, layout.Up, layout.Over, layout.Down}[s.turn]
	return layout.Unturn(up, back, 0, 0)
}

// round2 rounds x to hundredths, which for points is finer than print. NaN, infinite
// and huge values become 0, because JSON cannot represent the first two.
func round2(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) || math.Abs(x) > 1e7 {
		return 0
	}
	return math.Round(x*100) / 100
}
