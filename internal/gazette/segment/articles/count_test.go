package articles

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// counted returns candidates with the given numbers, all with the same log-odds.
func counted(odds float64, numbers ...string) Counting {
	c := Counting{}
	for i, n := range numbers {
		c.all = append(c.all, candidate{line: i, number: n, logit: odds})
	}
	return c
}

func TestArticlesAreChosenByTheirNumbers(t *testing.T) {
	t.Parallel()
	j := judgment.Standard()
	for _, c := range []struct {
		odds    float64
		numbers string
		want    []int
	}{
		{4, "1er 2 3", []int{0, 1, 2}},
		{-2, "1er 2 3", []int{0, 1, 2}},    // the numbering outweighs the chain, which does not see them
		{-1, "1er 2 61 3", []int{0, 1, 3}}, // a quotation
		{4, "", nil},
	} {
		if got := counted(c.odds, strings.Fields(c.numbers)...).Choose(j); !slices.Equal(got, c.want) {
			t.Errorf("%s at %v: %v", c.numbers, c.odds, got)
		}
	}
}

// TestTitlesOfArticles checks what of an article's first line is its title: words set apart from the text under them, which are
// no part of its sentence.
func TestTitlesOfArticles(t *testing.T) {
	t.Parallel()
	next := line.Line{Line: layout.Line{Indent: 10}, Text: "République de Solmarie.", Opens: true}
	for title, want := range map[string]bool{
		"Définitions": true, "Formalité du bon pour": true, "Nullité relative": true,
		"La loi fixe les règles du métier sur le territoire de la": false, "Sont éligibles les ouvriers et ouvrières qui": false, "définitions": false, "Le sel est gris.": false,
	} {
		rest := line.Line{Line: layout.Line{Rect: law.Rect{0, 0, 100, 10}, Slack: 200}, Text: title}
		if got := ownTitle(rest, &next); got != want {
			t.Errorf("%q: %v, want %v", title, got, want)
		}
	}
}
