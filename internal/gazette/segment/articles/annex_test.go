package articles

import (
	"testing"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

func TestAnnexesLabeledByTheChain(t *testing.T) {
	t.Parallel()
	lines, m := labeledLines(
		labeledText{Label: label.Article, Text: "Article 1er. Est publié l’accord ci-joint."},
		labeledText{Label: label.Article, Text: "Article 2. Le présent décret est publié."},
		labeledText{Label: label.PlaceLine, Text: "Fait à Villebourg, le 2 février 1994."},
		labeledText{Label: label.Annex, Text: "Tableau annexe"},
		labeledText{Label: label.Annex, Text: "ACCORD ENTRE LE ROYAUME DU SEL ET L’UNION DES MERS"},
		labeledText{Label: label.Article, Text: "Article 1er. Le sel est libre."},
		labeledText{Label: label.Article, Text: "Article 2. La mer est libre."},
		labeledText{Label: label.Article, Text: "Article 3. Le reste est libre."})
	made := make([]label.View, len(lines))
	for i, l := range m.Labels {
		made[i] = label.View{Label: l, Prob: 0.9, ArticleProb: 0.02}
		if l == label.Article {
			made[i].ArticleProb = 0.98
		}
	}
	b := Cut(lines, made, "", false, judgment.Standard())
	own := 0
	for _, p := range b.Pieces {
		if p.Role == ArticleRole && p.Number == "2" {
			own++
		}
	}
	last := b.Pieces[len(b.Pieces)-1]
	if own != 1 || last.Number != "Annexe, article 3" {
		t.Errorf("%d articles 2, the last is %q", own, last.Number)
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
