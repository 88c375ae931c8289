package segment

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

func TestCorrigendumHasTheKindOfItsText(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]law.DocType{
		"Rectificatif au décret n° 13-58 du 14 décembre 2012 portant approbation": law.Decret,
		"RECTIFICATIF à l’arrêté n° 64-73 du 13 novembre 1964":                    law.Arrete,
		"Erratum à la loi n° 00-61 du 13 août 2000":                               law.Loi,
		"Rectification aux arrêtés du 3 mars 2001":                                law.Arrete,
	} {
		var h head
		if !h.read(title) || !h.corrects || h.kind.as != want || h.number != "" || !h.date.IsZero() {
			t.Errorf("%q: %+v", title, h)
		}
	}
	var h head
	if h.read("Rectificatif"); h.corrects {
		t.Error("what names no text corrects none")
	}
}

func TestCodeHasTheNumberOfItsLaw(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ printed, number, title string }{
		{"CODE DU SEL (Institué par la loi n° 2007-79 du 28 décembre 2007)", "2007-79", "CODE DU SEL"},
		{"Code du sel (Promulgué par le dahir n° 1-03-194 du 11 septembre 2003)", "1-03-194", "Code du sel"},
		{"Code du sel (Loi n° 70-3 du 3 mai 1970)", "70-3", "Code du sel"},
		{"CODE DU SEL (annoté par les services de la loi)", "", "CODE DU SEL (annoté par les services de la loi)"},
		{"CODE DU SEL", "", "CODE DU SEL"},
	} {
		t.Run(c.printed, func(t *testing.T) {
			t.Parallel()
			var h head
			if !h.read(c.printed) || h.number != c.number || h.date.IsZero() != (c.number == "") {
				t.Errorf("number %q of %v", h.number, h.date)
			}
			if got := h.title(); !strings.EqualFold(got, c.title) {
				t.Errorf("title %q", got)
			}
		})
	}
}

func TestTreatiesAreKnownByTheirParties(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]bool{
		"CONVENTION ENTRE LE ROYAUME DU SEL ET L’UNION DES MERS": true,
		"Traité entre l’Union des mers et le Royaume du sel":     true,
		"Convention collective des sauniers":                     false,
		"Loi entre autres":                                       false,
	} {
		var h head
		h.read(title)
		if h.isTreaty() != want {
			t.Errorf("%q: %v", title, !want)
		}
	}
}

// labeledText is a line, and the label that a model gave it.
type labeledText struct {
	label Label
	text  string
}

// labeledLines returns lines with their labels.
func labeledLines(of ...labeledText) ([]line, marked) {
	var lines []line
	m := marked{heads: headsRead{}}
	for i, o := range of {
		words := []layout.Word{{Text: o.text, Rect: law.Rect{50, float64(100 + 12*i), 400, float64(110 + 12*i)}}}
		lines = append(lines, line{Line: layout.Line{Page: 1, Words: words, Rect: words[0].Rect}, text: o.text, opens: true})
		m.labels = append(m.labels, o.label)
	}
	return lines, m
}

func TestActsUnderAHeadingInThePlural(t *testing.T) {
	t.Parallel()
	lines, m := labeledLines(
		labeledText{Head, "Décisions du 1er février 2010 portant titularisation des"},
		labeledText{Title, "candidats admis."},
		labeledText{Paragraph, "Par décision du 1er février 2010, M. Le Sel est titularisé."},
		labeledText{Paragraph, "Par décision du 1er février 2010, Mme La Mer est titularisée."},
		labeledText{Head, "Décret n° 3 du 2 février 2010 fixant le prix du sel"},
		labeledText{Article, "Article 1er. Le sel a un prix."})
	texts := m.bodies(lines)
	if len(texts) != 2 {
		t.Fatalf("%d texts", len(texts))
	}
	if got := m.namedUnder(lines, texts[0]); len(got) != 2 || got[0] != 2 || got[1] != 3 {
		t.Errorf("acts at lines %v", got)
	}
	if got := m.namedUnder(lines, texts[1]); got != nil {
		t.Errorf("a decree of its own has acts under it: %v", got)
	}
}

func TestDatesInTextsAreNotTheIssues(t *testing.T) {
	t.Parallel()
	lines, m := labeledLines(
		labeledText{Furniture, "JOURNAL OFFICIEL DES MERS"},
		labeledText{Paragraph, "du 27 décembre 1981 et de l’article 28 sont applicables aux salines."},
		labeledText{Masthead, "12 mars 1994"},
		labeledText{Head, "Décret n° 3 du 2 février 1994 fixant le prix du sel"})
	pages := []layout.Page{{Number: 1, Width: 595, Height: 842}}
	got := readMasthead(pages, lines, m, time.Time{})
	if !got.gazette || got.date == nil || got.date.Format(time.DateOnly) != "1994-03-12" {
		t.Errorf("%+v", got)
	}
}

func TestAnnexesLabeledByTheChain(t *testing.T) {
	t.Parallel()
	lines, m := labeledLines(
		labeledText{Article, "Article 1er. Est publié l’accord ci-joint."},
		labeledText{Article, "Article 2. Le présent décret est publié."},
		labeledText{PlaceLine, "Fait à Villebourg, le 2 février 1994."},
		labeledText{Annex, "Tableau annexe"},
		labeledText{Annex, "ACCORD ENTRE LE ROYAUME DU SEL ET L’UNION DES MERS"},
		labeledText{Article, "Article 1er. Le sel est libre."},
		labeledText{Article, "Article 2. La mer est libre."},
		labeledText{Article, "Article 3. Le reste est libre."})
	made := make([]lineView, len(lines))
	for i, l := range m.labels {
		made[i] = lineView{label: l, sure: 0.9, article: 0.02}
		if l == Article {
			made[i].article = 0.98
		}
	}
	b := cutBody(lines, made, false, standardJudgment())
	own := 0
	for _, p := range b.pieces {
		if p.role == articleRole && p.number == "2" {
			own++
		}
	}
	last := b.pieces[len(b.pieces)-1]
	if own != 1 || last.number != "Annexe, article 3" {
		t.Errorf("%d articles 2, the last is %q", own, last.number)
	}
}
