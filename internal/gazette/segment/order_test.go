package segment_test

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/law"
)

// sheets are the three pages of a decree.
var sheets = []string{`                 DÉCRET N° 2019-12/PM DU 1ER MARS 2019
                 fixant le prix du sel.

  Vu la loi n° 2010-05 du 3 mai 2010 portant Code du commerce ;

  Art. 1er. — Le prix du sel est de dix écus le kilogramme dans les
marchés de plein air.
  Art. 2. — Il est affiché.
`, `  Art. 3. — Le sel gris est vendu en sacs de jute de la taille que le
ministre chargé du commerce détermine par arrêté.
  Art. 4. — Le sel blanc est vendu en boîtes.
`, `  Art. 5. — Le présent décret sera publié.
  Fait à Villebourg, le 1er mars 2019.

                       Le Premier ministre,
                        Jean VILLEDIEU
`}

// bound returns the sheets in an order, each with a number at its foot if numbered is set.
func bound(order []int, numbered bool, sheets ...string) []layout.Page {
	var texts []string
	for _, n := range order {
		texts = append(texts, sheets[n-1])
	}
	pages := typed(strings.Join(texts, "\f"))
	for i := range pages {
		if numbered {
			pages[i].Aside = []layout.Line{{Words: []layout.Word{{Text: "-"}, {Text: string(rune('3' + order[i]))}, {Text: "-"}}}}
		}
	}
	return pages
}

func TestPagesBoundInAnotherOrder(t *testing.T) {
	t.Parallel()
	other := strings.Replace(sheets[1], "Art. 3.", "Art. 7.", 1) // numbers are missing before 7
	whole := "1er 2 3 4 5"
	for _, c := range []struct {
		name     string
		pages    []layout.Page
		articles string // of the last text
		doubts   string
	}{
		{"as printed", bound([]int{1, 2, 3}, false, sheets...), whole, ""},
		{"the last first", bound([]int{3, 1, 2}, false, sheets...), whole, "ordre"},
		{"backwards", bound([]int{3, 2, 1}, false, sheets...), whole, "ordre"},
		{"backwards, with page numbers", bound([]int{3, 2, 1}, true, sheets...), whole, "ordre"},
		{"with page numbers", bound([]int{1, 2, 3}, true, sheets...), whole, ""},
		{"another text's page before", bound([]int{2, 1, 3}, false, sheets[0], other, sheets[2]), "1er 2 5", "articles"},
	} {
		got := segment.Split(c.pages, gazette.Hints{})
		last := got.Texts[len(got.Texts)-1]
		same(t, c.name, numbers(last), c.articles)
		same(t, c.name+": doubts", strings.Join(fields(last.Doubts), " "), c.doubts)
		if !strings.HasSuffix(c.name, "before") && len(got.Texts) != 1 {
			t.Errorf("%s: %d texts", c.name, len(got.Texts))
		}
	}
	last := segment.Split(bound([]int{3, 1, 2}, false, sheets...), gazette.Hints{}).Texts[0]
	if a := last.Articles[slices.IndexFunc(last.Articles, func(a law.Article) bool { return a.Number == "5" })]; a.Page != 1 {
		t.Errorf("article 5 is cited on page %d, and is on the file's first", a.Page)
	}
	if !strings.Contains(last.Doubts[0].Why.Sentence(), "dans l’ordre 2–3, 1.") {
		t.Errorf("doubt %q", last.Doubts[0].Why.Sentence())
	}
}
