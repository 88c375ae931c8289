package terminal

import (
	"strings"
	"unicode"
)

// Clean makes foreign text safe for a terminal. It removes control characters, which could
// move the cursor or do worse, marks that change the direction of text, and invalid UTF-8.
// Line ends stay, and tabs become blanks.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\n':
			return r
		case '\t':
			return ' '
		case '\r':
			return -1
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == unicode.ReplacementChar {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar)))
}

// Line cleans a text that must stay on one line.
func Line(s string) string { return Clean(strings.Join(strings.Fields(s), " ")) }
