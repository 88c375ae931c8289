package country

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/french"
)

// unlistedMark begins the codes of states that the table has not, which no code of
// ISO 3166 does.
const unlistedMark = "x-"

// state finds what a state calls itself: its form, at most two adjectives (« République
// islamique de … »), and its name, of which the first word is enough to tell it from
// others. The forms are those that states have in French; which states there are is
// not written anywhere.
var state = regexp.MustCompile(`(?i:république|republique|royaume|principauté|principaute|sultanat)(?:\s+\pL{3,}[eE]){0,2}\s+(?i:de\s+la\s+|de\s+l['’]\s*|de\s+|du\s+|des\s+|d['’]\s*)(\p{Lu}[\pL-]{2,})`)

// Unlisted gives the code of each state that a text calls by its form (« République
// d’Astrevalle ») and that the table has not, as often as it does.
func Unlisted(text string) (codes []Code) {
	for _, m := range state.FindAllStringSubmatch(text, -1) {
		if terms := french.Terms(m[1]); len(terms) > 0 && len(Mentions(french.Terms(m[0]))) == 0 {
			codes = append(codes, unlistedMark+Code(capitalized(m[1])))
		}
	}
	return codes
}

// capitalized writes a name alike however it was printed: « ASTREVALLE » and
// « Astrevalle » are one state.
func capitalized(name string) string {
	first, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + strings.ToLower(name[n:])
}
