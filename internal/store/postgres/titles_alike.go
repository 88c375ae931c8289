package postgres

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law/spelling"
)

// nearLetters is the maximum number of letters of a search for which nearForms lists forms: one
// for each letter, each of which is looked up.
const nearLetters = 200

// nearForms returns a condition on titles for the slip that trigrams are too coarse to find, and
// its argument $4: patterns of each typed word and of the forms that it has with two neighbors
// exchanged. An exchange destroys up to four of the trigrams of a word (« contarts » shares too few
// with « contrats »), but leaves few forms, and each of them is looked up by all of its trigrams.
// The condition is empty if no word may have slips, or if the words are too long. typed is folded;
// words consist of letters and digits, so no pattern needs an escape.
func nearForms(typed string) (condition string, patterns []string) {
	letters := 0
	var all []string
	for _, w := range spelling.Words(typed) {
		n := utf8.RuneCountInString(w)
		if n < spelling.MinLetters || !strings.ContainsFunc(w, unicode.IsLetter) {
			continue
		}
		if letters += n; letters > nearLetters {
			return "", nil
		}
		first := len(patterns) + 1
		patterns = append(patterns, "%"+w+"%")
		for _, form := range spelling.ExchangeNeighbors(w) {
			patterns = append(patterns, "%"+form+"%")
		}
		all = append(all, fmt.Sprintf("d.title_folded LIKE ANY (($4::text[])[%d:%d])", first, len(patterns)))
	}
	return strings.Join(all, " AND "), patterns
}
