package french

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Acronym is a word made of the initials of others: « SARL », « CDD ».
type Acronym struct {
	Term string   // of the acronym
	Long []string // terms of the words that it stands for, without stop words
}

// Acronyms returns the acronyms of the table of lay words: its words that the initials of the
// law's words spell, with those of stop words (« société à responsabilité limitée ») or without
// them (« taxe sur la valeur ajoutée »). The result must not be changed.
var Acronyms = sync.OnceValue(func() []Acronym {
	var out []Acronym
	for phrase, alternatives := range lexiconRows() {
		short := Terms(phrase)
		if len(short) != 1 || strings.ContainsAny(phrase, " '’-") {
			continue
		}
		for _, alternative := range alternatives {
			if long := Terms(alternative); len(long) > 1 && spells(phrase, alternative) {
				out = append(out, Acronym{short[0], long})
			}
		}
	}
	return slices.Clip(out) // nobody appends to it
})

// spells reports whether initials of the words of a text, all except those of some stop words,
// are the letters of a short word.
func spells(short, text string) bool {
	letters := []rune(short)
	place := -1
	for _, t := range Analyze(text) {
		if t.Start == place { // a second reading of the same word
			continue
		}
		place = t.Start
		initial, _ := utf8.DecodeRuneInString(t.Term)
		switch {
		case len(letters) > 0 && initial == letters[0]:
			letters = letters[1:]
		case !t.Stop:
			return false
		}
	}
	return len(letters) == 0
}
