package law

import "testing"

func TestIndividual(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]bool{
		"Décret n° 2020-114 portant naturalisation":                                           true,
		"Arrêté n° 12 portant nomination d’un directeur de cabinet":                           true,
		"DÉCRET PORTANT NOMINATION DE MONSIEUR KABORÉ":                                        true,
		"Décret n° 3 accordant une pension à Mme Sawadogo":                                    true,
		"Décret portant réintégration dans la nationalité malienne":                           true,
		"Loi n° 28-2008/AN portant code du travail":                                           false,
		"Décret portant organisation du ministère de la justice":                              false,
		"Loi portant code de la nationalité":                                                  false,
		"Arrêté fixant les prix des produits pétroliers":                                      false,
		"Décret fixant les modalités d’intégration des enseignants dans la fonction publique": false,
	} {
		if got := Individual(title); got != want {
			t.Errorf("%s: %v", title, got)
		}
	}
}
