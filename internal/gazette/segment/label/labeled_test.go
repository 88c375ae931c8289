package label

import (
	"testing"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// labeledText is a line, and the label that a model gave it.
type labeledText struct {
	Label Label
	Text  string
}

// labeledLines returns lines with their labels.
func labeledLines(of ...labeledText) ([]line.Line, Reading) {
	var lines []line.Line
	m := Reading{titles: titleCache{}}
	for i, o := range of {
		words := []layout.Word{{Text: o.Text, Rect: law.Rect{50, float64(100 + 12*i), 400, float64(110 + 12*i)}}}
		lines = append(lines, line.Line{Line: layout.Line{Page: 1, Words: words, Rect: words[0].Rect}, Text: o.Text, Opens: true})
		m.Labels = append(m.Labels, o.Label)
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
	texts := m.Texts(lines)
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
