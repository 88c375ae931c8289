package french

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// lexeme is a run of letters and digits, or a unit sign (« % »), with its place in the
// text.
type lexeme struct {
	start, end int
	*word
}

// lex splits text into a.lexes.
func (a *Analyzer) lex(text string) {
	a.lexes = a.lexes[:0]
	a.buf = a.buf[:0]
	start := -1
	flush := func(end int) {
		if start >= 0 && len(a.buf) > 0 {
			a.lexes = append(a.lexes, lexeme{start, end, a.word()})
		}
		a.buf, start = a.buf[:0], -1
	}
	for i := 0; i < len(text); {
		c := text[i]
		folded := ascii[c]
		if folded != 0 {
			if start < 0 {
				start = i
			}
			a.buf = append(a.buf, folded)
			i++
			continue
		}
		if c < utf8.RuneSelf && c != '\'' && c != '`' && c != '%' {
			flush(i)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch class := classOf(r); class {
		case letterClass:
			if start < 0 {
				start = i
			}
			a.buf = law.AppendLetter(a.buf, r)
		case apostropheClass:
			if start >= 0 && len(a.buf) <= longestElision && elisions[string(a.buf)] {
				a.buf, start = a.buf[:0], -1
			} else if start >= 0 && !wordFollows(text[i+size:]) {
				flush(i)
			} // an apostrophe as in « prud’homme » belongs to the word
		case unitClass:
			flush(i)
			a.buf = append(a.buf, '%')
			start = i
			flush(i + size)
		case breakClass:
			flush(i)
		case invisibleClass: // soft hyphens and joiners do not end a word
		}
		i += size
	}
	flush(len(text))
}

// ascii maps an ASCII letter or digit to its folded form, and all other bytes to 0.
var ascii = func() (t [256]byte) {
	for c := byte('0'); c <= '9'; c++ {
		t[c] = c
	}
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = c, c
	}
	return t
}()

type class uint8

const (
	breakClass class = iota
	letterClass
	apostropheClass
	unitClass
	invisibleClass
)

func classOf(r rune) class {
	switch {
	case law.Apostrophe(r):
		return apostropheClass
	case r == '%' || r == '％':
		return unitClass
	case law.Invisible(r):
		return invisibleClass
	case r == utf8.RuneError:
		return breakClass
	}
	if r < 0x180 && r != 'ª' && r != 'º' && r > 0xbf && r != '×' && r != '÷' {
		return letterClass
	}
	if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) {
		return letterClass
	}
	return breakClass
}

// wordFollows reports whether text begins with a letter.
func wordFollows(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r)
}

// word returns the cached analysis of the folded form in a.buf.
func (a *Analyzer) word() *word {
	if w, ok := a.known[string(a.buf)]; ok {
		return w
	}
	if a.known == nil || len(a.known) >= knownLimit {
		a.known = make(map[string]*word)
	}
	w := newWord(strings.Clone(string(a.buf)))
	a.known[w.fold] = w
	return w
}

// elisions are the words that lose their last vowel before another vowel.
var elisions = set("l d j n s t c m qu jusqu lorsqu puisqu quoiqu quelqu presqu entr")

const longestElision = len("lorsqu")

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
