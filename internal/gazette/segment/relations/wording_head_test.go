package relations

import (
	rand "math/rand/v2"
	"testing"

	"vigueur/internal/law"
)

// TestHeadsOfWordingsDoNotOverlap checks a speck on its own line. The speck belongs to the head below. That head used
// to be read twice, which caused a panic.
func TestHeadsOfWordingsDoNotOverlap(t *testing.T) {
	t.Parallel()
	text := "L’article 5 de la loi n° 3 est remplacé par ce qui suit :\n(\nArt. 5. - Le sel est gris."
	heads := wordingHeads(text)
	if len(heads) != 1 || heads[0].Number != "5" {
		t.Fatalf("%+v", heads)
	}
	g := wordingFinder{text: text, changes: []change{{Relation: law.Relation{TargetArticles: []string{"5"}, TargetNumber: "3"}}}}
	if out := g.wordings(); len(out) != 1 || text[out[0].Start:out[0].End] != "Le sel est gris." {
		t.Errorf("%+v", out)
	}
	words := []string{"Art. 5", "Article 6", " :", "\n", "« ", "alinéa ", "nouveau", "(", "premier ", "- ", "12 ", " ", "le ", "bis", "»", ")", ": «"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := ""
		for range 3 + random.IntN(9) {
			text += words[random.IntN(len(words))]
		}
		end := 0
		for _, h := range wordingHeads(text) {
			if h.From < end || h.To > len(text) {
				t.Fatalf("%q: %+v begins before %d", text, h, end)
			}
			end = h.To
		}
	}
}
