package country

import (
	"regexp"
	"slices"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// unlistedMark is the prefix of the codes of unlisted states; no code of ISO 3166 has it.
const unlistedMark = "x-"

// state matches the full name of a state: its form of government, at most two adjectives
// (« République islamique de … »), and the first word of its name, which is enough to
// distinguish it. There is no list of states, only of the forms that French uses.
var state = regexp.MustCompile(`(?i:république|republique|royaume|principauté|principaute|sultanat)(?:\s+\pL{3,}[eE]){0,2}\s+(?i:de\s+la\s+|de\s+l['’]\s*|de\s+|du\s+|des\s+|d['’]\s*)(\p{Lu}[\pL-]{2,})`)

// unlistedName matches the name of an unlisted state, as state finds it.
var unlistedName = regexp.MustCompile(`^\p{Lu}[\pL-]{2,99}$`)

// FindUnlisted returns the code of each state that a text names in full (« République
// d’Astrevalle ») and that the table does not list, once per mention. A name that is one
// misread letter away from a name of the table is none.
func FindUnlisted(text string) (codes []Code) {
	for _, m := range state.FindAllStringSubmatchIndex(text, -1) {
		whole := text[m[0]:min(len(text), m[1]+nameRoom)] // « République de Côte » goes on: « d’Ivoire »
		name := text[m[2]:m[3]]
		before := len(french.Terms(text[m[0]:m[2]]))
		listed := slices.ContainsFunc(Mentions(french.Terms(whole)), func(x Mention) bool { return x.Start <= before })
		if terms := french.Terms(name); len(terms) > 0 && !listed && !misspelled(terms[0]) {
			codes = append(codes, unlistedMark+Code(law.Capital(strings.ToLower(name)))) // « ASTREVALLE » and « Astrevalle » give the same code
		}
	}
	return codes
}

// nameRoom is the maximum number of bytes of a name after its first word.
const nameRoom = 24

// leastMisread is the minimum number of letters of a name that is recognized although one of
// them is misread.
const leastMisread = 5

// misspelled reports whether a term is a name of the table with one letter misread.
func misspelled(term string) bool {
	for first := range table().byFirst {
		if len(first) >= leastMisread && law.Distance(first, term) == 1 {
			return true
		}
	}
	return false
}
