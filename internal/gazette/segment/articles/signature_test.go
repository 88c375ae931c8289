package articles

import (
	"strings"
	"testing"

	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/kit/testkit/compare"
)

func TestSignaturesBesideEachOther(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, printed, want string }{
		{"two ministers", `
Fait à Villebourg, le 1er mars 2019

Le Ministre du Développement et         Le Ministre de l'Économie
de l'Action gouvernementale,                  et des Finances,
Abdoulaye LEGRAND                        Romuald LEPETIT
                                         Ministre d'État
Ampliations : PR 6 ; AN 4 ; CC 2 ; CS 2 ; MEF 2 ; MIL 2 ; JORF 1.`,
			"Fait à Villebourg, le 1er mars 2019|Le Ministre du Développement et|de l'Action gouvernementale,|Abdoulaye LEGRAND|" +
				"Le Ministre de l'Économie|et des Finances,|Romuald LEPETIT|Ministre d'État|Ampliations : PR 6 ; AN 4 ; CC 2 ; CS 2 ; MEF 2 ; MIL 2 ; JORF 1."},
		{"three ministers", `
Le Ministre de l'Économie,      Le Ministre du Commerce,      Le Ministre des Mines,
Abdoulaye LEGRAND               Romuald LEPETIT               Ysoline BRÉHANCOURT`,
			"Le Ministre de l'Économie,|Abdoulaye LEGRAND|Le Ministre du Commerce,|Romuald LEPETIT|Le Ministre des Mines,|Ysoline BRÉHANCOURT"},
		{"one line with a hole", `
Le Premier ministre,          signé
Jean VILLEDIEU`, "Le Premier ministre, signé|Jean VILLEDIEU"},
		{"holes that do not lie over each other", `
Le Premier      ministre chargé des marais
Jean VILLEDIEU de la Haute          Saline`, "Le Premier ministre chargé des marais|Jean VILLEDIEU de la Haute Saline"},
		{"under each other", "Le Premier ministre,\nJean VILLEDIEU", "Le Premier ministre,|Jean VILLEDIEU"},
	} {
		lines := typedLines(c.printed)
		got := line.UnfoldBlocks(lines)
		if d := compare.Diff(strings.Split(c.want, "|"), textsOf(got)); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
		if a, b := strings.Fields(strings.Join(textsOf(lines), " ")), strings.Fields(strings.Join(textsOf(got), " ")); len(a) != len(b) {
			t.Errorf("%s: %d words of %d", c.name, len(b), len(a))
		}
	}
	who := Signatories([]Piece{{Role: SignatureRole, Lines: line.UnfoldBlocks(typedLines(`
Le Ministre du Commerce,                Le Ministre de l'Économie
Aimé LEGRAND                            Romuald LEPETIT`))}})
	if d := compare.Diff([]string{"Le Ministre du Commerce : Aimé LEGRAND", "Le Ministre de l'Économie : Romuald LEPETIT"}, who); d != "" {
		t.Error(d)
	}
}

func TestSignatories(t *testing.T) {
	t.Parallel()
	got := Signatories([]Piece{{Role: ArticleRole, Lines: plainLines("Le ministre de rien", "Jean NUL")}, {Role: SignatureRole, Lines: plainLines(
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
