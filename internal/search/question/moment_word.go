package question

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// word is a word or a number of a question.
type word struct {
	text       string // folded; an elided word keeps its apostrophe: « l' »
	start, end int    // bytes [start,end) of the question
	begins     bool   // punctuation precedes the word: it begins a clause
	joined     bool   // a hyphen joins it to the word before
}

// wordsOutsideQuotes returns the words of a text, without those that it quotes.
func wordsOutsideQuotes(text string) (out []word) {
	begins, joined, quoted := true, false, false
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			switch {
			case r == '«' || r == '“':
				quoted = true
			case r == '»' || r == '”':
				quoted = false
			case r == '"':
				quoted = !quoted
			case r == '.' && abbreviates(out, text[i+size:]):
			case strings.ContainsRune(",;:.!?()\n…", r):
				begins = true
			}
			joined = law.Dash(r)
			i += size
			continue
		}
		end := len(text)
		if n := strings.IndexFunc(text[i:], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }); n >= 0 {
			end = i + n
		}
		if next, size := utf8.DecodeRuneInString(text[end:]); next == '\'' || next == '’' {
			end += size
		}
		if !quoted {
			folded := law.Fold(text[i:end])
			out = append(out, word{strings.ReplaceAll(folded, "’", "'"), i, end, begins, joined})
			begins, joined = false, false
		}
		i = end
	}
	return out
}

// abbreviates reports whether a full stop abbreviates the last of the words rather than ending a sentence: « art. 36 ».
func abbreviates(words []word, rest string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(rest, law.Blank))
	return len(words) > 0 && len(words[len(words)-1].text) <= 4 && (unicode.IsDigit(r) || unicode.IsLower(r))
}
