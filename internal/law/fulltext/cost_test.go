package fulltext

import (
	"strings"
	"testing"

	"vigueur/internal/kit/testkit/cost"
)

// What somebody types into a search is read in time linear in it.
func TestParsersAreLinear(t *testing.T) {
	for read, parse := range map[string]func(string){"Parse": func(s string) { Parse(s) }, "Beginnings": func(s string) { Beginnings(s) }} {
		for name, words := range map[string]string{"words": "sel ", "other words": "sel SARL TVA ", "marks": "\"", "quoted": "\"le sel\" ", "left out": "-sel ", "one word": "m", "brackets": "(", "stars": "* ", "or": "sel OU poivre "} {
			t.Run(read+", "+name, func(t *testing.T) {
				cost.Linear(t, 8<<10, func(size int) string { return strings.Repeat(words, size/len(words)) }, parse)
			})
		}
	}
}
