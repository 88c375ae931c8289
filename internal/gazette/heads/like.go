package heads

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// This file holds the one measure of how a misread token resembles a word or a number. Signs that resemble letters
// count as these letters (Letters), letters that resemble digits count as these digits (figures), and Slips counts the
// characters that still differ.

// Letters returns the letters of a folded word, with digits and signs replaced by the letters that they
// resemble.
func Letters(word string) string {
	folded := law.Fold(word)
	out := make([]byte, 0, len(folded))
	for i := range len(folded) { // no byte of a longer character is one of these
		switch c := folded[i]; {
		case c >= 'a' && c <= 'z':
			out = append(out, c)
		case c == '1', c == '|', c == '!':
			out = append(out, 'l')
		case c == '4':
			out = append(out, 'a')
		case c == '0':
			out = append(out, 'o')
		}
	}
	return string(out)
}

var figureLike = map[rune]rune{'l': '1', 'I': '1', 'i': '1', '|': '1', '!': '1', 't': '1', 'O': '0', 'o': '0', 'D': '0', 'Q': '0', 'S': '5', 's': '5', '$': '5',
	'B': '8', 'Z': '2', 'z': '2', 'g': '9', 'q': '9'}

// figures returns a token with letters and signs replaced by the digits that they resemble.
func figures(token string) string {
	return strings.Map(func(r rune) rune {
		if f, ok := figureLike[r]; ok {
			return f
		}
		return r
	}, token)
}

// Slips returns the Levenshtein distance of a and b in bytes. If their lengths differ by more than 3, it
// returns 4.
func Slips(a, b string) int {
	const many = 3
	if len(a)-len(b) > many || len(b)-len(a) > many {
		return many + 1
	}
	return law.Distance(a, b)
}

// SlipsInWord is the maximum number of misread letters in « article ».
const SlipsInWord = 2

// The folded words by which articles are named.
const (
	fullWord  = "article"
	shortWord = "art"
)

// wordReach is the number of bytes, from the first letter of a line on, within which the word « Article » of a head
// must end.
const wordReach = 14

// wordAt returns the byte at which the first word of a line ends, if that word is « Article » with at most
// SlipsInWord misread letters. The word may be in pieces: « Art icle ».
func wordAt(text string) (end int, ok bool) {
	from := len(text) - len(strings.TrimLeftFunc(text, func(r rune) bool { return !isToken(r) }))
	if from > 4 {
		return 0, false
	}
	best, fewest := -1, SlipsInWord+1
	if whole := Letters(text[from:min(from+wordReach+utf8.UTFMax, len(text))]); whole == "" || whole[0] != 'a' {
		return 0, false // most lines end here, before the slow comparison of each prefix
	}
	for i, r := range text[from:] {
		if i > wordReach {
			break
		}
		at := from + i + utf8.RuneLen(r)
		letters := Letters(text[from:min(at, len(text))])
		if n := Slips(letters, fullWord); len(letters) >= 5 && letters[0] == 'a' && n < fewest {
			best, fewest = at, n
		}
	}
	return best, best >= 0 && best <= len(text)
}

// likeWord reports whether a token resembles « Article » or « Art. ».
func likeWord(token string) bool {
	letters := Letters(token)
	return strings.HasPrefix(letters, shortWord) || Slips(letters, fullWord) <= SlipsInWord
}

// firstToken returns the text up to the first blank.
func firstToken(text string) string {
	if at := strings.IndexAny(text, " \u00a0"); at >= 0 {
		return text[:at]
	}
	return text
}

// wordOf returns the word by which a head names its article: « art » or « article ».
func wordOf(head string) string {
	if len(Letters(firstToken(head))) > 4 {
		return fullWord
	}
	return shortWord
}

// off compares the tokens at the beginning of a line with a word and a number. It returns the share of the word and the
// share of the number that differ, and the byte at which these tokens end. It takes the split of the tokens into word
// and number for which the sum of both shares is least.
func off(text, word, number string) (wordOff, numberOff float64, end int) {
	wordOff, numberOff = 1, 1
	var read []rune
	tokens := 0
	for i, r := range text {
		if isToken(r) {
			read = append(read, r)
		}
		if len(read) > headReach {
			break
		}
		at := i + utf8.RuneLen(r)
		next, _ := utf8.DecodeRuneInString(text[at:])
		if isToken(next) || !isToken(r) {
			continue
		}
		if tokens++; tokens > mostTokens {
			break
		}
		for part := range len(read) + 1 {
			w := min(1, float64(Slips(Letters(string(read[:part])), word))/float64(len(word)))
			n := min(1, float64(Slips(figures(string(read[part:])), number))/float64(len(number)))
			if w+n < wordOff+numberOff {
				wordOff, numberOff, end = w, n, at
			}
		}
	}
	return wordOff, numberOff, end
}

// headReach is the maximum number of letters and digits of a line that may belong to a head, in at most
// mostTokens tokens.
const (
	headReach  = 14
	mostTokens = 3
)

// isToken reports whether a rune belongs to a word or a number.
func isToken(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
