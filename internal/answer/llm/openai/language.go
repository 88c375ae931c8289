package openai

import (
	"strings"
	"unicode"
)

// Words that distinguish French from English.
var (
	frenchWords  = wordSet("le la les l de des du d et est un une pour dans que qu qui ne n pas au aux en il elle par sur ce cette son sa ses selon article doit peut")
	englishWords = wordSet("the of and is to for must shall with that this by law are not may be under according which it from can has")
)

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// foreign reports whether a text is clearly not French: more English words than French
// ones, at least three, or mostly another script.
func foreign(text string) bool {
	fr, en, latin, other := 0, 0, 0, 0
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, w := range words {
		switch {
		case frenchWords[w]:
			fr++
		case englishWords[w]:
			en++
		}
	}
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.IsLetter(r):
			other++
		}
	}
	return en >= 3 && en > 2*fr || other > latin
}
