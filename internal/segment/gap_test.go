package segment

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law"
)

func TestNumbersThatACountLeavesOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ numbers, want string }{
		{"1er 2 3", ""},
		{"1er 2 4", "3"},
		{"1er 2 9 10 12", "3–8 11"},
		{"3 4", "1–2"},
		{"1er 2 2 bis 3 3-1 4", ""},
		{"1er 2 1er 2 3", ""},      // a code behind the law that makes it
		{"1er 2 R. 19-1 3", ""},    // quoted
		{"1er unique", ""},         //
		{"1er 2 334 3", ""},        // too far to be a gap
		{"1er 2 * 9 10", ""},       // repealed, as a heading between them says
		{"1er 2 = 9 10", ""},       // as a note behind article 2 says
		{"1er 2 + 9 11", "3–8 10"}, // a heading that says nothing
	} {
		var articles []law.Article
		for n := range strings.FieldsSeq(strings.NewReplacer(" bis", "_bis", "R. ", "R._").Replace(c.numbers)) {
			a := law.Article{Number: strings.ReplaceAll(n, "_", " "), Text: "Le sel est gris."}
			switch n {
			case "*":
				a.Number, a.Text = "", "Chapitre III\n(abrogé)"
			case "+":
				a.Number, a.Text = "", "Chapitre III"
			case "=":
				articles[len(articles)-1].Text += "\n(Articles 3 à 8 abrogés par la loi n° 99-9)"
				continue
			}
			articles = append(articles, a)
		}
		if got := absent(articles); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s: %v, want %s", c.numbers, got, c.want)
		}
	}
}
