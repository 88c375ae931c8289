package law_test

import (
	"strings"
	"testing"

	"vigueur/internal/law"
)

func TestTitle(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{
		"Code Code civil":                     "Code civil",
		"Code CODE CIVIL":                     "CODE CIVIL",
		"Loi Code civil":                      "Code civil",
		"Code civil":                          "Code civil",
		"CODE\n DES  DOUANES":                 "CODE DES DOUANES",
		"Constitution CONSTITUTION DU 11 MAI": "CONSTITUTION DU 11 MAI",
		"Décret DECRET n° 5":                  "DECRET n° 5",
		"Loi loi loi n° 5":                    "loi n° 5",
		"Note circulaire n° 7":                "Note circulaire n° 7",
		"Décret-loi n° 3":                     "Décret-loi n° 3",
		"Loi n° 2010-05 portant Code civil":   "Loi n° 2010-05 portant Code civil",
		"Loi constitutionnelle n° 1":          "Loi constitutionnelle n° 1",
		"Ordonnance Loi n° 66-456":            "Ordonnance Loi n° 66-456",
		"Code LE CODE CIVIL":                  "CODE CIVIL",
		"Code la route":                       "Code la route",
		"Code":                                "Code",
		"":                                    "",
		"Fin d’un texte, page 3":              "Fin d’un texte, page 3",
		"Traité relatif au traité de coopération": "Traité relatif au traité de coopération",
	} {
		t.Run(printed, func(t *testing.T) {
			if got := law.Title(printed); got != want {
				t.Errorf("%q: %q, want %q", printed, got, want)
			}
		})
	}
}

func TestOfTitle(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Loi n° 2010-05":                "de la loi n° 2010-05",
		"LOI N° 2010-05":                "de la loi N° 2010-05",
		"Loi organique n° 1":            "de la loi organique n° 1",
		"Décret n° 5":                   "du décret n° 5",
		"Décret présidentiel n° 5":      "du décret présidentiel n° 5",
		"Décret-loi n° 5":               "du décret-loi n° 5",
		"Arrêté n° 5":                   "de l’arrêté n° 5",
		"Ordonnance n° 5":               "de l’ordonnance n° 5",
		"Dahir portant loi n° 1-72":     "du dahir portant loi n° 1-72",
		"Acte uniforme sur le commerce": "de l’acte uniforme sur le commerce",
		"Décision n° 5":                 "de la décision n° 5",
		"Délibération n° 5":             "de la délibération n° 5",
		"Traité de Port-Louis":          "du traité de Port-Louis",
		"Charte des investissements":    "de la charte des investissements",
		"Constitution du 11 mai":        "de la Constitution du 11 mai",
		"Code civil":                    "du Code civil",
		"Code Code civil":               "du Code civil",
		"Circulaire n° 5":               "de la circulaire n° 5",
		"Note circulaire n° 5":          "de la note circulaire n° 5",
		"Instruction n° 5":              "de l’instruction n° 5",
		"Protocole d’accord":            "du protocole d’accord",
		"Règlement n° 5":                "du règlement n° 5",
		"Édit de paix":                  "de l’édit de paix",
	} {
		t.Run(title, func(t *testing.T) {
			got, ok := law.OfTitle(title)
			if !ok || got != want {
				t.Errorf("%q: %q, want %q", title, got, want)
			}
		})
	}
	for _, title := range []string{"Fin d’un texte", "Loisirs et jeux", "Codification", "", "Actualités"} {
		t.Run(title, func(t *testing.T) {
			if got, ok := law.OfTitle(title); ok || got != strings.TrimSpace(title) {
				t.Errorf("%q is taken for a kind: %q", title, got)
			}
		})
	}
}
