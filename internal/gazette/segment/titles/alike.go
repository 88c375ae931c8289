package titles

import (
	"strings"
	"unicode"

	"vigueur/internal/law"
)

// LeastShared is the minimum share of an entry's words that the title of its text must contain.
const LeastShared = 0.6

// SharedWords returns the share of the words of a that occur in b.
func SharedWords(a, b string) float64 {
	has := map[string]bool{}
	for _, w := range longWords(b) {
		has[w] = true
	}
	words := longWords(a)
	n := 0
	for _, w := range words {
		if has[w] {
			n++
		}
	}
	return float64(n) / float64(max(len(words), 1))
}

// longWords returns the folded words of a title that have more than three letters; shorter ones are mostly
// articles and prepositions.
func longWords(text string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(law.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) > 3 {
			out = append(out, w)
		}
	}
	return out
}
