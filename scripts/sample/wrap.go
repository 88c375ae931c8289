package main

import (
	"regexp"
	"strings"
	"unicode"

	"vigueur/scripts/syllable"
)

// row is one typeset line: what it draws, and how it stacks. It knows its
// column's inside only; flow.go gives it a place on a page.
type row struct {
	Height  float64 // points
	Before  float64 // white space above, dropped at the top of a column
	Pieces  []piece
	Rules   []rule
	Keep    bool      // stays with the next row
	Notes   []row     // at the foot of the column
	Extents []*extent // what the row is part of; they learn the page
}

// piece is a stretch of encoded text in one face. X is from the column's left
// edge, Down from the row's first baseline.
type piece struct {
	X, Down   float64
	Text      string
	Face      face
	Size      float64
	WordSpace float64 // added to each space
}

// rule is a thin line inside a row, from the row's top left corner.
type rule struct{ X1, Y1, X2, Y2 float64 }

// extent learns on which pages something stands, counted from 1.
type extent struct{ First, Last int }

func (e *extent) see(page int) {
	if e.First == 0 {
		e.First = page
	}
	e.Last = page
}

// span is text in one face, before it is broken into lines.
type span struct {
	Text string
	Face face
}

type alignment int

const (
	justified alignment = iota
	ragged
	centered
)

// setting is how a paragraph is set.
type setting struct {
	Width, Size, Leading float64
	Indent               float64 // of the first line
	Align                alignment
	NoHyphens            bool
}

// word is an unbreakable stretch: its spaces are the glued ones.
type word struct {
	runes []rune
	code  string // encoded
	face  face
	width float64
}

const (
	// A line whose spaces would grow by more than this part of a space is
	// hyphenated instead, when a syllable fits.
	looseness = 0.25
	// So many lines in a row may end in a hyphen.
	maxHyphens = 3
)

// glued are the places where French typography forbids a line break.
var glued = []*regexp.Regexp{
	regexp.MustCompile(`(«) `), regexp.MustCompile(` ([»;:!?%])`), regexp.MustCompile(`(n°|N°|Art\.|M\.|Mme) `),
	regexp.MustCompile(`(\d) (\d{3})`), regexp.MustCompile(`(°) `),
}

const glue = "\u00a0"

// glueSpaces puts no-break spaces where a line must not end.
func glueSpaces(s string) string {
	s = glued[0].ReplaceAllString(s, "${1}"+glue)
	s = glued[1].ReplaceAllString(s, glue+"${1}")
	s = glued[2].ReplaceAllString(s, "${1}"+glue)
	s = glued[3].ReplaceAllString(s, "${1}"+glue+"${2}")
	return glued[3].ReplaceAllString(s, "${1}"+glue+"${2}")
}

// wrap breaks spans into justified, ragged or centered rows.
func (m metrics) wrap(spans []span, set setting) ([]row, error) {
	words, err := m.words(spans, set.Size)
	if err != nil {
		return nil, err
	}
	var rows []row
	hyphens := 0
	for len(words) > 0 {
		width, indent := set.Width, 0.0
		if len(rows) == 0 {
			indent = set.Indent
		}
		line, rest, broken := m.takeLine(words, width-indent, set, hyphens < maxHyphens)
		if broken {
			hyphens++
		} else {
			hyphens = 0
		}
		rows = append(rows, m.setLine(line, indent, set, len(rest) == 0))
		words = rest
	}
	keepTogether(rows)
	return rows, nil
}

// keepTogether forbids a single line at the foot or the head of a column.
func keepTogether(rows []row) {
	if n := len(rows); n > 1 {
		rows[0].Keep = true
		rows[n-2].Keep = true
	}
}

func (m metrics) words(spans []span, size float64) ([]word, error) {
	var out []word
	for _, sp := range spans {
		for _, w := range strings.Split(glueSpaces(sp.Text), " ") {
			if w == "" {
				continue
			}
			made, err := m.word([]rune(w), sp.Face, size)
			if err != nil {
				return nil, err
			}
			out = append(out, made)
		}
	}
	return out, nil
}

func (m metrics) word(runes []rune, f face, size float64) (word, error) {
	code, err := encode(strings.ReplaceAll(string(runes), glue, " "))
	return word{runes: runes, code: code, face: f, width: m.width(code, f, size)}, err
}

// takeLine takes the words of the next line, breaking the last when it is a compound, or the line
// would be loose otherwise.
func (m metrics) takeLine(words []word, width float64, set setting, mayBreak bool) (line, rest []word, broken bool) {
	space := m.width(" ", roman, set.Size)
	used, n := 0.0, 0
	for n < len(words) {
		need := words[n].width
		if n > 0 {
			need += space
		}
		if used+need > width {
			break
		}
		used += need
		n++
	}
	if n == len(words) {
		return words, nil, false
	}
	loose := n == 0 || (width-used)/float64(n) > looseness*space || len(ownHyphens(words[n].runes)) > 0
	if loose && mayBreak && set.Align == justified && !set.NoHyphens || n == 0 {
		room := width - used - space
		if n == 0 {
			room = width
		}
		if head, tail, ok := m.split(words[n], room, set.Size); ok {
			line = append(append([]word{}, words[:n]...), head)
			return line, append([]word{tail}, words[n+1:]...), true
		}
	}
	// A word wider than the column stands alone and sticks out.
	n = max(n, 1)
	return words[:n], words[n:], false
}

// split breaks a word at the last syllable that fits into room with its hyphen. A compound is broken at its own hyphens.
func (m metrics) split(w word, room, size float64) (head, tail word, ok bool) {
	at, hyphen := syllable.Breaks(w.runes), []rune{'-'}
	if own := ownHyphens(w.runes); len(own) > 0 {
		at, hyphen = own, nil
	}
	for i := len(at) - 1; i >= 0; i-- {
		head, err := m.word(append(append([]rune{}, w.runes[:at[i]]...), hyphen...), w.face, size)
		if err != nil || head.width > room {
			continue
		}
		tail, err := m.word(w.runes[at[i]:], w.face, size)
		return head, tail, err == nil
	}
	return word{}, word{}, false
}

// ownHyphens returns the places behind the hyphens between the letters of a compound.
func ownHyphens(word []rune) (at []int) {
	for i := 1; i < len(word)-1; i++ {
		if word[i] == '-' && unicode.IsLetter(word[i-1]) && unicode.IsLetter(word[i+1]) {
			at = append(at, i+1)
		}
	}
	return at
}

// setLine places the words of a line; neighbors in one face become one piece.
func (m metrics) setLine(words []word, indent float64, set setting, last bool) row {
	space := m.width(" ", roman, set.Size)
	natural, spaces := 0.0, len(words)-1
	for _, w := range words {
		natural += w.width
		spaces += strings.Count(w.code, " ")
	}
	natural += float64(len(words)-1) * space
	x, extra := indent, 0.0
	switch slack := set.Width - indent - natural; {
	case set.Align == centered:
		x += slack / 2
	case set.Align == justified && !last && spaces > 0:
		extra = slack / float64(spaces)
	}
	r := row{Height: set.Leading}
	for i, w := range words {
		if n := len(r.Pieces); n > 0 && r.Pieces[n-1].Face == w.face {
			r.Pieces[n-1].Text += " " + w.code
		} else {
			r.Pieces = append(r.Pieces, piece{X: x, Text: w.code, Face: w.face, Size: set.Size, WordSpace: extra})
		}
		x += w.width + extra*float64(strings.Count(w.code, " "))
		if i < len(words)-1 {
			x += space + extra
		}
	}
	return r
}
