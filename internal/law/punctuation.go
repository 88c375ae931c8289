package law

import "unicode"

// Hyphen reports whether r joins the parts of a word or number: « - » and the
// hyphens of Unicode, the one that does not break included.
func Hyphen(r rune) bool { return r == '-' || r == '‐' || r == '‑' }

// Dash reports whether r is a hyphen or a longer dash, which printers put in its
// place.
func Dash(r rune) bool { return Hyphen(r) || r == '–' || r == '—' }

// Apostrophe reports whether r is an apostrophe or what is typed for one.
func Apostrophe(r rune) bool {
	switch r {
	case '\'', '’', 'ʼ', '`', '´', '′', '＇', '‘':
		return true
	}
	return false
}

// Invisible reports whether r is nothing that a reader sees: a place where a word
// may be broken, a joiner.
func Invisible(r rune) bool {
	switch r {
	case '\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff':
		return true
	}
	return false
}

// Blank reports whether r is white space of any width.
func Blank(r rune) bool { return unicode.IsSpace(r) }
