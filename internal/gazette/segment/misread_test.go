package segment_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/quick"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/kit/testkit/compare"
)

// scanned makes pages as text recognition returns them, without type sizes.
func scanned(text string) []layout.Page {
	pages := typed(text)
	for i := range pages {
		pages[i].Source = layout.OCR
		for j := range pages[i].Lines {
			l := &pages[i].Lines[j]
			l.Size = 0
			for k := range l.Words {
				l.Words[k].Size = 0
			}
		}
	}
	return pages
}

// numbers returns the numbers of a text's articles, joined.
func numbers(x gazette.Text) string {
	var out []string
	for _, a := range x.Articles {
		if a.Number != "" {
			out = append(out, a.Number)
		}
	}
	return strings.Join(out, " ")
}

// lawOf returns a law whose articles have the given heads.
func lawOf(heads ...string) string {
	var b strings.Builder
	b.WriteString("                 LOI N° 2019-3 DU 2 MARS 2019\n                 relative au sel.\n\n  L’Assemblée a délibéré et adopté ;\n\n")
	for i, h := range heads {
		fmt.Fprintf(&b, "  %s La règle numéro %d vaut pour le sel et pour tous ceux qui le\nvendent ou le transportent.\n", h, i+1)
	}
	return b.String()
}

func TestMisreadHeads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		heads []string
		want  string
	}{
		{"slips in the word", []string{"Aficle 1er :", "Atticle 2:", "Arlicle 3 :", "Àrticle 4 :", "Articie 5 -", "ARTlCLE 6.-"}, "1er 2 3 4 5 6"},
		{"a word in pieces", []string{"Article 1er :", "Art icle 2 :", "Artic-1e-3.-", "Article 4 :"}, "1er 2 3 4"},
		{"a sign before it", []string{"Article 1er :", "‘Article 2 -", ".Artic1e 3.-", "Article 4 :"}, "1er 2 3 4"},
		{"letters for figures", []string{"Article 1er :", "Article 2 :", "Articie S :", "Article 4 :"}, "1er 2 3 4"},
		{"a number that cannot be read", []string{"Article 1er :", "Articie j; -", "Article 3 :"}, "1er 2 3"},
		{"a number misread", []string{"Article 1er :", "Article 2 :", "Article 39 :", "Article 4 :"}, "1er 2 3 4"},
		{"a roman one for a nine", []string{"Article 1er :", "Article 2 :", "Article I :", "Article 4 :"}, "1er 2 3 4"},
		{"two in a row", []string{"Article 1er :", "Articie j; -", "Artlcle &é: ", "Article 4 :"}, "1er 2 3 4"},
		{"no room between", []string{"Article 1er :", "Article 2 :", "Articie ; -", "Article 3 :"}, "1er 2 3"},
		{"room for two and one head", []string{"Article 1er :", "Articie ; -", "Article 4 :"}, "1er 4"},
		{"other words", []string{"Article 1er :", "Articles divers :", "Artisans 2 :", "Article 2 :"}, "1er 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := segment.Split(scanned(lawOf(c.heads...)), gazette.Hints{})
			if len(got.Texts) != 1 {
				t.Fatalf("%d texts", len(got.Texts))
			}
			same(t, strings.Join(c.heads, " | "), numbers(got.Texts[0]), c.want)
		})
	}
}

// TestArticleAfterAWordingForAnotherLaw checks that the numbering continues where the text left it, and
// not where the other law's articles end.
func TestArticleAfterAWordingForAnotherLaw(t *testing.T) {
	t.Parallel()
	text := `                 LOI N° 2019-3 DU 2 MARS 2019
                 modifiant la loi n° 2010-4 du 5 mai 2010 relative au sel.

  L’Assemblée a délibéré et adopté ;

  Article 1er : Sont modifiées les dispositions des articles 5 et 34 de la
loi n° 2010-4 du 5 mai 2010 relative au sel ainsi qu'il suit :
  « Article 5 nouveau : Le sel est gris et il est vendu au marché.
  Article 34 nouveau : Le sel est affiché à dix écus le kilogramme.
  %s : La présente loi sera exécutée comme loi de l'Etat.
  Fait à Villebourg, le 2 mars 2019.
`
	for head, want := range map[string]string{"Aficle 2": "1er 2", "Article 2": "1er 2", "Aficle 3": "1er", "Aficle 35": "1er"} {
		same(t, head, numbers(segment.Split(scanned(fmt.Sprintf(text, head)), gazette.Hints{}).Texts[0]), want)
	}
}

// TestMisprintedNumberIsDoubted checks that a misprinted number is not changed, and that the numbering is
// doubted.
func TestMisprintedNumberIsDoubted(t *testing.T) {
	t.Parallel()
	x := split(t, lawOf("Article 1er :", "Article 2 :", "Article 13 :", "Article 4 :"), gazette.Hints{})
	if got := numbers(x); strings.Contains(got, "3 4") && !strings.Contains(got, "13") {
		t.Errorf("the number was mended: %s", got)
	}
	if !slices.ContainsFunc(x.Doubts, func(d remarks.Doubt) bool { return d.Field == "articles" }) {
		t.Errorf("doubts %+v", x.Doubts)
	}
}

func TestRepairedHeadsLoseNoWords(t *testing.T) {
	t.Parallel()
	x := segment.Split(scanned(lawOf("Article 1er :", "Arlicle 2 :", "Article 3 :")), gazette.Hints{}).Texts[0]
	for i, a := range x.Articles[1:] {
		same(t, a.Number, a.Text, fmt.Sprintf("La règle numéro %d vaut pour le sel et pour tous ceux qui le vendent ou le transportent.", i+1))
	}
}

func TestMisreadDivisions(t *testing.T) {
	t.Parallel()
	text := `                 LOI N° 2019-3 DU 2 MARS 2019
                 relative au sel.

  L’Assemblée a délibéré et adopté ;

                          CHAPITRE HE
                    DES PRINCIPES DU SEL GRIS
  Article 1er : La présente loi règle le sel, sa couleur et son prix.
                          CHAPIÏRE II
                    DU SEL DE TABLE ET DE MER
  Article 2 : Le sel de table est fin, et celui de mer l’est moins.
`
	x := segment.Split(scanned(text), gazette.Hints{}).Texts[0]
	var got []string
	for _, a := range x.Articles[1:] {
		got = append(got, a.Number+" "+strings.Join(a.Path, "/"))
	}
	want := []string{"1er CHAPITRE HE — DES PRINCIPES DU SEL GRIS", "2 CHAPIÏRE II — DU SEL DE TABLE ET DE MER"}
	if d := compare.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestAnySingleHeadMayBeMisread checks that any single head of a law may be misread on a scan, because the
// numbers of the others identify it.
func TestAnySingleHeadMayBeMisread(t *testing.T) {
	t.Parallel()
	blurs := []string{"Artic1e %d :", "Aficle %d :", "Art icle %d -", "‘Articie %d.-"}
	holds := func(at, how uint8) bool {
		var heads, want []string
		for n := 1; n <= 9; n++ {
			head := "Article %d :"
			if n == int(at%9)+1 {
				head = blurs[int(how)%len(blurs)]
			}
			heads, want = append(heads, fmt.Sprintf(head, n)), append(want, fmt.Sprint(n))
		}
		want[0] = "1er"
		got := segment.Split(scanned(lawOf(heads...)), gazette.Hints{}).Texts
		return len(got) == 1 && numbers(got[0]) == strings.Join(want, " ")
	}
	if err := quick.Check(holds, nil); err != nil {
		t.Error(err)
	}
}
