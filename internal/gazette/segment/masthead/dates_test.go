package masthead

import (
	"testing"
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

func TestDatesInTextsAreNotTheIssues(t *testing.T) {
	t.Parallel()
	lines, m := labeledLines(
		labeledText{Label: label.Furniture, Text: "JOURNAL OFFICIEL DES MERS"},
		labeledText{Label: label.Paragraph, Text: "du 27 décembre 1981 et de l’article 28 sont applicables aux salines."},
		labeledText{Label: label.Masthead, Text: "12 mars 1994"},
		labeledText{Label: label.Head, Text: "Décret n° 3 du 2 février 1994 fixant le prix du sel"})
	pages := []layout.Page{{Number: 1, Width: 595, Height: 842}}
	got := Read(pages, lines, m, time.Time{})
	if !got.IsGazette || got.Date == nil || got.Date.Format(time.DateOnly) != "1994-03-12" {
		t.Errorf("%+v", got)
	}
}

// labeledText is a line, and the label that a model gave it.
type labeledText struct {
	Label label.Label
	Text  string
}

// labeledLines returns lines with their labels.
func labeledLines(of ...labeledText) ([]line.Line, label.Labeling) {
	var lines []line.Line
	m := label.Labeling{}
	for i, o := range of {
		words := []layout.Word{{Text: o.Text, Rect: law.Rect{50, float64(100 + 12*i), 400, float64(110 + 12*i)}}}
		lines = append(lines, line.Line{Line: layout.Line{Page: 1, Words: words, Rect: words[0].Rect}, Text: o.Text, Opens: true})
		m.Labels = append(m.Labels, o.Label)
	}
	return lines, m
}
