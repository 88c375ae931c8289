package main

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// clean makes foreign text safe for a terminal. It removes control characters, which could
// move the cursor or do worse, marks that change the direction of text, and invalid UTF-8.
// Line ends stay, and tabs become blanks.
func clean(s string) string {
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

// cleanLine cleans a text that must stay on one line.
func cleanLine(s string) string { return clean(strings.Join(strings.Fields(s), " ")) }

// count formats a number with a French noun: « 1 texte », « 3 textes ».
func count(n int, what string) string {
	if n < 2 {
		return fmt.Sprintf("%d %s", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// moment formats a time in the operator's time zone.
func moment(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

// momentOf formats a time of the API; what is no time is returned unchanged.
func momentOf(written string) string {
	if t := timeOf(written); !t.IsZero() {
		return moment(t)
	}
	return cleanLine(written)
}

// timeOf parses a time of the API; the zero time if it is none.
func timeOf(written string) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, written)
	return t
}
