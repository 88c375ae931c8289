package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
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

// What an act approves is printed behind its signatures, with articles of its own: an annex if it is named by what the act
// approves, and another text if it has a name and a day.
func TestWhatFollowsTheSignatures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ object, behind, want string }{
		"convention": {"portant approbation de la Convention sur le commerce du sel", `
                         TEXTE DE LA CONVENTION

  Les Etats signataires de la présente Convention sont convenus des dispositions suivantes:

                              CHAPITRE I
                              Du commerce

                            Article premier
  Le sel est libre.
                            Article 2
  Il est gris.

  Fait à La Haye, le 14 mars 1978.
`, "1er 2 Annexe Annexe, article 1er Annexe, article 2"},
		"coordinated": {"modifiant le règlement du 7 décembre 1989 sur le sel", `
  Texte coordonné du 8 octobre 1990 du règlement du 7 décembre 1989 sur le sel, tel qu'il a été modifié.

                              A. Champ d'application

  Art. 1er. Il est créé un sel.
  Art. 2. Il est gris.
`, "1er 2 | 1er 2"},
		"nothing that is named": {"fixant le prix du sel", `

  Art. 1er. Il est créé un sel.
  Art. 2. Il est gris.
`, "1er 2 1er 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			issue := segment.Split(typed(`
  Règlement grand-ducal du 21 septembre 1990 `+c.object+`.

  Nous JEAN, par la grâce de Dieu, Grand-Duc de Luxembourg, Duc de Nassau;
  Vu la loi du 26 juin 1980 concernant le sel;
                               Arrêtons:
  Art. 1er. Le sel est approuvé.
  Art. 2. Notre Ministre est chargé de l'exécution du présent règlement.
                                                Luxembourg, le 21 septembre 1990.
                                                Les Membres du Gouvernement,
                                                      Jacques Santer
`+c.behind), gazette.Hints{})
			var got []string
			for _, x := range issue.Texts {
				got = append(got, numbers(x))
			}
			same(t, "numbers", strings.Join(got, " | "), c.want)
			if d := strings.Join(fields(issue.Texts[0].Doubts), " "); (d == "") != (name != "nothing that is named") {
				t.Errorf("doubts: %q", d)
			}
		})
	}
}
