package segment

import (
	"testing"
)

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
