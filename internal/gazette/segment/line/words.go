package line

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
)

// Ends reports whether a text ends with a sign that ends a sentence or a clause of a list.
func Ends(text string) bool {
	text = strings.TrimRight(text, " »\"”)]")
	r, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".;:!?…", r)
}

// StartsLower reports whether a text begins with a lower-case letter, as a line within a sentence does.
func StartsLower(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(r)
}

// AllCaps reports whether a text has at least two capitals and no lower-case letter.
func AllCaps(text string) bool {
	n := 0
	for _, r := range text {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			n++
		}
	}
	return n >= 2
}

// FirstWord returns the text up to its first blank.
func FirstWord(text string) string {
	for i, r := range text {
		if r == ' ' || r == '\u00a0' {
			return text[:i]
		}
	}
	return text
}

// LastWord returns the last word of a text.
func LastWord(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// WordSet returns the set of the given words, which blanks separate.
func WordSet(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

var plainLetters = strings.NewReplacer("é", "[ée]", "è", "[èe]", "ê", "[êe]", "à", "[àa]", "â", "[âa]", "î", "[îi]", "ô", "[ôo]", "û", "[ûu]", "ç", "[çc]")

// OptionalAccents is law.Pattern for an expression whose accents are optional, as many recognized texts lack them.
// Letters with accents must not occur in its character classes.
func OptionalAccents(expr string) *lazyre.Regexp { return law.Pattern(plainLetters.Replace(expr)) }

// Parts of several expressions.
const (
	DateText = `(?i:` + law.Day + `) +(?i:` + law.Months + `),? +\d{4}`
)

// Leader matches the dots between an entry of a table of contents and its page number.
var Leader = law.Pattern(`(?:\.{4,}|…{2,}|(?:\. ){4,}|_{5,})`)
