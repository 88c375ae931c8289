package law

import "unicode"

// Hyphen reports whether r is a hyphen: « - », or one of Unicode's hyphens, including the
// no-break hyphen.
func Hyphen(r rune) bool { return r == '-' || r == '‐' || r == '‑' }

// Dash reports whether r is a hyphen or a longer dash, which printers use in its place.
func Dash(r rune) bool { return Hyphen(r) || r == '–' || r == '—' }

// Apostrophe reports whether r is an apostrophe or a character that people type instead of
// one.
func Apostrophe(r rune) bool {
	switch r {
	case '\'', '’', 'ʼ', '`', '´', '′', '＇', '‘':
		return true
	}
	return false
}

// Invisible reports whether r is a character that readers do not see, such as a soft hyphen
// or a joiner.
func Invisible(r rune) bool {
	switch r {
	case '\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff':
		return true
	}
	return false
}

// Blank reports whether r is white space of any width.
func Blank(r rune) bool { return unicode.IsSpace(r) }
