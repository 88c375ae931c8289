package texts

import (
	"testing"

	"vigueur/internal/law"
)

func TestTitlesInCapitals(t *testing.T) {
	t.Parallel()
	known := spellingsOf([]law.Article{
		{Text: "Le présent Code du travail s’applique en Tunisie. Sel est un mot ; la Législation des changes et l’élection sont libres."},
		{Text: "Le code du travail fixe la durée du travail en Tunisie, au Code du travail.\nBonus de l’OHADA : un BONUS."},
	})
	for title, want := range map[string]string{
		"PORTANT CODE DU TRAVAIL":                "portant Code du travail",
		"RELATIVE À LA DUREE DU TRAVAIL":         "relative à la durée du travail",
		"COMPLETANT LE CODE DU TRAVAIL":          "complétant le Code du travail",
		"RELATIF AUX CHANGES EN TUNISIE":         "relatif aux changes en Tunisie",
		"RELATIF AUX CHANGES (TRAVAIL), N° 12/3": "relatif aux changes (travail), n° 12/3",
		"FIXANT L’ELECTION":                      "fixant l’élection",
		"RELATIVE AUX PARTIS POLOTIQUES":         "relative aux partis POLOTIQUES",
		"RELATIF AUX PROCEDURES D’EXECUTION":     "relatif aux procédures d’exécution", // as codes write them
		"RELATIF A LA BEAC ET A OUAGADIMBO":      "relatif à la BEAC et à OUAGADIMBO",  // an acronym, a name
		"PORTANT NOMINATION DE M. P. DUBRUIX":    "portant nomination de M. P. DUBRUIX",
		"PORTANT CREATION D’UN OFFICE":           "portant création d’un office",
		"portant Code du TRAVAIL":                "portant Code du TRAVAIL",
		"":                                       "",
	} {
		if got := known.restore(title); got != want {
			t.Errorf("%q: %q", title, got)
		}
	}
}
