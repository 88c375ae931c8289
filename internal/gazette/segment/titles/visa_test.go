package titles

import (
	"testing"

	"vigueur/internal/gazette/segment/line"
)

// TestNoTextIsNamedAfterItsVisas checks that the texts cited in visas, however these are printed, do not
// become the title of a text without one.
func TestNoTextIsNamedAfterItsVisas(t *testing.T) {
	t.Parallel()
	upper := []string{"RÉPUBLIQUE DU SEL", "ARR…TÉ DU IÉSTITUANT LA DÉCLARATION", "DES SALINES"}
	for name, visas := range map[string][]string{
		"with dashes": {"— Vu la loi n° 85-05 du 16 février 1985 relative au sel ;"},
		"bare":        {"Vu la loi n° 85-05 du 16 février 1985 relative au sel ;"},
		"capitals":    {"VU LA LOI N° 85-05 DU 16 FEVRIER 1985 RELATIVE AU SEL ;"},
		"a list":      {"Vu :", "- Loi n° 85-05 du 16 février 1985 relative au sel ;"},
		"small":       {"vu la loi n° 85-05 du 16 février 1985 relative au sel ;"},
		"over lines":  {"Vu le code des salines, ensemble la", "Loi n° 85-05 du 16 février 1985 relative au sel ;"},
		"considered":  {"Considérant la loi n° 85-05 du 16 février 1985 ;"},
		"a code":      {"Vu l'ordonnance n° 85-05 du 16 février 1985", "CODE DES SALINES", "promulgué par la loi n° 85-05 du 16 février 1985 ;"},
	} {
		var lines []line.Line
		for _, text := range append(append([]string(nil), upper...), append(visas, "Article 1er : Les sauniers déclarent leurs salines.")...) {
			lines = append(lines, line.Line{Text: text, Opens: true})
		}
		h := ReadLone(lines, 0, "")
		if h.Number != "" || h.Kind.Type != "" || h.Lines > len(upper) {
			t.Errorf("%s: %s n° %s, title of %d lines", name, h.Kind.Label, h.Number, h.Lines)
		}
	}
}
