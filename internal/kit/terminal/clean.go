package terminal

import (
	"strconv"
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

// Bytes formats a number of bytes for people.
func Bytes(n int64) string {
	const step = 1024
	units := []string{"o", "Kio", "Mio", "Gio", "Tio"}
	v, i := float64(n), 0
	for v >= step && i < len(units)-1 {
		v /= step
		i++
	}
	digits := 1
	if i == 0 {
		digits = 0
	}
	return strings.Replace(strconv.FormatFloat(v, 'f', digits, 64), ".", ",", 1) + " " + units[i]
}
