package label

import (
	"slices"
	"testing"

	"vigueur/internal/gazette/segment/line"
)

// A text begins in the middle of a sentence if it begins in lower case behind a word that governs it.
func TestInsideSentence(t *testing.T) {
	t.Parallel()
	const decree = "décret exécutif n° 07-18 du 16 janvier 2007 portant statut des moulins"
	for _, c := range []struct {
		before, first string
		inside        bool
	}{
		{"désignés, en application des dispositions de l’article 10 du", decree, true},
		{"nommés, en vertu de l’", "arrêté du 3 mars 2001", true},
		{"conformément à la", "loi n° 2001-11 du 3 mars 2001", true},
		{"PAR", "décret n° 2001-11 du 3 mars 2001", false}, // a heading, not a sentence
		{"Fait à Alger, le 10 avril 2013.", decree, false},
		{"nommés en application de l’article 10 du", "Décret exécutif n° 07-18 du 16 janvier 2007", false}, // a torn column
		{"Journal officiel n° 12 du 3 mars perdu", decree, false},
	} {
		lines := []line.Line{{Text: c.before}, {Text: c.first}}
		var want []int
		if c.inside {
			want = []int{1}
		}
		if got := insideSentence(lines, []Text{{From: 0}, {From: 1}}); !slices.Equal(got, want) {
			t.Errorf("%q, %q: texts inside a sentence begin at %v, want %v", c.before, c.first, got, want)
		}
	}
}
