package law

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns the letters of a French text without case, accents and ligatures,
// with one plain blank for any white space, plain apostrophes and hyphens, and
// without what is not seen: the form in which titles, names and words are
// compared.
func Fold(text string) string {
	f := folder{out: make([]byte, 0, len(text))}
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			f.add(unicode.ToLower(r))
		case Apostrophe(r) || Dash(r) || Blank(r):
			f.add(r)
		case Invisible(r):
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r):
			f.letter(r)
		default:
			for _, d := range norm.NFKD.String(string(r)) {
				f.add(unicode.ToLower(d))
			}
		}
	}
	return string(f.out)
}

// AppendLetter appends the folded form of a letter, mark or number: compatibility
// forms and accents undone, lower case.
func AppendLetter(out []byte, r rune) []byte {
	if r >= utf8.RuneSelf && r < foldedEnd {
		return append(out, folded[r-utf8.RuneSelf]...)
	}
	return append(out, plainLetters(r)...)
}

// foldedEnd is where the letters of European languages end, whose small plain
// letters are kept: gazettes have hardly any other.
const foldedEnd = 0x180

var folded = func() (table [foldedEnd - utf8.RuneSelf]string) {
	for i := range table {
		table[i] = plainLetters(utf8.RuneSelf + rune(i))
	}
	return table
}()

// twoLetters are letters that are written by others, and no decomposition of
// Unicode's.
var twoLetters = map[rune]string{'œ': "oe", 'æ': "ae", 'ß': "ss", 'ø': "o", 'ð': "d", 'þ': "t"}

// plainLetters are the small letters without marks that a letter stands for.
func plainLetters(r rune) string {
	var out strings.Builder
	for _, d := range norm.NFKD.String(string(r)) {
		d = unicode.ToLower(d)
		switch written, ok := twoLetters[d]; {
		case ok:
			out.WriteString(written)
		case (unicode.IsLetter(d) || unicode.IsNumber(d)) && !Apostrophe(d):
			out.WriteRune(d)
		}
	}
	return out.String()
}

// folder writes what Fold gives.
type folder struct {
	out   []byte
	blank bool
}

// gap writes the blank that was seen.
func (f *folder) gap() {
	if f.blank {
		f.out, f.blank = append(f.out, ' '), false
	}
}

func (f *folder) letter(r rune) {
	if unicode.Is(unicode.Mn, r) {
		return
	}
	f.gap()
	f.out = AppendLetter(f.out, r)
}

func (f *folder) add(r rune) {
	switch {
	case Blank(r):
		f.blank = len(f.out) > 0
		return
	case r >= utf8.RuneSelf && unicode.Is(unicode.Mn, r):
		return
	}
	f.gap()
	switch {
	case Apostrophe(r):
		f.out = append(f.out, '\'')
	case Dash(r):
		f.out = append(f.out, '-')
	default:
		f.out = utf8.AppendRune(f.out, r)
	}
}
