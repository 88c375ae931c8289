package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/kit/testkit/compare"
)

func TestArticlesOfAnAnnexAreNumberedSeparately(t *testing.T) {
	t.Parallel()
	text := decree + `
                             ANNEXE I
                        Statut de la saline

                       TITRE I : DE SON OBJET
  Article premier. — La saline fait du sel.
  Article 2. — Elle le vend.

                             ANNEXE II
                         Barème des sels
  Article                 Prix
  Gris                    10 écus
`
	x := split(t, text, gazette.Hints{})
	want := []string{"|Préambule", "1er|", "2|", "2 bis|", "|Signatures", "Annexe I|Statut de la saline",
		"Annexe I, article 1er|", "Annexe I, article 2|", "Annexe II|Barème des sels"}
	if d := compare.Diff(want, shape(x)); d != "" {
		t.Error(d)
	}
	for _, a := range x.Articles {
		if strings.HasPrefix(a.Number, "Annexe I,") && strings.Join(a.Path, "/") != "Annexe I — Statut de la saline/TITRE I — DE SON OBJET" {
			t.Errorf("the path of %s is %q", a.Number, a.Path)
		}
	}
}

func TestAnnexOfACode(t *testing.T) {
	t.Parallel()
	x := split(t, lawOf("Article 1er :", "Article 2 :")+`
                              ANNEXES
  Article ANNEXE, art. 1
  Le sel gris est gris.
  Article ANNEXE, art. 2
  Le sel fin est fin.
  Article 3
  Le sel de mer est de mer.
`, gazette.Hints{})
	same(t, "numbers", numbers(x), "1er 2 Annexe Annexe, article 1er Annexe, article 2 Annexe, article 3")
}

func TestAnAnnexOfTablesHasNoArticles(t *testing.T) {
	t.Parallel()
	x := split(t, decree+`
                             ANNEXE
                    Modèle de déclaration
  Article 12 du code : cocher la case.
  Article 14 du code : ne rien cocher.
`, gazette.Hints{})
	same(t, "numbers", numbers(x), "1er 2 2 bis Annexe")
}

func TestArticlesQuotedWithoutMarks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ quoted, want string }{
		"of another count": {"  Art. R. 19-1. — Le pourvoi est formé en dix jours.\n  Art. R. 19-2. — Il est écrit.\n", "1er 2 3 4"},
		"far ahead":        {"  Article 26. — Le pourvoi est formé en dix jours.\n  Article 27. — Il est écrit.\n", "1er 2 3 4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(lawOf("Article 1er :", "Article 2 :", "Article 3 :", "Article 4 :"), "  Article 3 :", c.quoted+"  Article 3 :", 1)
			x := split(t, text, gazette.Hints{})
			same(t, "numbers", numbers(x), c.want)
			if !strings.Contains(x.Articles[2].Text, "Il est écrit.") {
				t.Errorf("the quoted words are not article 2's: %q", x.Articles[2].Text)
			}
		})
	}
}

func TestSkippedNumbersAreNoQuotation(t *testing.T) {
	t.Parallel()
	x := split(t, lawOf("Article 1er :", "Article 2 :", "Article 16 :", "Article 17 :"), gazette.Hints{})
	same(t, "numbers", numbers(x), "1er 2 16 17")
}

func TestOriginNotesAreNoTextsAndNoTitles(t *testing.T) {
	t.Parallel()
	text := lawOf("Article 1er - (Loi n° 83-53 du 18 février 1983)\n ", "Article 2 (Abrogé par la loi n° 68-01 du 4 janvier 1968)\n ", "Article 3 -")
	text = strings.Replace(text, "La règle numéro 3", "\n  (Loi n° 73-60 du 19 décembre 1973)\n  La règle numéro 3", 1)
	x := split(t, text, gazette.Hints{})
	same(t, "numbers", numbers(x), "1er 2 3")
	for _, a := range x.Articles {
		if strings.Contains(a.Heading, "Loi n°") {
			t.Errorf("article %s is titled %q", a.Number, a.Heading)
		}
	}
}
