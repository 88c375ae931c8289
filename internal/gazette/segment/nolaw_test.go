package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/law"
)

const english = `  LAW No. 2019/3 OF 2 MARCH 2019
  ON THE PRICE OF SALT

  The National Assembly has deliberated and adopted, and the President of the Republic hereby enacts the law
  set out below:

  Section 1. The price of salt shall be fixed by the Minister who is in charge of trade, and it shall be the
  same in every market of the country to which this law applies.
`

// tender is a notice with a number.
func tender(n string) string {
	return "  AVIS D’APPEL D’OFFRES N° " + n + "/2019/MS DU " + n + " MAI 2019\n\n  Le ministère numéro " + n + " lance un appel pour l’achat de sel, que les marchands de la\nville et des environs peuvent lire en entier au siège du service des marchés.\n\n\n"
}

// What is no law yields no text, and one sentence says what it is; an operator who gives its nature has it cut.
func TestWhatIsNoLaw(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, said string }{
		{"a communiqué", "           COMMUNIQUÉ DU CONSEIL DES MINISTRES\n\n  Le Conseil des ministres s’est réuni le 3 mai 2019. Il a pris acte du prix du sel.\n", "Communiqué :"},
		{"tenders", tender("3") + tender("4") + tender("5") + tender("6"), "Avis et résultats de marchés ou d’annonces :"},
		{"a commentary", "           LES MESURES DE LA NOUVELLE LOI\n\n  Le prix du sel devient libre, et chacun peut en vendre.\n", "Ni acte ni article :"},
		{"another language", strings.Repeat(english, 4), "Texte en anglais :"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			issue := segment.Split(typed(c.text), gazette.Hints{Filename: "x.pdf"})
			if len(issue.Texts) != 0 || !strings.HasPrefix(issue.NoLaw.Sentence(), c.said) || len(issue.Loose) == 0 {
				t.Errorf("%d texts, said to be %q", len(issue.Texts), issue.NoLaw.Sentence())
			}
			if said := segment.Split(typed(c.text), gazette.Hints{Filename: "x.pdf", Type: law.Arrete}); len(said.Texts) == 0 {
				t.Error("the operator's word does not count")
			}
		})
	}
}

// A nature is read with the word that says who makes the act, and its type follows from the table, or from the country.
func TestNatures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, above, nature string
		as                  law.DocType
		doubted             bool
	}{
		{"RÈGLEMENT GRAND-DUCAL", "", "Règlement grand-ducal", law.Decret, false},
		{"RÈGLEMENT MINISTÉRIEL", "", "Règlement ministériel", law.Arrete, false},
		{"ORDONNANCE MINISTÉRIELLE", "", "Ordonnance ministérielle", law.Arrete, false},
		{"NOTE D’INSTRUCTION", "", "Note d'instruction", law.Circulaire, false},
		{"RÉSOLUTION", "", "Résolution", law.Arrete, false},
		{"ACTE ADDITIONNEL", "", "Acte additionnel", law.Loi, true},
		{"CONVENTION COLLECTIVE", "", "Convention collective", law.Arrete, true},
		{"DÉCISION GUBERNATORIALE", "", "Décision gubernatoriale", law.Arrete, false},
		{"DÉCRET CONSTITUTIONNEL", "", "Décret constitutionnel", law.Decret, true},
		{"ORDONNANCE GUBERNATORIALE", "", "Ordonnance gubernatoriale", law.Loi, true},
		{"ORDONNANCE", "", "Ordonnance", law.Loi, false},
		{"ORDONNANCE", "  JOURNAL OFFICIEL DE LA RÉPUBLIQUE DÉMOCRATIQUE DU CONGO\n\n", "Ordonnance", law.Decret, false},
	} {
		t.Run(c.name+c.above, func(t *testing.T) {
			t.Parallel()
			x := segment.Split(typed(c.above+strings.Replace(decree, "DÉCRET", c.name, 1)), gazette.Hints{}).Texts[0]
			if x.Document.Nature != c.nature || x.Document.Type != c.as || (len(x.Doubts) > 0) != c.doubted {
				t.Errorf("%q, %s, doubts %+v", x.Document.Nature, x.Document.Type, x.Doubts)
			}
		})
	}
}
