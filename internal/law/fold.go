package law

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold gives the letters of a French text without case, accents and ligatures,
// with one plain blank for any white space and plain apostrophes and hyphens: the
// form in which titles and names are compared.
func Fold(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	blank := false
	for _, r := range norm.NFKD.String(strings.ToLower(text)) {
		switch {
		case unicode.Is(unicode.Mn, r):
			continue
		case unicode.IsSpace(r):
			blank = b.Len() > 0
			continue
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		switch r {
		case 'œ':
			b.WriteString("oe")
		case 'æ':
			b.WriteString("ae")
		case '’', '‘', 'ʼ':
			b.WriteByte('\'')
		case '‐', '‑', '–', '—':
			b.WriteByte('-')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
