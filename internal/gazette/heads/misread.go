package heads

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// Misread reads a line that the labels take for the head of an article although Read does not. The number of
// the head is "" if it is illegible.
func Misread(text string) (Head, bool) {
	if cited.MatchString(text) {
		return Head{}, false
	}
	if h, ok := readSlipped(text); ok && h.Number != "" {
		return h, true
	}
	return Head{End: illegibleEnd(text)}, likeWord(firstToken(text))
}

// cited matches an article with the text that it belongs to: « Article 2 du règlement ».
var cited = law.Pattern(`^(?i:art(?:icle|\.)) *\d{1,4}(?: ?(?:er|bis|ter))? +(?:du|de|des) `)

// illegibleEnd returns the byte at which an illegible head ends: after the first sign, if it is near the
// beginning, else 0.
func illegibleEnd(text string) int {
	m := illegible.FindStringIndex(text)
	if m == nil {
		return 0
	}
	return m[1]
}

var illegible = law.Pattern(`^[^.:–—-]{3,14}(?: *(?:[.:]|~))+ *`)

// numberless matches « Article : », a head whose number the printer forgot.
var numberless = law.Pattern(`^(?:ARTICLE|Article) ?: *`)

// slippedShort matches « Art. 16 - » with one misread letter in the word: « Aït. 16 - », « Arl. 16. — ».
var slippedShort = law.Pattern(`^[^\p{L}\d«"“(]{0,2}A(?:[^\s\d.,]t|r[^\s\d.,])[.,] ?(\d{1,4}) *(?:(?:[.:]|~|_) *)+`)

// readSlipped reads a line that begins with something like « Article 12 ». The number of the head is "" if it is
// illegible.
func readSlipped(text string) (Head, bool) {
	if m := numberless.FindStringIndex(text); len(m) == 2 && StartsBig(text[m[1]:]) {
		return Head{End: m[1]}, true
	}
	if m := slippedShort.FindStringSubmatchIndex(text); m != nil {
		if number := numberLike(text[m[2]:m[3]]); number != "" && StartsBig(text[m[1]:]) {
			return Head{Number: number, End: m[1]}, true
		}
	}
	at, ok := wordAt(text)
	if !ok {
		return Head{}, false
	}
	rest := strings.TrimLeft(text[at:], " .:;,-–—_")
	if rest == text[at:] && rest != "" && unicode.IsLower(rune(rest[0])) {
		return Head{}, false
	}
	token, _, _ := strings.Cut(rest, " ")
	token = strings.TrimRight(token, ".:;,-–—)_")
	if token == "" || utf8.RuneCountInString(token) > 8 {
		return Head{}, false
	}
	end := len(text) - len(rest) + len(token)
	after := strings.TrimLeft(text[end:], " .:;,-–—)_°")
	number := numberLike(token)
	if number == "" && (after == text[end:] || after != "" && !StartsBig(after)) {
		return Head{}, false
	}
	return Head{Number: number, End: len(text) - len(after)}, true
}

// numberLike reads an article's number in which letters may stand for digits that they resemble. It returns ""
// if token is no number.
func numberLike(token string) string {
	if firstLike.MatchString(token) {
		return writeNumber(1)
	}
	digits := figures(token)
	if n, err := strconv.Atoi(digits); err == nil && n > 0 && law.OnlyDigits(digits) {
		return writeNumber(n)
	}
	return ""
}

// firstLike matches « 1er » or « premier » as scans show them: « 1"' », « ler », « 1°” ».
var firstLike = law.Pattern(`^(?:[1lIi] ?(?:[eo]r|er|ef|le,|["'”°*]{1,3}|°["'”])|1er|(?i:premi.?r|prem.er|p.emier))$`)
