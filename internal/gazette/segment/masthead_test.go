package segment_test

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
)

func TestTheIssuesNumberAndDate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ masthead, want string }{
		{"  JOURNAL OFFICIEL DE LA RÉPUBLIQUE\n  N° 14 — jeudi 4 avril 2019\n", "14 2019-04-04"},
		{"  67e ANNEE - N° 26        Jeudi 26 juin 2025\n  JOURNAL OFFICIEL\n", "26 2025-06-26"},
		{"  Journal officiel de la République — 15 juillet 2016 — N° 58\n", "58 2016-07-15"},
		{"  BULLETIN OFFICIEL N° 5210 du 6 mai 2004\n", "5210 2004-05-06"},
		{"  JOURNAL OFFICIEL\n  N° 7257 NUMERO SPECIAL LUNDI 13 JANVIER 2020\n", "7257 2020-01-13"},
		{"  JOURNAL OFFICIEL\n  Abrogé par la loi n° 67 du 12 juin 1967\n  N° 3 du 1er mai 2019\n", "3 2019-05-01"},
		{"  Document telecharge le 12/11/2026 a 10:42\n  JOURNAL OFFICIEL\n  N° 24 du 20 juin 2024\n", "24 2024-06-20"},
		{"  RECUEIL DE TEXTES\n  N° 14 — jeudi 4 avril 2019\n", " none"},
	} {
		got := segment.Split(typed(c.masthead+"\n\n"+decree), gazette.Hints{})
		date := "none"
		if got.Date != nil {
			date = got.Date.Format(time.DateOnly)
		}
		same(t, c.masthead, got.Number+" "+date, c.want)
	}
}

func TestADateAfterTheIssuesIsDoubtful(t *testing.T) {
	t.Parallel()
	got := segment.Split(typed("  JOURNAL OFFICIEL\n  N° 3 du 1er février 2019\n\n"+decree), gazette.Hints{})
	if len(got.Texts) != 1 || len(got.Texts[0].Doubts) != 1 || got.Texts[0].Doubts[0].Field != "date_promulgation" {
		t.Errorf("%+v", got.Texts)
	}
}

const book = `                     SOMMAIRE
  Loi n° 1-2019 relative au sel ................................. 2
  Décret n° 2-2019 relatif aux marais ........................... 9

`

func TestContentsOfABookAreNoTexts(t *testing.T) {
	t.Parallel()
	x := split(t, book+decree, gazette.Hints{})
	same(t, "number", x.Document.OfficialNumber, "2019-12/PM")
	for _, a := range x.Articles {
		if strings.Contains(a.Text, "......") {
			t.Errorf("the contents are in article %q", a.Number)
		}
	}
}

// TestAPlanWithoutPageNumbersIsNoText checks a circular without articles, whose plan lists the headings after
// it.
func TestAPlanWithoutPageNumbersIsNoText(t *testing.T) {
	t.Parallel()
	x := split(t, `  Villebourg, le 6 mai 1986

          CIRCULAIRE AUX SAUNIERS N° 86-13
  OBJET : Activité des salines.

  La loi n° 85-108 du 6 décembre 1985 a élargi le domaine des sauniers.

  PLAN

                        I - CONDITIONS DE GESTION
  1) La récolte du sel
                          II - RÈGLES DE VENTE

                        I - CONDITIONS DE GESTION(*)
  1) La récolte du sel :
  Le sel est récolté avant les pluies de l'automne.
                          II - REGLES DE VENTE :
  Le sel est vendu au marché.
`, gazette.Hints{})
	same(t, "circular", string(x.Document.Type)+" "+x.Document.OfficialNumber+" "+day(x.Document.Promulgated), "circulaire 86-13 1986-05-06")
	if len(x.Doubts) != 0 {
		t.Errorf("doubts %v", x.Doubts)
	}
	var got []string
	for _, a := range x.Articles {
		got = append(got, strings.Join(a.Path, " > ")+": "+strings.ReplaceAll(a.Text, "\n", " / "))
	}
	same(t, "text", strings.Join(got, "\n"), `: La loi n° 85-108 du 6 décembre 1985 a élargi le domaine des sauniers.
I — CONDITIONS DE GESTION(*): 1) La récolte du sel : / Le sel est récolté avant les pluies de l'automne.
II — REGLES DE VENTE :: Le sel est vendu au marché.`)
}

func TestLawsQuotedInAnAnnexAreNoTexts(t *testing.T) {
	t.Parallel()
	x := split(t, decree+`
                             ANNEXE
                      Contrat de prêt
  1. « Loi n° 4-2025 » signifie la loi n° 4-2025 du 3 mars 2025
relative aux prêts.
  2. Loi n° 19-2024 relative à la concurrence, telle que publiée.
`, gazette.Hints{})
	same(t, "number", x.Document.OfficialNumber, "2019-12/PM")
}

func TestRubricsBelongToNoText(t *testing.T) {
	t.Parallel()
	for _, rubric := range []string{
		"                - DÉCRETS ET ARRÊTÉS -\n", "            MINISTÈRE DES SALINES\n           ET DES TOURBIÈRES\n",
		"            MINISTERE DU COMMERCE\n       ET DES PETITES ET MOYENNES\n           ENTREPRISES (PME)\n", "              PARTIE NON OFFICIELLE\n",
	} {
		second := strings.Replace(decree, "2019-12/PM", "2019-13/PM", 1)
		got := segment.Split(typed("  JOURNAL OFFICIEL\n  N° 3 du 1er mai 2019\n\n"+decree+"\n"+rubric+"\n"+second), gazette.Hints{})
		if len(got.Texts) != 2 {
			t.Errorf("%q: %d texts", rubric, len(got.Texts))
			continue
		}
		last := got.Texts[0].Articles[len(got.Texts[0].Articles)-1]
		if want := "Jean VILLEDIEU"; !strings.HasSuffix(last.Text, want) {
			t.Errorf("%q: the first text ends with %q", rubric, last.Text)
		}
	}
}
