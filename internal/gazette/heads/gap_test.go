package heads

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law"
)

func TestGaps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ numbers, want string }{
		{"1er 2 3", ""},
		{"1er 2 4", "3"},
		{"1er 2 9 10 12", "3–8 11"},
		{"3 4", "1–2"},
		{"1er 2 2 bis 3 3-1 4", ""},
		{"1er 2 1er 2 3", ""},      // a code after the law that enacts it
		{"1er 2 R. 19-1 3", ""},    // quoted
		{"1er unique", ""},         // « unique » is no number to count
		{"1er 2 334 3", "3–333"},   // misread, or another text's
		{"123 124 125", "1–122"},   // it begins within a text
		{"1er 2 * 9 10", ""},       // repealed, as a heading between them says
		{"1er 2 = 9 10", ""},       // repealed, as a note after article 2 says
		{"1er 2 + 9 11", "3–8 10"}, // the heading does not say so
		{"L. 1-1 L. 1-2 L. 1-4 L. 2-1 L. 2-2 L. 2-6", "L._1-3 L._2-3–L._2-5"},
		{"L. 1 L. 2 L. 4 R. 7 R. 9", "L._3 R._8"},
		{"L. 1-1 L. 1-2 L. 1-2 bis L. 1-3 L. 3-1 R. 3-5 L. 3-200", ""}, // the end of a part is unknown
		{"L. 1-1 * L. 1-5 = L. 1-9 L. 1-10", ""},                       // repealed
		{"1er 2 L. 1-1 L. 1-9 3 4 5", ""},                              // quoted
	} {
		var articles []law.Article
		for n := range strings.FieldsSeq(strings.NewReplacer(" bis", "_bis", "R. ", "R._", "L. ", "L._").Replace(c.numbers)) {
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
		var got []string
		for _, g := range Gaps(articles) {
			got = append(got, g.String())
		}
		if !slices.Equal(got, strings.Fields(c.want)) && strings.ReplaceAll(strings.Join(got, " "), ". ", "._") != c.want {
			t.Errorf("%s: %v, want %s", c.numbers, got, c.want)
		}
	}
}

// TestAfter checks that a gap admits its numbers in increasing order, each once.
func TestAfter(t *testing.T) {
	t.Parallel()
	g, ok := Between(2, 7)
	if !ok || g.String() != "3–6" {
		t.Fatal(g, ok)
	}
	for _, c := range []struct {
		number string
		in     bool
		rest   string
	}{{"2", false, "3–6"}, {"7", false, "3–6"}, {"4", true, "5–6"}, {"4", false, "5–6"}, {"3", false, "5–6"}, {"unique", false, "5–6"}, {"5", true, "6"}} {
		if g, ok = g.After(Head{Number: c.number}); ok != c.in || g.String() != c.rest {
			t.Errorf("after %s: %s, %v", c.number, g, ok)
		}
	}
}

// TestExplainedGaps checks that the search for heads sees gaps that earlier articles explain, and reports do not.
func TestExplainedGaps(t *testing.T) {
	t.Parallel()
	var articles []law.Article
	var count []numbered
	for _, n := range []string{"1er", "2", "3", "1er", "3"} {
		articles, count = append(articles, law.Article{Number: n}), append(count, numbered{number: n})
	}
	if gaps := Gaps(articles); len(gaps) != 0 {
		t.Errorf("reported: %v", gaps)
	}
	if gaps := gapsIn(count); len(gaps) != 1 || !gaps[0].Explained || gaps[0].Before != 3 || gaps[0].Next != 4 {
		t.Errorf("%+v", gaps)
	}
}
