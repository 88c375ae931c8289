package segment_test

import (
	"fmt"
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
)

// TestHeadsOfRealGazettes checks forms of an article's head by printers and scanners, all of which
// occurred in gazettes.
func TestHeadsOfRealGazettes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		heads []string
		want  string
	}{
		{"no blank behind the word", []string{"Articlepremier. -", "Article2.-", "ARTICLE3 :"}, "1er 2 3"},
		{"a slip in the short word", []string{"Art. 1er. -", "Aït. 2 -", "Arl. 3. -", "Art. 4 -"}, "1er 2 3 4"},
		{"a dash that was lost before « A »", []string{"Art. 1er. -", "Art. 2 A l’exception du sel gris,", "Art. 3 -"}, "1er 2 3"},
		{"a number that was forgotten", []string{"Article 1er :", "Article :", "Article 3 :"}, "1er 2 3"},
		{"a forgotten number without a place", []string{"Article 1er :", "Article :", "Article 2 :"}, "1er 2"},
		{"a letter that is the number’s", []string{"Article 1er :", "Article 1er A :", "Article 2 :"}, "1er 1er 2"},
		{"a mark of a note glued to it", []string{"Article 333", "Article 33450", "Article 335"}, "333 334 335"},
		{"letters of a code", []string{"Art. L. 1 -", "Art. L.2 -", "Art. L3 -"}, "L. 1 L. 2 L. 3"},
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

// A note in brackets ends no sentence, but an article may follow it.
func TestArticleAfterANoteInBrackets(t *testing.T) {
	t.Parallel()
	text := strings.Replace(lawOf("Article 1er :"), "transportent.", "transportent.\n(Alinéa 4 abrogé par l’article 3 de la loi n° 2009-16 du 16 mars 2009)\nArticle 2.- A l’exception du sel gris, le sel est blanc et fin.", 1)
	same(t, "numbers", numbers(split(t, text, gazette.Hints{})), "1er 2")
	cited := strings.Replace(lawOf("Article 1er :"), "transportent.", "transportent, comme il est dit plus haut (voir les notes du règlement)\nArticle 2 du règlement du sel, qui reste applicable à tous les marchés.", 1)
	same(t, "numbers", numbers(split(t, cited, gazette.Hints{})), "1er")
}

// The list of what a law changes may be longer than a few lines. The wordings after it still belong to the
// other text.
func TestWordingsAfterALongList(t *testing.T) {
	t.Parallel()
	x := split(t, `                 LOI N° 2019-3 DU 2 MARS 2019
                 modifiant le code du sel.

  L’Assemblée a délibéré et adopté ;

  Article 1er : Le prix du sel est libre.
  Article 2 : Sont modifiés, complétés et remplacés les articles 9, 18, 32
(deuxième alinéa), 37 (premier alinéa), 45 (troisième alinéa), 46, 134
(deuxième alinéa), 141, 179, 179 bis, 184, 212 (premier alinéa), 429
(troisième alinéa), 440 et 441 du code du sel, dans sa rédaction en
vigueur, comme suit :
  Article 9 : Le sel gris est vendu au poids dans les marchés.
  Article 18 : Le sel blanc est vendu en sacs par les grossistes.
  Article 3 : La présente loi sera publiée.
`, gazette.Hints{})
	same(t, "numbers", numbers(x), "1er 2 3")
	if text := x.Articles[2].Text; !strings.Contains(text, "Article 9 : Le sel gris") || !strings.Contains(text, "en sacs") {
		t.Errorf("article 2 is %q", text)
	}
}

// A book's table of contents comes after its last article, and is no part of it.
func TestContentsAfterTheLastArticle(t *testing.T) {
	t.Parallel()
	contents := "                    TABLE DES MATIÈRES\n\n  Titre premier : Du sel gris ............................ 3\n  Titre II : Du sel blanc ................................ 7\n" +
		"  Titre III : Des peines .................................. 12\n  Titre IV : Dispositions finales ........................ 15\n"
	heads := []string{"Article 1er :"} // enough articles that the list is far from the book's front
	for n := 2; n <= 45; n++ {
		heads = append(heads, fmt.Sprintf("Article %d :", n))
	}
	issue := segment.Split(typed(lawOf(heads...)+contents), gazette.Hints{})
	last := issue.Texts[0].Articles[len(issue.Texts[0].Articles)-1]
	if last.Number != "45" || strings.Contains(last.Text, "TABLE") || len(issue.Loose) != 5 {
		t.Errorf("the last article is %s %q, %d lines are loose", last.Number, last.Text, len(issue.Loose))
	}
	_, headless, _ := strings.Cut(contents, "\n\n")
	for _, c := range []string{strings.Replace(contents, "TABLE DES", "TABLE DE", 1), headless} {
		issue := segment.Split(typed(lawOf(heads...)+c), gazette.Hints{})
		if last := issue.Texts[0].Articles[len(issue.Texts[0].Articles)-1]; last.Number != "45" || len(issue.Loose) < 4 {
			t.Errorf("the last article is %s %q, %d lines are loose", last.Number, last.Text, len(issue.Loose))
		}
	}
	// Articles follow the first one; the second one is no list.
	for _, rest := range []string{contents + "  Article 46 : Le sel de mer est libre.\n", "                    TABLE DES MATIÈRES\n\n  Elle est arrêtée par décret du ministre.\n  Le sel y figure.\n"} {
		issue := segment.Split(typed(lawOf(heads...)+rest), gazette.Hints{})
		if len(issue.Texts) != 1 || len(issue.Loose) != 0 {
			t.Errorf("%d lines are loose", len(issue.Loose))
		}
	}
}

func TestTitleWithSpecks(t *testing.T) {
	t.Parallel()
	soiled := strings.Replace(strings.Replace(decree, "  Le Premier ministre,", "  _ Le Premier ministre,", 1), "DÉCRET N°", "DÉCRET N®", 1)
	x := split(t, soiled, gazette.Hints{})
	same(t, "title", x.Document.Title, "Décret n° 2019-12/PM du 1er mars 2019 fixant le prix du sel")
	same(t, "number", x.Document.OfficialNumber, "2019-12/PM")
}

// A title ends where the print says in which gazette the text was published.
func TestWhatIsPrintedBelowATitle(t *testing.T) {
	t.Parallel()
	x := split(t, `
DECRET DU 14 NOVEMBRE 1980 REGLEMENTANT LE
COMMERCE DU SEL
(Moniteur no. 82 du lundi 17 novembre 1980)
JEAN VILLEDIEU
Vu les articles 68 et 76 de la Constitution;
DECRETE;
Article 1- Le sel est gris.
Article 2- Le sel est vendu au poids.
`, gazette.Hints{})
	same(t, "title", x.Document.Title, "Décret du 14 novembre 1980 réglementant le commerce du sel")
}

func TestADateOverTheTitle(t *testing.T) {
	t.Parallel()
	letter := "  Villebourg, le 6 mai 1986\n\n             CIRCULAIRE N° 86-13\n             Objet : Prix du sel\n\n  Les banques appliquent le prix du sel que fixe le ministre.\n"
	x := split(t, letter, gazette.Hints{})
	same(t, "date", day(x.Document.Promulgated), "1986-05-06")
	if e := evidence(x, "date_promulgation"); !strings.Contains(e.Words, "6 mai 1986") {
		t.Errorf("%+v", e)
	}
}
