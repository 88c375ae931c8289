package country

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law/french"
)

// unlistedMark is the prefix of the codes of unlisted states; no code of ISO 3166 has it.
const unlistedMark = "x-"

// state matches the full name of a state: its form of government, at most two adjectives
// (« République islamique de … »), and the first word of its name, which is enough to
// distinguish it. There is no list of states, only of the forms that French uses.
var state = regexp.MustCompile(`(?i:république|republique|royaume|principauté|principaute|sultanat)(?:\s+\pL{3,}[eE]){0,2}\s+(?i:de\s+la\s+|de\s+l['’]\s*|de\s+|du\s+|des\s+|d['’]\s*)(\p{Lu}[\pL-]{2,})`)

// Unlisted returns the code of each state that a text names in full (« République
// d’Astrevalle ») and that the table does not list, once per mention.
func Unlisted(text string) (codes []Code) {
	for _, m := range state.FindAllStringSubmatch(text, -1) {
		if terms := french.Terms(m[1]); len(terms) > 0 && len(Mentions(french.Terms(m[0]))) == 0 {
			codes = append(codes, unlistedMark+Code(capitalized(m[1])))
		}
	}
	return codes
}

// capitalized normalizes the case of a name, so that « ASTREVALLE » and « Astrevalle » give
// the same code.
func capitalized(name string) string {
	first, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + strings.ToLower(name[n:])
}
