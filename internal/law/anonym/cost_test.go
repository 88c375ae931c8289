package anonym

import (
	"strings"
	"testing"

	"vigueur/internal/kit/testkit/cost"
)

// What people wrote is read in time linear in it.
func TestParsersAreLinear(t *testing.T) {
	for name, words := range map[string]string{"words": "le sel ", "names": "Awa Diallo ", "digits": "1", "telephones": "70 12 34 56 ", "addresses": "a@b.", "at": "@", "dots": "a.", "links": "https://a ", "blanks": " "} {
		t.Run(name, func(t *testing.T) {
			cost.Linear(t, 64<<10, func(size int) string { return strings.Repeat(words, size/len(words)) }, func(s string) {
				Words(s)
				Text(s, func(string) bool { return false })
			})
		})
	}
}
