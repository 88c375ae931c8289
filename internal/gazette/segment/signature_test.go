package segment

import (
	"strings"
	"testing"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/testkit/compare"
)

// plainLines makes lines of texts, without places.
func plainLines(texts ...string) []line {
	var out []line
	for _, t := range texts {
		var l layout.Line
		for w := range strings.FieldsSeq(t) {
			l.Words = append(l.Words, layout.Word{Text: w})
		}
		out = append(out, line{Line: l, text: t, opens: true})
	}
	return out
}

func TestSignatories(t *testing.T) {
	t.Parallel()
	got := signatories([]piece{{role: articleRole, lines: plainLines("Le ministre de rien", "Jean NUL")}, {role: signatureRole, lines: plainLines(
		"Fait à Villebourg, le 1er mars 2019",
		"Par le Président de la République,", "Ève DU PONT",
		"Le Premier ministre, chef du Gouvernement,", "Jean VILLEDIEU",
		"Le ministre du commerce,", "de l'industrie et de l'artisanat", "Aimé LEGRAND",
		"Ampliations : PR 4 ; AN 4 ;", "Le ministre sans nom",
	)}})
	want := []string{"Par le Président de la République : Ève DU PONT", "Le Premier ministre, chef du Gouvernement : Jean VILLEDIEU",
		"Le ministre du commerce, de l'industrie et de l'artisanat : Aimé LEGRAND"}
	if d := compare.Diff(want, got); d != "" {
		t.Error(d)
	}
}
