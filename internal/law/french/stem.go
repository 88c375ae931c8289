package french

import "unicode/utf8"

// stem reduces a folded word to a common form: it removes the endings of plural, feminine,
// and infinitive and participle of the first group. It is light on purpose: measured on
// French law, a strong stemmer gains nothing that the comparison of word pieces does not.
func stem(w string) string {
	if irregular, ok := irregulars[w]; ok {
		w = irregular
	}
	if len(w) >= 5 && w[len(w)-3:] == "aux" {
		return w[:len(w)-2] + "l"
	}
	if n := len(w); n >= 4 && (w[n-1] == 's' || w[n-1] == 'x') {
		w = w[:n-1]
	}
	if n := len(w); n >= 5 && w[n-1] == 'r' {
		w = w[:n-1]
	}
	for len(w) >= 5 && w[len(w)-1] == 'e' {
		w = w[:len(w)-1]
	}
	// Only ASCII letters are reduced: two equal bytes at the end of another script are not a
	// doubled letter.
	if n := len(w); n >= 5 && w[n-1] == w[n-2] && w[n-1] < utf8.RuneSelf {
		w = w[:n-1]
	}
	return w
}

// irregulars are forms that the rules would not reduce to the same stem.
var irregulars = map[string]string{"ans": "an", "travaux": "travail", "baux": "bail", "yeux": "oeil", "art": "article", "arts": "article"}
