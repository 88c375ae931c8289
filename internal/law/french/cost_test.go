//go:build !race

package french

import (
	"strings"
	"testing"

	"vigueur/internal/kit/testkit/cost"
)

// hostile holds words to be repeated.
var hostile = map[string]string{"words": "le préavis ", "one word": "m", "hyphens": "a-", "apostrophes": "l'", "digits": "1", "figures": "10 000 francs, ", "numbers": "2010-05/", "articles": "art. L. 12-1 ",
	"full stops": "M. A. ", "ends": ".", "blanks": " ", "lines": "\n", "invisible": "\u00ad", "marks": "« ", "accents": "e\u0301", "no text": "\xff", "articles of codes": "L. 1 ", "brackets": "(", "asks": "combien de jours ou quel délai "}

// Texts of strangers are read in time linear in them.
func TestParsersAreLinear(t *testing.T) {
	for read, parse := range map[string]func(string){
		"Analyze": func(s string) { Analyze(s) }, "Sentences": func(s string) { Sentences(s) }, "FiguresOf": func(s string) { FiguresOf(s) },
	} {
		for name, words := range hostile {
			t.Run(read+", "+name, func(t *testing.T) {
				cost.Linear(t, 1<<19, func(size int) string { return strings.Repeat(words, size/len(words)) }, parse)
			})
		}
	}
}
