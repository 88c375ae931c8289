package segment

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
	for title, want := range map[string]string{ // "" if the title stays as printed
		"PORTANT CODE DU TRAVAIL":                "portant Code du travail",
		"RELATIVE À LA DUREE DU TRAVAIL":         "relative à la durée du travail",
		"COMPLETANT LE CODE DU TRAVAIL":          "complétant le Code du travail",
		"RELATIF AUX CHANGES EN TUNISIE":         "relatif aux changes en Tunisie",
		"RELATIF AUX CHANGES (TRAVAIL), N° 12/3": "relatif aux changes (travail), n° 12/3",
		"FIXANT L’ELECTION":                      "fixant l’élection",
		"RELATIVE AUX PARTIS POLOTIQUES":         "",
		"RELATIF AU BONUS":                       "", // only known at the beginning of a sentence and in capitals
		"portant Code du TRAVAIL":                "",
		"":                                       "",
	} {
		got, ok := known.asWritten(title)
		if ok != (want != "") || ok && got != want || !ok && got != title {
			t.Errorf("%q: %q, %v", title, got, ok)
		}
	}
}
