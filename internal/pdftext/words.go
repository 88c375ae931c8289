package pdftext

import (
	"math"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/page"
)

// char is one character as PDFium gives it, in points from the top left of the
// page as displayed.
type char struct {
	r     rune
	rect  law.Rect
	index int // PDFium's own number of it
}

// style is how a word is set.
type style struct {
	size       float64
	bold, ital bool
}

// setting tells about characters by PDFium's number; it is asked once a word,
// with the word's first.
type setting interface {
	style(index int) style
	turn(index int) page.Turn
}

// group makes words of characters in PDFium's order. A word ends at white space
// and wherever the next character does not stand where the word would go on: PDFs
// set words, columns and table cells beside one another without any space.
func group(chars []char, set setting) []page.Word {
	var words []page.Word
	var run []char
	var turn page.Turn
	flush := func() {
		if len(run) > 0 {
			words = appendWord(words, run, turn, set)
			run = run[:0]
		}
	}
	for i, c := range chars {
		if isSpace(c.r) {
			flush()
			continue
		}
		if len(run) > 0 && apart(run[len(run)-1].rect, c.rect, turn) {
			flush()
		}
		if len(run) == 0 {
			turn = set.turn(c.index)
		}
		run = append(run, chars[i])
	}
	flush()
	return words
}

// apart tells whether b does not go on where a ends. Distances are measured in
// the height of the characters, since PDFium's boxes are as high as the font.
func apart(a, b law.Rect, turn page.Turn) bool {
	if turn != page.Upright {
		a, b = page.Unturn(a, turn, 0, 0), page.Unturn(b, turn, 0, 0)
	}
	if a[2] <= a[0] && a[3] <= a[1] || b[2] <= b[0] && b[3] <= b[1] {
		return false // a mark without a box of its own
	}
	em := max(a[3]-a[1], b[3]-b[1])
	if em <= 0 {
		return false
	}
	level := math.Abs((a[1]+a[3])-(b[1]+b[3])) / 2
	if turn == page.Askew {
		return math.Hypot(level, (a[0]+a[2]-b[0]-b[2])/2) > 1.5*em
	}
	gap := b[0] - a[2]
	return level > 0.7*em || gap > 0.4*em || gap < -1.5*em
}

// appendWord adds the word that run spells, unless nothing readable is in it.
func appendWord(words []page.Word, run []char, turn page.Turn, set setting) []page.Word {
	var b strings.Builder
	r := run[0].rect
	for _, c := range run {
		b.WriteRune(c.r)
		r[0], r[1] = min(r[0], c.rect[0]), min(r[1], c.rect[1])
		r[2], r[3] = max(r[2], c.rect[2]), max(r[3], c.rect[3])
	}
	text := clean(b.String())
	if text == "" {
		return words
	}
	s := set.style(run[0].index)
	for i := range r {
		r[i] = round2(r[i])
	}
	return append(words, page.Word{Text: text, Rect: r, Size: round2(s.size), Bold: s.bold, Ital: s.ital, Turn: turn})
}

// round2 keeps hundredths of a point, which is finer than print; what is no
// number becomes 0, as JSON has no word for it.
func round2(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) || math.Abs(x) > 1e7 {
		return 0
	}
	return math.Round(x*100) / 100
}
