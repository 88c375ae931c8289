package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
)

// TestWordingsOfRealFiles checks the new wordings in official gazettes: their numbers, in order, and how some
// of them begin and end.
func TestWordingsOfRealFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file    string
		numbers string
		target  string
		ends    map[string][2]string
	}{
		{
			"tunisie/loi-2025-09-contrats-travail", "6-2 (nouveau), 6-3 (nouveau), 6-4 (nouveau), 17 (nouveau), 94-2 (premier alinéa nouveau), 28 (nouveau), " +
				"29 (nouveau), 30 (nouveau), 30 bis (nouveau), 30 ter (nouveau), 30 quater (nouveau), 30 quinquies (nouveau), 30 sexies (nouveau), 234 ter (nouveau)",
			"code du travail",
			map[string][2]string{
				"6-2 (nouveau)":     {"Le contrat de travail est réputé conclu", "pour une durée indéterminée."},
				"17 (nouveau)":      {"Si le salarié continue", "soumis à une période d'essai."},
				"28 (nouveau)":      {"La sous-traitance de main-d'œuvre est interdite.", "gardiennage et de nettoyage."},
				"234 ter (nouveau)": {"Est puni d'une amende de cent dinars", "excéder dix mille dinars."},
			},
		},
		{
			"senegal/jo-7257-2020-special", "1er (nouveau), 7 (nouveau), 24 (nouveau), 42 (nouveau), 319 bis (nouveau), 320 (nouveau), 320 bis (nouveau), " +
				"321 (nouveau), 431 (nouveau), 432 (nouveau)",
			"code penal",
			map[string][2]string{
				"320 (nouveau)": {"Tout acte de penetration", "de cinq a dix ans"},
				"432 (nouveau)": {"Sauf dispositions contraires", "peine immediatement inferieure"},
			},
		},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			x := segment.Split(arranged(t, shared+"pdfs/"+c.file+".pdf"), gazette.Hints{}).Texts[0]
			checkShape(t, x)
			var numbers []string
			for _, w := range x.Wordings {
				a := x.Wording(w)
				numbers = append(numbers, a.Number)
				if r := x.Relations[w.Relation]; r.TargetTitle != c.target {
					t.Errorf("article %s belongs to %+v", a.Number, r)
				}
				if e, asked := c.ends[a.Number]; asked && (!strings.HasPrefix(a.Text, e[0]) || !strings.HasSuffix(a.Text, e[1])) {
					t.Errorf("article %s: %q", a.Number, a.Text)
				}
			}
			same(t, "numbers", strings.Join(numbers, ", "), c.numbers)
		})
	}
}
