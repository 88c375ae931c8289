package law

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns a French text in the form in which titles, names and words are compared:
// without case, accents, ligatures and invisible characters, with plain apostrophes and
// hyphens, and with one blank for any white space.
func Fold(text string) string {
	f := folder{out: make([]byte, 0, len(text))}
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			f.ascii(byte(r))
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

// AppendLetter appends the folded form of a letter, mark or number: in lower case, without
// accents and compatibility forms.
func AppendLetter(out []byte, r rune) []byte {
	if r >= utf8.RuneSelf && r < foldedEnd {
		return append(out, folded[r-utf8.RuneSelf]...)
	}
	return append(out, plainLetters(r)...)
}

// foldedEnd is the end of the characters whose folded forms are stored in a table: the
// letters of European languages. Gazettes have hardly any others.
const foldedEnd = 0x180

var folded = func() (table [foldedEnd - utf8.RuneSelf]string) {
	for i := range table {
		table[i] = plainLetters(utf8.RuneSelf + rune(i))
	}
	return table
}()

// twoLetters maps letters that Unicode does not decompose to the plain letters that replace
// them.
var twoLetters = map[rune]string{'œ': "oe", 'æ': "ae", 'ß': "ss", 'ø': "o", 'ð': "d", 'þ': "t"}

// plainLetters returns the plain lower-case letters that replace a letter.
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

// folder builds the result of Fold.
type folder struct {
	out   []byte
	blank bool
}

// gap writes the pending blank, if any.
func (f *folder) gap() {
	if f.blank {
		f.out, f.blank = append(f.out, ' '), false
	}
}

// asciiBlank stands in foldedASCII for white space.
const asciiBlank = ' '

// foldedASCII holds what add appends for each ASCII character in lower case.
var foldedASCII = func() (table [utf8.RuneSelf]byte) {
	for c := range table {
		var one folder
		if one.add(unicode.ToLower(rune(c))); len(one.out) == 1 {
			table[c] = one.out[0]
		} else {
			table[c] = asciiBlank
		}
	}
	return table
}()

// ascii adds an ASCII character. Most characters of a text are ASCII, and every text is folded.
func (f *folder) ascii(c byte) {
	if c = foldedASCII[c]; c == asciiBlank {
		f.blank = len(f.out) > 0
		return
	}
	f.gap()
	f.out = append(f.out, c)
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
