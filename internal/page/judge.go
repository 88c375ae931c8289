package page

import (
	"strings"
	"unicode"
)

// Quality is what a page's words look like, as shares between 0 and 1.
type Quality struct {
	Words   int     // how many
	Letters float64 // letters among the characters
	Stop    float64 // French stop words among the words
	Accents float64 // accented letters among the letters
	Lower   float64 // small letters among the letters
}

// stop are the words that make up nearly half of any French legal text.
var stop = set("le la les de du des d l un une et ou à a au aux en dans par pour sur est sont qui que qu il elle ne pas se ce ces cette son sa ses leur leurs avec sans sous être avoir aussi ainsi art article articles loi code")

// Judge measures the words of a page.
func Judge(words []Word) Quality {
	var letters, chars, accents, lower, stops, pieces int
	for i := range words {
		for _, r := range words[i].Text {
			chars++
			if !unicode.IsLetter(r) {
				continue
			}
			letters++
			if r > 0x7f {
				accents++
			}
			if unicode.IsLower(r) {
				lower++
			}
		}
		for w := range strings.FieldsFuncSeq(strings.ToLower(words[i].Text), func(r rune) bool { return !unicode.IsLetter(r) }) {
			pieces++
			if stop[w] {
				stops++
			}
		}
	}
	return Quality{Words: len(words), Letters: share(letters, chars), Stop: share(stops, pieces),
		Accents: share(accents, letters), Lower: share(lower, letters)}
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}
