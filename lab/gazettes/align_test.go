package gazettes

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/gazette/layout"
)

// printed makes lines of a page's text.
func printed(text string) []layout.Line {
	var out []layout.Line
	for l := range strings.Lines(text) {
		var words []layout.Word
		for _, w := range strings.Fields(l) {
			words = append(words, layout.Word{Text: w})
		}
		out = append(out, layout.Line{Page: 1, Words: words})
	}
	return out
}

func TestBegins(t *testing.T) {
	t.Parallel()
	lines := printed(`SOMMAIRE
Loi n° 2019-3 du 2 mars 2019 relative au sel ...... 2
Décret n° 2019-12 du 3 mars 2019 fixant le prix du sel ...... 3
Loi n° 2019-3 du 2 mars 2019
relative au sel
Vu la loi n° 2001-7 du 1er mars 2001 relative au poivre ;
Article 1er Le sel est libre.
Décret n° 2019-12 du 3 mars 2019
fixant le prix du sel
Article 1er Le prix est fixé.
Arrêtés du 4 mars 2019
Par arrêté du 4 mars 2019, M. PERSONNE est nommé.
Par arrêté du 4 mars 2019, M. QUELQU'UN est nommé.
`)
	texts := []Text{
		{Type: "arrete", Date: "2019-03-01", Kind: "end only"},
		{Type: "loi", Number: "2019-3", Date: "2019-03-02", Title: "relative au sel"},
		{Type: "decret", Number: "2019-12", Date: "2019-03-03", Title: "fixant le prix du sel"},
		{Type: "arrete", Date: "2019-03-04", Title: "nomination de M. Personne"},
		{Type: "arrete", Date: "2019-03-04", Title: "nomination de M. Quelqu'un"},
		{Type: "loi", Number: "1999-1", Date: "1999-01-01", Title: "perdue"},
	}
	if got, want := Begins(lines, texts), []int{-1, 3, 7, 11, 12, -1}; !slices.Equal(got, want) {
		t.Errorf("%v and not %v", got, want)
	}
	slices.Reverse(texts[1:3]) // noted in another order than printed
	if got, want := Begins(lines[3:], texts), []int{-1, 4, 0, 8, 9, -1}; !slices.Equal(got, want) {
		t.Errorf("noted out of order: %v and not %v", got, want)
	}
}

func TestSameActUnderItsHeading(t *testing.T) {
	t.Parallel()
	lines := printed(`Décret du 18 juin 2014 mettant fin aux
fonctions d'un saunier
Par décret du 18 juin 2014, il est mis fin aux fonctions
de M. PERSONNE, saunier.
Décret du 18 juin 2014 portant nomination
Par décret du 18 juin 2014, M. AUTRE est nommé.
`)
	got := Same(lines, 2, Text{Type: "decret", Date: "2014-06-18", Title: "fonctions de M. Personne"})
	if !slices.Contains(got, 0) || !slices.Contains(got, 2) || slices.Contains(got, 4) {
		t.Errorf("%v", got)
	}
}

func TestSealedFilesAreAThird(t *testing.T) {
	t.Parallel()
	sealed := 0
	for n := range 300 {
		if (File{Name: strings.Repeat("x", n)}).Sealed() {
			sealed++
		}
	}
	if sealed < 70 || sealed > 130 {
		t.Errorf("%d of 300", sealed)
	}
	if (File{Name: "x", Single: true}).Sealed() {
		t.Error("a file that is described as one text was looked into long ago")
	}
}

func TestFilesAreHalvedByTheirNames(t *testing.T) {
	t.Parallel()
	open := 0
	for n := range 300 {
		name := strings.Repeat("x", n)
		if !Open(name) {
			continue
		}
		if open++; (File{Name: name}).Sealed() {
			t.Errorf("the file of %d letters is sealed", n)
		}
	}
	if open < 110 || open > 190 {
		t.Errorf("%d of 300", open)
	}
}
