package pdftext

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// bullet stands for the symbols that have no place in Unicode.
const bullet = '•'

// ligatures are written out, so that « ﬁscal » is found as « fiscal ».
var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")

// clean brings a word's text into one form: NFC, ligatures written out, one
// kind of hyphen, no invisible characters, a bullet for each run of symbols of the
// private zone. A soft hyphen, or PDFium's mark for a soft hyphen, becomes a hyphen
// at the end of the word and is removed at any other place.
func clean(s string) string {
	if plain(s) {
		return s
	}
	if symbolic(s) {
		s = strings.Map(func(r rune) rune { return r - 0xF000 }, s)
	}
	runes := []rune(s)
	out := make([]rune, 0, len(runes))
	for i, r := range runes {
		switch {
		case softHyphen(r):
			if i == len(runes)-1 && i > 0 {
				out = append(out, '-')
			}
		case r == '\u2010' || r == '\u2011':
			out = append(out, '-')
		case private(r):
			if len(out) == 0 || out[len(out)-1] != bullet {
				out = append(out, bullet)
			}
		case r >= ' ' && !invisible(r):
			out = append(out, r)
		}
	}
	return norm.NFC.String(ligatures.Replace(string(out)))
}

// plain reports whether s is printable ASCII and the letters and signs of Latin-1 and of the
// range behind it (« é », « œ », « « »), which are in one form already: the common case.
func plain(s string) bool {
	for _, r := range s {
		if (r < ' ' || r > '~') && (r <= '\u00A0' || r > '\u017F' || r == '\u00AD') && r != '’' {
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
func isSpace(r rune) bool { return r == 0 || unicode.IsSpace(r) || r == '\u200B' }
