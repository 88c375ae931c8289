package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment"
)

// TestTextsKnownByTheirName checks codes, treaties and uniform acts, which have no title in the usual form and
// often no number. None of them makes a doubt.
func TestTextsKnownByTheirName(t *testing.T) {
	t.Parallel()
	body := "\n  Article 1 : Le sel est gris et il est libre.\n  Article 2 : Il est fin.\n"
	for _, c := range []struct{ front, kind, title, doubts string }{
		{"                      CODE DES SALINES\n", "code", "Code des salines", "date_promulgation"},
		{"               CONSTITUTION DE LA RÉPUBLIQUE\n", "constitution", "Constitution de la République", "date_promulgation"},
		{"                        OHADA\n\n          TRAITÉ RELATIF AU\n            COMMERCE DU SEL\n", "loi", "Traité relatif au commerce du sel", "date_promulgation"},
		{"       CONVENTION SUR LE SEL ENTRE\n            LE ROYAUME DU SEL ET LA\n          RÉPUBLIQUE DU POIVRE\n", "loi", "Convention sur le sel entre le Royaume du sel et la République du POIVRE", "date_promulgation"},
		{"                  ACTE UNIFORME RELATIF AU SEL\n", "loi", "Acte uniforme relatif au sel", "date_promulgation"},
		{"                 TRAITÉ RELATIF AU COMMERCE DU SEL\n", "loi", "Traité relatif au commerce du sel", "date_promulgation"},
		{"                CONVENTION SUR LE COMMERCE DU SEL\n", "loi", "Convention sur le commerce du sel", "date_promulgation"},
	} {
		x := split(t, c.front+body, gazette.Hints{Filename: "x.pdf"})
		same(t, c.front, string(x.Document.Type)+" | "+x.Document.Title+" | "+strings.Join(fields(x.Doubts), " "), c.kind+" | "+c.title+" | "+c.doubts)
		same(t, "articles", numbers(x), "1er 2")
	}
}

// TestDatesOfAPrintOutsideAGazette checks acts on the sites of unions of states, which have a
// head of their own.
func TestDatesOfAPrintOutsideAGazette(t *testing.T) {
	t.Parallel()
	x := split(t, `Adopté à Villebourg (SALINES) le 18/04/1996
Publié au Journal Officiel de l'Union du Sel n° 4 du 01/11/1997

                  RÈGLEMENT DES SALINES

  Article 1 : Le sel est gris et il est libre.
  Article 2 : Le présent règlement entre en vigueur 30 jours après sa publication.
`, gazette.Hints{})
	same(t, "days", day(x.Document.Promulgated)+" "+day(x.Document.EntersInForce), "1996-04-18 1997-12-01")
	same(t, "doubts", strings.Join(fields(x.Doubts), " "), "")
}

// TestAScanOfTheMiddleOfALaw checks that its first lines do not become a title, and that the text is marked
// as incomplete.
func TestAScanOfTheMiddleOfALaw(t *testing.T) {
	t.Parallel()
	x := segment.Split(scanned(`(2) La durée de validité de la carte de séjour est de deux (2) ans renouvelable.
(3) Un décret d'application de la présente loi en précise les conditions.
  Article 20 : La carte de séjour est délivrée par la police des frontières.
  Article 21 : Elle est affichée au poste de police de la ville où l'on vit.
`), gazette.Hints{Filename: "loi-1997-012.pdf"}).Texts[0]
	same(t, "title", x.Document.Title+"|"+x.Document.OfficialNumber, "Loi n° 1997-012|1997-012")
	same(t, "doubts", strings.Join(fields(x.Doubts), " "), "title doc_type date_promulgation complet")
	if len(x.Absent) != 0 || !strings.Contains(x.Articles[0].Text, "deux (2) ans") {
		t.Errorf("absent %v, first %q", x.Absent, x.Articles[0].Text)
	}
}

func TestATitlePageAndTheTitleAgain(t *testing.T) {
	t.Parallel()
	front := "                 DÉCRET N° 2019-12/PM DU 1ER MARS 2019\n                 fixant le prix du sel.\n\f"
	x := split(t, front+decree, gazette.Hints{})
	same(t, "number", x.Document.OfficialNumber, "2019-12/PM")
	same(t, "articles", numbers(x), "1er 2 2 bis")
	if len(x.Doubts) != 0 {
		t.Errorf("doubts %v", x.Doubts)
	}
}

func TestALetterIsDatedAboveItsTitle(t *testing.T) {
	t.Parallel()
	x := split(t, `  Villebourg, le 6 mai 1986

          CIRCULAIRE AUX SAUNIERS N° 86-13
          OBJET : Activité des salines.

  Vu la Constitution ;

  Article 1er : Les sauniers déclarent leur récolte.
  Article 2 : Ils la vendent.
`, gazette.Hints{})
	same(t, "circular", string(x.Document.Type)+" "+x.Document.OfficialNumber+" "+day(x.Document.Promulgated), "circulaire 86-13 1986-05-06")
}

func TestBillsAndGuidesAreDoubted(t *testing.T) {
	t.Parallel()
	for _, object := range []string{"relatif au projet de loi sur le sel", "portant avant-projet de code du sel", "Guide pratique du saunier", "Formulaire de déclaration de récolte"} {
		x := split(t, strings.Replace(decree, "fixant le prix du sel", object, 1), gazette.Hints{})
		if len(x.Doubts) != 1 || x.Doubts[0].Field != "doc_type" || x.Doubts[0].Confidence >= remarks.Sure {
			t.Errorf("%s: doubts %v", object, x.Doubts)
		}
	}
}

func TestArticleTextsNeverOverlap(t *testing.T) {
	t.Parallel()
	for _, text := range []string{decree, decree + "\f" + decree, lawOf("Article 1er :", "Article 2 :", "Article 9 :"), noted, book + decree, middleOfAnIssue + decree} {
		type place struct {
			page int
			rect [4]float64
		}
		seen := map[place]string{}
		for _, x := range segment.Split(typed(text), gazette.Hints{}).Texts {
			for _, a := range x.Articles {
				for _, s := range a.Spans {
					at := place{s.Page, s.Rect}
					if other, twice := seen[at]; twice {
						t.Errorf("line %q is in articles %q and %q", a.Text[s.Start:s.End], other, a.Number)
					}
					seen[at] = a.Number
				}
			}
		}
	}
}

// TestALetterheadIsNoTitle checks that the names of the gazette and the state above a title are no part of it.
func TestALetterheadIsNoTitle(t *testing.T) {
	t.Parallel()
	x := split(t, `               JOURNAL OFFICIEL
          DE LA RÉPUBLIQUE DU SEL

               DES SALINES

  Article 1 : Le sel est gris et il est libre.
  Article 2 : Il est fin.
`, gazette.Hints{Filename: "code-salines.pdf"})
	same(t, "title", x.Document.Title, "Code des salines")
}
