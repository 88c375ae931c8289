package label

import (
	"testing"

	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
)

// TestNumberCache checks that the cache returns what a line reads as, after any number.
func TestNumberCache(t *testing.T) {
	t.Parallel()
	lines := []line.Line{{Text: "Article 12 : Le sel est gris.", Opens: true}, {Text: "Le sel est fin.", Opens: true}, {Text: "Article 131 bis : Non.", Opens: true}}
	kept := numberCache{}
	for _, last := range []string{"", "11", "11", "12", "", "30"} {
		for i, l := range lines {
			number, end, ok := l.Article(last)
			gotNumber, gotEnd, gotOK := kept.numberAt(lines, i, last)
			if gotNumber != number || gotEnd != end || gotOK != ok {
				t.Errorf("line %d after %q: %q, %d, %t; want %q, %d, %t", i, last, gotNumber, gotEnd, gotOK, number, end, ok)
			}
		}
	}
}

// TestTitlesGoOn checks that a title takes the lines that go on with its sentence, whatever their labels, and no others.
func TestTitlesGoOn(t *testing.T) {
	t.Parallel()
	first := line.Line{Text: "Loi n° 2031-49 du 11 juillet 2031, portant approbation de l’accord conclu le 30", Line: layout.Line{Size: 10}, Scale: 10}
	for _, tc := range []struct {
		name  string
		label Label
		next  line.Line
		want  int
	}{
		{"in lower case", Signature, line.Line{Text: "des équipements de pesage", Line: layout.Line{Size: 10}, Scale: 10}, 2},
		{"within the paragraph", Paragraph, line.Line{Text: "Bureau international du sel", Line: layout.Line{Size: 10}, Scale: 10}, 2},
		{"a new paragraph", Paragraph, line.Line{Text: "Bureau international du sel", Line: layout.Line{Size: 10}, Scale: 10, Opens: true}, 1},
		{"in other type", Paragraph, line.Line{Text: "Bureau international du sel", Line: layout.Line{Size: 8}, Scale: 10}, 1},
		{"far below", Paragraph, line.Line{Text: "des équipements de pesage", Line: layout.Line{Size: 10, Gap: 12}, Scale: 10}, 1},
		{"a formula", Visa, line.Line{Text: "Le ministre du sel,", Line: layout.Line{Size: 10}, Scale: 10}, 1},
		{"an article", Article, line.Line{Text: "article premier", Line: layout.Line{Size: 10}, Scale: 10}, 1},
	} {
		m := Labeling{Labels: []Label{Head, tc.label}}
		if got := m.titleLines([]line.Line{first, tc.next}, 0); got != tc.want {
			t.Errorf("%s: %d lines, want %d", tc.name, got, tc.want)
		}
	}
	capitals := func(text string) line.Line {
		return line.Line{Text: text, Line: layout.Line{Size: 10}, Scale: 10, Centered: true, Opens: true}
	}
	lines := []line.Line{capitals("FAISANT CHOIX, PAR CONSENSUS,"), capitals("DU CITOYEN COMME MINISTRE"), capitals("LE CONSEIL DE TRANSITION")}
	if got := (Labeling{Labels: []Label{Head, Formula, Formula}}).titleLines(lines, 0); got != 2 {
		t.Errorf("in capitals: %d lines, want 2", got)
	}
}

// TestActsWithATitle checks that an act is none in short if visas or reasons follow its name.
func TestActsWithATitle(t *testing.T) {
	t.Parallel()
	row := func(text string) line.Line {
		return line.Line{Text: text, Line: layout.Line{Size: 10, Words: []layout.Word{{Text: text, Size: 10}}}, Scale: 10}
	}
	for below, short := range map[string]bool{"RAPPORT DE PRÉSENTATION": false, "M. Sel est nommé directeur.": true} {
		lines := []line.Line{row("Décret n° 2019-22 du 3 mai 2019 fixant"), row("le prix du sel"), row(below)}
		h, _ := Labeling{Labels: []Label{Abridged, Paragraph, Paragraph}}.titleOf(lines, 0)
		if h.Abridged != short || (h.Object != "") == short {
			t.Errorf("above %q: %+v", below, h)
		}
	}
}

// TestTheOnlyTextHasTheArticles checks that the articles after the only text of a file are its own, whatever stands between.
func TestTheOnlyTextHasTheArticles(t *testing.T) {
	t.Parallel()
	lines := []line.Line{{Text: "Constitution de 2031."}, {Text: "Voir celle de 2030."}, {Text: "Préambule.", Opens: true}, {Text: "Article premier.", Opens: true}, {Text: "Le sel est libre."}}
	m := Labeling{Labels: []Label{Head, Masthead, Rubric, Article, Paragraph}, titles: titleCache{}, numbers: numberCache{}}
	masks := make([]chain.Mask, len(lines))
	m.Contradict(lines, masks, nil, func(int) float64 { return 1 })
	for i := range lines {
		if got := masks[i] != 0 && masks[i]&LooseLabels == 0; got != (i == 1 || i == 2) {
			t.Errorf("%s: %t", lines[i].Text, got)
		}
	}
}

// TestNamesInSentences checks which names of texts begin none: those within a sentence, items of a list, and notes on the origin
// of an article.
func TestNamesInSentences(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		above, name string
		opens, want bool
	}{
		{"Fait à Villebourg.", "Décret n° 2031-12 du 3 mai 2031 portant organisation des salines", true, false},
		{"conformément aux dispositions du", "Traité du 17 octobre 2031", false, true},
		{"sont abrogés :", "Décret n° 2031-12 du 3 mai 2031 portant organisation des salines ;", true, true},
		{"Article 12", "(Loi n° 98-746 du 23 décembre 1998)", true, true},
		{"Sont publiés en une autre langue :", "- Avis n° 2031-12 du conseil des salines", true, true},
	} {
		lines := []line.Line{{Text: tc.above}, {Text: tc.name, Opens: tc.opens}}
		if got := inSentence(lines, Extent{From: 1, Title: titles.Title{Lines: 1}}); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
	for end, want := range map[string]bool{"l’office des salines ;": true, "l’office des salines.": false} {
		lines := []line.Line{{Text: "Décret n° 2031-12 du 3 mai 2031 portant organisation de"}, {Text: end}}
		if got := inSentence(lines, Extent{Own: 2, Title: titles.Title{Abridged: true}}); got != want {
			t.Errorf("before %q: %v", end, got)
		}
	}
}
