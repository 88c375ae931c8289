//go:build !race

package verify

import (
	"strings"
	"testing"

	"vigueur/internal/kit/testkit/cost"
)

// Marks that nothing closes, and others, are read in time linear in the text.
func TestTextsAreLinear(t *testing.T) {
	for name, words := range map[string]string{
		"opening marks":      "« ",
		"one letter":         "«a",
		"closing marks":      "» ",
		"straight marks":     "\" a",
		"nested marks":       "« a « b » ",
		"marks on lines":     "\n« mot mot mot ",
		"low marks":          "„ ",
		"all marks":          "«“\"„",
		"closed quotations":  "« un deux trois » ",
		"white space":        "\n  ",
		"a paragraph":        "mot ",
		"one word":           "m",
		"articles of itself": "l’article 5 du contrat, ",
		"references":         "art. 5, loi n° 2010-05. ",
	} {
		t.Run(name, func(t *testing.T) {
			cost.Linear(t, 1<<18, func(size int) string { return strings.Repeat(words, size/len(words)) }, func(text string) {
				for _, s := range sentences(text, quotations(text)) {
					references(s.words, true)
				}
			})
		})
	}
}
