package law

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold gives the letters of a French text without case, accents and ligatures,
// with one plain blank for any white space and plain apostrophes and hyphens: the
// form in which titles and names are compared.
func Fold(text string) string {
	f := folder{out: make([]byte, 0, len(text))}
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			f.add(unicode.ToLower(r))
		case r < foldedEnd:
			for _, d := range folded[r-utf8.RuneSelf] {
				f.add(d)
			}
		default:
			for _, d := range decomposed(r) {
				f.add(d)
			}
		}
	}
	return string(f.out)
}

// foldedEnd is where the letters of European languages end, whose small plain
// letters are kept: gazettes have hardly any other.
const foldedEnd = 0x180

var folded = func() (table [foldedEnd - utf8.RuneSelf]string) {
	for i := range table {
		table[i] = decomposed(utf8.RuneSelf + rune(i))
	}
	return table
}()

// decomposed is a small letter and its marks, one after the other.
func decomposed(r rune) string { return norm.NFKD.String(string(unicode.ToLower(r))) }

// folder writes what Fold gives.
type folder struct {
	out   []byte
	blank bool
}

func (f *folder) add(r rune) {
	switch {
	case r >= utf8.RuneSelf && unicode.Is(unicode.Mn, r):
		return
	case unicode.IsSpace(r):
		f.blank = len(f.out) > 0
		return
	}
	if f.blank {
		f.out, f.blank = append(f.out, ' '), false
	}
	switch r {
	case 'œ':
		f.out = append(f.out, "oe"...)
	case 'æ':
		f.out = append(f.out, "ae"...)
	case '’', '‘', 'ʼ':
		f.out = append(f.out, '\'')
	case '‐', '‑', '–', '—':
		f.out = append(f.out, '-')
	default:
		f.out = utf8.AppendRune(f.out, r)
	}
}
