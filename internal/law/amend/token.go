package amend

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// token is a word, a sign or a quotation of an instruction.
type token struct {
	text       string // folded word or sign; "" for a quotation
	start, end int    // bytes of the instruction
	quote      int    // index of the quotation, -1 for a word
}

// tokens splits an instruction from a byte on into words, signs and quotations. An elided article keeps its
// apostrophe (« l' »), a number its degree sign (« 1° »).
func tokens(text string, from int, quotes []quotation) []token {
	out := make([]token, 0, (len(text)-from)/5) // a French word has about five bytes
	next := 0
	for i := from; i < len(text); {
		if next < len(quotes) && i >= quotes[next].start {
			out = append(out, token{start: quotes[next].start, end: quotes[next].end, quote: next})
			i = max(i, quotes[next].end)
			next++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !wordRune(r) {
			if !law.Blank(r) && !law.Invisible(r) {
				out = append(out, token{text: sign(r), start: i, end: i + size, quote: -1})
			}
			i += size
			continue
		}
		end := wordEnd(text, i)
		if glued := end - len("est"); glued > i+2 && text[glued:end] == "est" && strings.HasPrefix(text[end:], " ainsi ") { // « commerceest ainsi modifié »
			out = append(out, token{text: law.Fold(text[i:glued]), start: i, end: glued, quote: -1})
			i = glued
		}
		out = append(out, token{text: law.Fold(text[i:end]), start: i, end: end, quote: -1})
		i = end
	}
	return out
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// wordAt reports whether a text begins with a word.
func wordAt(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return wordRune(r)
}

// sign returns a punctuation mark in its plain form.
func sign(r rune) string {
	switch {
	case law.Apostrophe(r):
		return "'"
	case law.Dash(r) || r == '―':
		return "-"
	}
	return string(r)
}

// wordEnd returns the end of the word at i: letters and digits, joined by hyphens, with an
// apostrophe or a degree sign at the end.
func wordEnd(text string, i int) int {
	figures := true
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case wordRune(r):
			figures = figures && unicode.IsDigit(r)
		case law.Apostrophe(r) && !figures:
			return i + size
		case (r == '°' || r == 'º') && figures:
			return i + size
		case law.Hyphen(r) && wordAt(text[i+size:]):
			figures = false
		default:
			return i
		}
		i += size
	}
	return i
}

// words is a text as a sequence of words, for comparison: case, accents and punctuation do
// not count, numbers with hyphens are one word.
type words struct {
	text []string
	at   []Span // bytes of each word
}

// wordsOf splits a text into words.
func wordsOf(text string) words {
	var w words
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if unicode.Is(unicode.Sc, r) || r == '%' { // « 750 € » is not « 750 »
			w.text, w.at = append(w.text, string(r)), append(w.at, Span{i, i + size})
			i += size
			continue
		}
		if !wordRune(r) {
			i += size
			continue
		}
		end, number := i, unicode.IsDigit(r)
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			after, _ := utf8.DecodeRuneInString(text[end+size:])
			joined := number && law.Hyphen(r) && unicode.IsDigit(after)
			if !wordRune(r) && !joined && !law.Invisible(r) {
				break
			}
			end += size
		}
		w.text, w.at = append(w.text, strings.Trim(law.Fold(text[i:end]), " ")), append(w.at, Span{i, end})
		i = end
	}
	return w
}
