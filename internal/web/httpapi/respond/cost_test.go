package respond

import (
	"strings"
	"testing"

	"vigueur/internal/kit/testkit/cost"
)

// A header of a stranger is read in time linear in it.
func TestMatchesIsLinear(t *testing.T) {
	for name, words := range map[string]string{"tags": `"a",`, "commas": ",", "blanks": " ", "marks": `"`} {
		t.Run("If-None-Match, "+name, func(t *testing.T) {
			cost.Linear(t, 16<<10, func(size int) string { return strings.Repeat(words, size/len(words)) }, func(header string) {
				Matches(header, `"b"`)
			})
		})
	}
}
