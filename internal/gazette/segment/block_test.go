package segment

import (
	"strings"
	"testing"
	"unicode/utf8"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/testkit/compare"
	"vigueur/internal/law"
)

// typedLines makes lines of a typewritten page, on which a letter is 6 points wide.
func typedLines(text string) []line {
	var p layout.Page
	for row, t := range strings.Split(strings.Trim(text, "\n"), "\n") {
		l := layout.Line{Page: 1, Size: 10, Gap: 2}
		at := 0
		for _, w := range strings.Split(t, " ") {
			n := utf8.RuneCountInString(w)
			if w != "" {
				left, top := 50+6*float64(at), 50+12*float64(row)
				l.Words = append(l.Words, layout.Word{Text: w, Size: 10, Rect: law.Rect{left, top, left + 6*float64(n), top + 10}})
			}
			at += n + 1
		}
		if len(l.Words) > 0 {
			l.Rect = around(l.Words)
			p.Lines = append(p.Lines, l)
		}
	}
	return flatten([]layout.Page{p})
}

func textsOf(lines []line) (out []string) {
	for _, l := range lines {
		out = append(out, l.text)
	}
	return out
}

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
		got := inBlocks(lines)
		if d := compare.Diff(strings.Split(c.want, "|"), textsOf(got)); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
		if a, b := strings.Fields(strings.Join(textsOf(lines), " ")), strings.Fields(strings.Join(textsOf(got), " ")); len(a) != len(b) {
			t.Errorf("%s: %d words of %d", c.name, len(b), len(a))
		}
	}
	who := signatories([]piece{{role: signatureRole, lines: inBlocks(typedLines(`
Le Ministre du Commerce,                Le Ministre de l'Économie
Aimé LEGRAND                            Romuald LEPETIT`))}})
	if d := compare.Diff([]string{"Le Ministre du Commerce : Aimé LEGRAND", "Le Ministre de l'Économie : Romuald LEPETIT"}, who); d != "" {
		t.Error(d)
	}
}
