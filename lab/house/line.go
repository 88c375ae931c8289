package house

import (
	"strings"

	"vigueur/scripts/syllable"
)

// placed is a word with its place in a row: from the left edge of the row's frame
// and from its top.
type placed struct {
	text       string
	x0, x1     float64
	base       float64 // of the letters
	size       float64
	bold, ital bool
	label      Label
	owner      int
	ref        int    // as block's
	mark       int    // as block's, on the first word
	article    string // the same
}

// row is a line, or several that stand beside each other, ready to be put on a
// page.
type row struct {
	height, before float64
	words          []placed
	keep, fresh    bool
	wide           bool
}

// piece is a word on its way into a line.
type piece struct {
	text       string
	width      float64
	bold, ital bool
	forced     bool // a line ends before it
}

// setter sets blocks in columns of one width.
type setter struct {
	style *Style
	width float64
}

// pieces cuts the runs of a block into words; a line feed forces a new line.
func (s setter) pieces(b *block, size float64) []piece {
	var out []piece
	for _, r := range b.runs {
		forced := false
		for i, line := range strings.Split(r.text, "\n") {
			forced = i > 0
			for _, w := range strings.Fields(line) {
				out = append(out, piece{w, s.style.measure(w, size, r.bold), r.bold, r.ital, forced})
				forced = false
			}
		}
	}
	return s.glue(out, size)
}

// glue ties marks to the word that they stand by, as French printers do: no line
// begins with « ; » or ends with « n° ». Typists do not.
func (s setter) glue(words []piece, size float64) []piece {
	if s.style.loose {
		return words
	}
	space := s.style.measure(" ", size, false)
	out := words[:0]
	for _, w := range words {
		if n := len(out); n > 0 && !w.forced && (closing(w.text) || opening(out[n-1].text)) {
			out[n-1].text += "\u00a0" + w.text
			out[n-1].width += space + w.width
			continue
		}
		out = append(out, w)
	}
	return out
}

func closing(w string) bool {
	switch w {
	case "»", ";", ":", "!", "?", "%":
		return true
	}
	return false
}

func opening(w string) bool {
	if i := strings.LastIndex(w, "\u00a0"); i >= 0 {
		w = w[i+len("\u00a0"):]
	}
	switch w {
	case "«", "n°", "N°", "Art.", "M.", "Mme":
		return true
	}
	return false
}

// fill takes the words of the next line of a given width, and may break the last.
func (s setter) fill(words []piece, width, size float64, hyphens bool) (line, rest []piece) {
	space := s.style.measure(" ", size, false)
	used, n := 0.0, 0
	for n < len(words) && (n == 0 || !words[n].forced) {
		need := words[n].width
		if n > 0 {
			need += space
		}
		if used+need > width+0.01 {
			break
		}
		used += need
		n++
	}
	if n == len(words) || n > 0 && words[n].forced {
		return words[:n], words[n:]
	}
	if hyphens && (n == 0 || (width-used)/float64(n) > 0.3*space) {
		if a, b, ok := s.split(words[n], width-used-space, size); ok {
			line = append(append([]piece{}, words[:n]...), a)
			return line, append([]piece{b}, words[n+1:]...)
		}
	}
	n = max(n, 1)
	return words[:n], words[n:]
}

// split breaks a word at the last syllable that fits.
func (s setter) split(w piece, room, size float64) (a, b piece, ok bool) {
	runes := []rune(w.text)
	at := syllable.Breaks(runes)
	for i := len(at) - 1; i >= 0; i-- {
		a, b = w, w
		a.text, b.text, b.forced = string(runes[:at[i]])+"-", string(runes[at[i]:]), false
		if a.width = s.style.measure(a.text, size, w.bold); a.width <= room {
			b.width = s.style.measure(b.text, size, w.bold)
			return a, b, true
		}
	}
	return a, b, false
}
