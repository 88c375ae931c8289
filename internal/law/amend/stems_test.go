package amend

import (
	"slices"
	"strings"
	"testing"
)

// One pass finds a stem wherever a search for each of them does.
func TestOnePassFindsAllStems(t *testing.T) {
	t.Parallel()
	texts := []string{"", "a", "re", "remplac", "remplaÇ", "le present article est remplace", "xinser", "modif", "l'article 5, abrog", "~modifi~", "cre", "{|}"}
	for _, stem := range changing {
		texts = append(texts, stem, stem[:len(stem)-1], "re"+stem+"e", stem[1:], "r"+stem)
	}
	for _, text := range texts {
		want := slices.ContainsFunc(changing, func(stem string) bool { return strings.Contains(text, stem) })
		if got := saysChange(text); got != want {
			t.Errorf("%q: %t instead of %t", text, got, want)
		}
	}
}
