package segment_test

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment"
)

const frenchSide = `                 LOI N° 2019-3 DU 2 MARS 2019
                 relative au sel.

  L’Assemblée a délibéré et adopté ;

  Article 1er : La présente loi fixe le prix du sel pour tous les
marchés de la République.
  Article 2 : Le prix du sel est affiché par le vendeur dans son
échoppe.
  Article 3 : La présente loi sera exécutée comme loi de l’État.
`

const englishSide = `                 LAW NO. 2019-3 OF 2 MARCH 2019
                 relating to salt.

  The Assembly has deliberated and adopted;

  Section 1: This law shall fix the price of salt for any of the
markets of the Republic.
  Section 2: The price of salt shall be displayed by the seller in
his stall.
  Section 3: This law shall be enforced as a law of the State, and
it shall be published in the Gazette with this text.
`

// sideBySidePages puts the English side into the second column of the French page.
func sideBySidePages() []layout.Page {
	left, right := typed(frenchSide)[0], typed(englishSide)[0]
	for _, l := range right.Lines {
		l.Column = 1
		left.Lines = append(left.Lines, l)
	}
	return []layout.Page{left}
}

func TestTheFrenchSideIsTheText(t *testing.T) {
	t.Parallel()
	got := segment.Split(sideBySidePages(), gazette.Hints{})
	if len(got.Texts) != 1 {
		t.Fatalf("%d texts", len(got.Texts))
	}
	same(t, "articles", numbers(got.Texts[0]), "1er 2 3")
	for _, a := range got.Texts[0].Articles {
		if strings.Contains(a.Text, "shall") || strings.Contains(a.Text, "Section") {
			t.Errorf("article %s: %q", a.Number, a.Text)
		}
	}
	loose := ""
	for _, l := range got.Loose {
		loose += l.Text() + "\n"
	}
	if !strings.Contains(loose, "Section 2") || !strings.Contains(loose, "LAW NO. 2019-3") {
		t.Errorf("the English side is lost: %q", loose)
	}
}

func TestAQuotationInEnglishStays(t *testing.T) {
	t.Parallel()
	text := strings.Replace(frenchSide, "affiché par le vendeur dans son\n", "affiché sous la forme\n« The price of salt shall be this », par le vendeur dans son\n", 1)
	x := split(t, text, gazette.Hints{})
	if !strings.Contains(x.Articles[2].Text, "The price of salt shall be this") {
		t.Errorf("%q", x.Articles[2].Text)
	}
}

// Words of a made-up language, with few letters that French lacks.
const otherSheet = `                 ITEGIKO No 3/2019 RYO KUWA 02/03/2019
                 rigena umunu.

  Intiko ishinga yemije iri tegiko;

  Ingingo ya mbiri: Iri tegiko rigena igiciro cy'umunu ku masoko
yose mu gihugu cyacu kandi rikurikizwa na bose.
  Ingingo ya 2: Igiciro cy'umunu kimanikwa n'umucuruzi mu iduka
rye kugira ngo abaguzi bakibone buri munsi.
  Ingingo ya 3: Iri tegiko rizakurikizwa nk'itegiko ry'igihugu
kandi rizatangazwa mu igazeti.
`

// TestLanguagesOfWhichNothingIsKnown checks that the French text is read where others stand behind and beside it, whatever
// their language.
func TestLanguagesOfWhichNothingIsKnown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		pages []layout.Page
	}{
		{"sheet after sheet", typed(frenchSide + "\f" + otherSheet + "\f" + englishSide)},
		{"in columns", func() []layout.Page {
			page := typed(frenchSide)[0]
			for i, text := range []string{englishSide, otherSheet} {
				for _, l := range typed(text)[0].Lines {
					l.Column = i + 1
					page.Lines = append(page.Lines, l)
				}
			}
			return []layout.Page{page}
		}()},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := segment.Split(c.pages, gazette.Hints{})
			if len(got.Texts) != 1 || got.Texts[0].Document.OfficialNumber != "2019-3" {
				t.Fatalf("%d texts", len(got.Texts))
			}
			same(t, "articles", numbers(got.Texts[0]), "1er 2 3")
			for _, a := range got.Texts[0].Articles {
				if strings.Contains(a.Text, "igazeti") || strings.Contains(a.Text, "shall") {
					t.Errorf("article %s: %q", a.Number, a.Text)
				}
			}
		})
	}
}

// TestColumnsThatMixLanguagesAreADoubt checks that a text is doubted if lines of its pages have words of two languages.
func TestColumnsThatMixLanguagesAreADoubt(t *testing.T) {
	t.Parallel()
	for name, mixed := range map[string]string{
		"mixed": `  The Ministry shall be in charge of this and of the law Le ministre est chargé du sel
  under the law and it shall report to the Assembly et il en rend compte à l'Assemblée
  on the salt of the markets and of the shops du sel des marchés et des échoppes
  by which it shall be sold, for any of the prices de vente au public
`, "apart": "",
	} {
		got := segment.Split(typed(frenchSide+"\f"+englishSide+mixed), gazette.Hints{})
		doubted := slices.ContainsFunc(got.Texts[0].Doubts, func(d remarks.Doubt) bool { return d.Why.Kind == remarks.LanguagesMixed })
		if doubted != (mixed != "") {
			t.Errorf("%s: %v", name, got.Texts[0].Doubts)
		}
	}
}
