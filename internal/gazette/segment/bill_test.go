package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
)

// A law may be printed after its bill, whose title is the law's. Both are one text, which begins with the
// law. If there is only one title, the reasons below it belong to the text.
func TestABillAndItsLawAreOneText(t *testing.T) {
	t.Parallel()
	const title = "                 LOI N° 2019-3 DU 2 MARS 2019\n                 relative au sel.\n\n"
	const motives = "                 EXPOSÉ DES MOTIFS\n\n  Le commerce du sel a été créé par la\nloi n° 84-19 du 2 février 1984 portant organisation des salines,\n" +
		"et le décret n° 84-1194 du 22 octobre 1984 en a fixé la composition.\n  Par ailleurs, la taxe a été\ninstituée par la loi n° 75-79 du 9 juillet 1975, modifiée par la loi\n" +
		"n° 92-29 du 4 juin 1992, et les sauniers, par le décret n° 75-707.\n  Telle est l'économie du présent projet de loi.\n\n"
	law := strings.SplitN(lawOf("Article premier :", "Article 2 :"), "\n\n", 2)[1] + "  Villebourg, le 2 mars 2019.\n"
	for name, text := range map[string]string{"behind": title + motives + title + law, "once": title + motives + law} {
		got := segment.Split(typed(text), gazette.Hints{})
		if len(got.Texts) != 1 {
			t.Errorf("%s: %d texts", name, len(got.Texts))
			continue
		}
		same(t, name, numbers(got.Texts[0]), "1er 2")
		same(t, name, got.Texts[0].Document.OfficialNumber, "2019-3")
	}
}

// TestContentsBeforeTheText checks that the contents that a gazette prints under the title of a text, before the title
// comes again, are no text.
func TestContentsBeforeTheText(t *testing.T) {
	t.Parallel()
	const title = "             LOI N° 2019-3 DU 2 MARS 2019 PORTANT CODE DU SEL\n"
	contents := title + `
                        TABLE DES MATIÈRES

CHAPITRE PREMIER : DISPOSITIONS GÉNÉRALES
Article premier : Objet de la présente loi
Article 2 : Champ d’application
CHAPITRE II : DU PRIX
Article 3 : Prix du sel
Article 4 : Entrée en vigueur
`
	law := title + `
  Nous, Jean VILLEDIEU, Président de la République ;
  LE PARLEMENT A ADOPTÉ ET NOUS SANCTIONNONS, PROMULGUONS LA LOI DONT LA TENEUR SUIT :
  Vu la Constitution, notamment en ses articles 62 et 88 ;
  ADOPTE :

CHAPITRE PREMIER : DISPOSITIONS GÉNÉRALES
  Article premier : Objet de la présente loi
  La présente loi fixe le prix du sel.
  Article 2 : Champ d’application
  La présente loi s’applique à tous les marchés.
CHAPITRE II : DU PRIX
  Article 3 : Prix du sel
  Le prix du sel est affiché par le vendeur dans son échoppe.
  Article 4 : Entrée en vigueur
  La présente loi entre en vigueur le jour de sa publication.

  Villebourg, le 2 mars 2019
`
	got := segment.Split(typed(contents+"\f"+law), gazette.Hints{})
	if len(got.Texts) != 1 {
		t.Fatalf("%d texts", len(got.Texts))
	}
	same(t, "articles", numbers(got.Texts[0]), "1er 2 3 4")
	if text := got.Texts[0].Articles[1].Text; !strings.Contains(text, "fixe le prix") {
		t.Errorf("the first article is of the contents: %q", text)
	}
}
