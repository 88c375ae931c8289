package law

import (
	"strings"
	"testing"

	"vigueur/internal/kit/testkit/cost"
)

// Dates, numbers and names are read in time linear in the text.
func TestParsersAreLinear(t *testing.T) {
	for read, parse := range map[string]func(string){
		"FindDate": func(s string) { FindDate(s) }, "FindDating": func(s string) { FindDating(s) }, "ArticleNumber": func(s string) { ArticleNumber(s) }, "TextNumber": func(s string) { TextNumber(s) },
		"Fold": func(s string) { Fold(s) },
	} {
		for name, words := range map[string]string{"digits": "1", "days": "1er ", "days apart": "3 \u00a0", "dashes": "1-", "slashes": "1/", "kinds": "loi n° ", "blanks": " ", "months": "mai ", "republican": "3 an ", "Hijri": "3 rabi ", "letters": "a", "capitals": "L.", "accents": "e\u0301"} {
			t.Run(read+", "+name, func(t *testing.T) {
				cost.Linear(t, 1<<19, func(size int) string { return strings.Repeat(words, size/len(words)) }, parse)
			})
		}
	}
}
