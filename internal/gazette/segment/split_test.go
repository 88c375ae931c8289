package segment_test

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/kit/testkit/compare"
	"vigueur/internal/law"
)

const decree = `                 DÉCRET N° 2019-12/PM DU 1ER MARS 2019
                 fixant le prix du sel.

  Le Premier ministre,
  Vu la loi n° 2010-05 du 3 mai 2010 portant Code du commerce ;

                          DÉCRÈTE :

  Art. 1er. — Le prix du sel est de dix écus le kilogramme dans les
marchés de plein air.
  Il est affiché.
  Art. 2. — Le décret n° 2001-7 du 2 mai 2001 est abrogé.
  Art. 2 bis. — Le présent décret entre en vigueur le 1er juin 2019.
  Fait à Villebourg, le 1er mars 2019.

                       Le Premier ministre,
                        Jean VILLEDIEU
`

// split cuts typed text that contains one text.
func split(t *testing.T, text string, hints gazette.Hints) gazette.Text {
	t.Helper()
	got := segment.Split(typed(text), hints)
	if len(got.Texts) != 1 {
		t.Fatalf("%d texts, want 1", len(got.Texts))
	}
	return got.Texts[0]
}

// shape lists articles as « number|heading », in order.
func shape(x gazette.Text) []string {
	var out []string
	for _, a := range x.Articles {
		out = append(out, a.Number+"|"+a.Heading)
	}
	return out
}

func TestSplitOneDecree(t *testing.T) {
	t.Parallel()
	x := split(t, decree, gazette.Hints{})
	d := x.Document
	same(t, "title", d.Title, "Décret n° 2019-12/PM du 1er mars 2019 fixant le prix du sel")
	same(t, "type", string(d.Type), "decret")
	same(t, "nature", d.Nature, "Décret")
	same(t, "number", d.OfficialNumber, "2019-12/PM")
	same(t, "promulgated", day(d.Promulgated), "2019-03-01")
	same(t, "in force", day(d.EntersInForce), "2019-06-01")
	if diff := compare.Diff([]string{"|Préambule", "1er|", "2|", "2 bis|", "|Signatures"}, shape(x)); diff != "" {
		t.Error(diff)
	}
	same(t, "article 1er", x.Articles[1].Text, "Le prix du sel est de dix écus le kilogramme dans les marchés de plein air.\nIl est affiché.")
	if len(x.Relations) != 1 || x.Relations[0].TargetNumber != "2001-7" || x.Relations[0].Kind != law.Repeals || x.Relations[0].Article != 2 {
		t.Errorf("relations %+v", x.Relations)
	}
	if len(x.Doubts) != 0 {
		t.Errorf("doubts %v", x.Doubts)
	}
}

func TestSpansShowTheWordsOfTheirLine(t *testing.T) {
	t.Parallel()
	a := split(t, decree, gazette.Hints{}).Articles[1]
	var got []string
	for _, s := range a.Spans {
		got = append(got, a.Text[s.Start:s.End])
	}
	want := []string{"Le prix du sel est de dix écus le kilogramme dans les", "marchés de plein air.", "Il est affiché."}
	if diff := compare.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if left := a.Spans[0].Rect[0]; left != 50+6*float64(len("  Art. 1er. - ")) {
		t.Errorf("the first line's text begins at %v, after the number", left)
	}
}

func TestDoubts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		fields     []string
	}{
		{"no date", strings.NewReplacer(" DU 1ER MARS 2019", "", "Fait à Villebourg, le 1er mars 2019.", "").Replace(decree), []string{"date_promulgation"}},
		{"a bill", strings.Replace(decree, "fixant le prix", "relatif au projet de loi sur le prix", 1), []string{"doc_type"}},
		{"no head at all", "  Article 1er. — Le prix du sel est libre. Chacun le sait.\n  Nul ne s’en plaint.\n", []string{"title", "doc_type", "date_promulgation"}},
		{"a judgment", strings.NewReplacer("DÉCRET", "DÉCISION", "Le Premier ministre,\n  Vu", "La Cour constitutionnelle,\n  Vu").Replace(decree), []string{"doc_type"}},
		{"who makes it is not known", strings.Replace(decree, "DÉCRET", "ARRÊTÉ GUBERNATORIAL", 1), []string{"doc_type"}},
		{"a decision", strings.Replace(decree, "DÉCRET", "DÉCISION", 1), nil}, // it has the nearest type
		{"no number", strings.Replace(decree, "N° 2019-12/PM ", "", 1), nil},
		{"no articles", "   LOI N° 2019-3 DU 2 MARS 2019\n   relative au sel.\n\n  L’Assemblée a délibéré et adopté.\n", []string{"articles"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, d := range split(t, c.text, gazette.Hints{}).Doubts {
				got = append(got, d.Field)
				if d.Why.Sentence() == "" || d.Confidence < 0 || d.Confidence > 1 {
					t.Errorf("doubt %+v", d)
				}
			}
			if diff := compare.Diff(c.fields, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHintsOfTheOperatorSettleDoubts(t *testing.T) {
	t.Parallel()
	date := time.Date(2019, 3, 2, 0, 0, 0, 0, time.UTC)
	x := split(t, "  Article 1 : Le prix du sel est libre.\n  Article 2 : Nul ne s’en plaint.\n",
		gazette.Hints{Title: "Loi sur le sel", Type: law.Loi, Nature: "Ordonnance", OfficialNumber: "2019-3", Domain: "impots", Promulgated: &date, EntersInForce: &date})
	if len(x.Doubts) != 0 {
		t.Errorf("doubts %v", x.Doubts)
	}
	d := x.Document
	same(t, "all", strings.Join([]string{d.Title, string(d.Type), d.Nature, d.OfficialNumber, d.Domain, day(d.Promulgated), day(d.EntersInForce)}, "/"),
		"Loi sur le sel/loi/Ordonnance/2019-3/impots/2019-03-02/2019-03-02")
}

func TestAFileNameIsOnlyAGuess(t *testing.T) {
	t.Parallel()
	x := split(t, "  Le prix du sel est libre.\n", gazette.Hints{Filename: "decret-2014-611-sel.pdf"})
	same(t, "type and number", string(x.Document.Type)+" "+x.Document.OfficialNumber, "decret 2014-611")
	if len(x.Doubts) == 0 {
		t.Error("no doubt about it")
	}
}

func TestEntryIntoForce(t *testing.T) {
	t.Parallel()
	issued := time.Date(2020, 1, 15, 0, 0, 0, 0, time.UTC)
	for clause, want := range map[string]string{
		"Le présent décret entre en vigueur le 1er juin 2019.":                              "2019-06-01",
		"Le présent décret entre en vigueur à compter de sa publication.":                   "2020-01-15",
		"Le présent décret entre en vigueur un an après sa publication au Journal.":         "2021-01-15",
		"Le présent décret entrera en vigueur trois (3) mois à compter de sa promulgation.": "2019-06-01",
		"Le présent décret prend effet le lendemain de sa publication.":                     "2020-01-16",
		"Le présent décret sera publié.":                                                    "2020-01-15",
		"Les dispositions de l’article 1er entrent en vigueur le 2 mai 2030.":               "2020-01-15",
	} {
		text := strings.Replace(decree, "Le présent décret entre en vigueur le 1er juin 2019.", clause, 1)
		x := split(t, text, gazette.Hints{Published: &issued})
		if got := day(x.Document.EntersInForce); got != want {
			t.Errorf("%s: %s, want %s", clause, got, want)
		}
	}
}

func TestRelations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ says, want string }{
		{"Sont abrogés les articles 3 à 5 de la loi n° 99-4 du 2 mai 1999.", "abroge loi 99-4 3,4,5 2019-06-01"},
		{"La loi n° 99-4 du 2 mai 1999 est abrogée à compter du 1er mai 2020.", "abroge loi 99-4  2020-05-01"},
		{"L’article 7 du code du travail est modifié ainsi qu’il suit : « Art. 7. Rien. »", "modifie code code du travail 7 2019-06-01"},
		{"L’article 7 du code du travail est amendé et reformulé comme suit : « Art. 7. Rien. »", "modifie code code du travail 7 2019-06-01"},
		{"L’article 5 de la Constitution est modifié. Un article 31 bis est ajouté et rédigé comme suit : « Rien. »",
			"modifie constitution constitution 5 2019-06-01; modifie constitution constitution 31 bis 2019-06-01"},
		{"Il est inséré, après l’article 6 de la loi n° 99-4 du 2 mai 1999, un article 6-2 ainsi rédigé : « Rien. »", "modifie loi 99-4 6-2 2019-06-01"},
		{"Le présent décret abroge le décret n° 98-3 du 4 avril 1998.", "abroge decret 98-3  2019-06-01"},
		{"Sont abrogées toutes dispositions antérieures contraires.", ""},
		{"Sont abrogées toutes dispositions contraires, notamment la loi n° 99-4 du 2 mai 1999.", "abroge loi 99-4  2019-06-01"},
		{"Le salarié dont le contrat, régi par l’article 7 du code du travail, est modifié le sait.", ""},
		{"Le tribunal est complété par le juge mentionné à l’article 9 du code de commerce.", ""},
		{"L’article 2 du présent décret est modifié chaque année.", ""},
	} {
		x := split(t, strings.Replace(decree, "Le décret n° 2001-7 du 2 mai 2001 est abrogé.", c.says, 1), gazette.Hints{})
		var got []string
		for _, r := range x.Relations {
			got = append(got, strings.Join([]string{string(r.Kind), string(r.TargetType), r.TargetNumber + r.TargetTitle, strings.Join(r.TargetArticles, ","), day(r.Effective)}, " "))
		}
		same(t, c.says, strings.Join(got, "; "), c.want)
	}
}

func TestQuotedArticlesBelongToAnotherText(t *testing.T) {
	t.Parallel()
	for name, wording := range map[string]string{
		"in quotation marks": "  « Art. 3. — Le sel est gris.\n  Art. 4. — Il est fin. »\n",
		"marked as new":      "  Article 3 (nouveau) : Le sel est gris.\n  Article 4 (nouveau) : Il est fin.\n",
		"without any mark":   "  Article 30 : Le sel est gris.\n  Article 31 : Il est fin.\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(decree, "Le décret n° 2001-7 du 2 mai 2001 est abrogé.\n",
				"Les articles 3 et 4 de la loi n° 99-4 du 2 mai 1999 sont\nremplacés par les dispositions suivantes :\n"+wording, 1)
			x := split(t, text, gazette.Hints{})
			if diff := compare.Diff([]string{"|Préambule", "1er|", "2|", "2 bis|", "|Signatures"}, shape(x)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHeadingsMakeThePath(t *testing.T) {
	t.Parallel()
	text := `                 LOI N° 2019-3 DU 2 MARS 2019
                 relative au sel.

  L’Assemblée a délibéré et adopté ;

                      LIVRE PREMIER
                     DES PRINCIPES
            TITRE II : DU SEL GRIS ET DU SEL FIN
  Article 1er : Objet
  La présente loi règle le sel, sa couleur, son grain et son prix.
                 Chapitre unique
                 Du sel gris
  Article 2. Le sel gris est gris. Le titre II du livre premier s’y
applique.
                        TITRE III
                    Du sel de table
  Art. 3 - Le sel de table est fin.

                             ANNEXE I
                         Barème des sels
  Gris                    10 %
  Fin                     20 %
`
	x := split(t, text, gazette.Hints{})
	want := []string{
		"|Préambule:", "1er|Objet:LIVRE PREMIER — DES PRINCIPES/TITRE II — DU SEL GRIS ET DU SEL FIN",
		"2|:LIVRE PREMIER — DES PRINCIPES/TITRE II — DU SEL GRIS ET DU SEL FIN/Chapitre unique — Du sel gris",
		"3|:LIVRE PREMIER — DES PRINCIPES/TITRE III — Du sel de table", "Annexe I|Barème des sels:",
	}
	var got []string
	for i, s := range shape(x) {
		got = append(got, s+":"+strings.Join(x.Articles[i].Path, "/"))
	}
	if diff := compare.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	same(t, "rows", x.Articles[4].Text, "Gris 10 %\nFin 20 %")
}

func TestAFileWithoutWordsHoldsNoText(t *testing.T) {
	t.Parallel()
	for _, pages := range []string{"", "\f\f"} {
		if issue := segment.Split(typed(pages), gazette.Hints{Filename: "x.pdf"}); len(issue.Texts) != 0 || issue.NoLaw.Sentence() == "" {
			t.Errorf("%+v", issue)
		}
	}
}

// TestATitleNamesItsKindOnce checks that a kind from the file's name is not put before a title that already
// has it.
func TestATitleNamesItsKindOnce(t *testing.T) {
	t.Parallel()
	const text = `
                              CODE CIVIL

  Article 1er. — Le sel est libre.
  Article 2. — Nul ne s’en plaint.
`
	for _, name := range []string{"code-civil.pdf", "civil.pdf"} {
		if got := split(t, text, gazette.Hints{Filename: name}).Document.Title; got != "Code civil" {
			t.Errorf("from %s: %q", name, got)
		}
	}
}
