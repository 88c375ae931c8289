package titles

import (
	"strings"
	"testing"

	"vigueur/internal/law"
)

// TestPreamblesBegin checks how the lines after a title begin.
func TestPreamblesBegin(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Vu la Constitution ;": true,
		"VU le décret n° 2012-1038/PRES du 31 décembre 2012 ;":      true,
		"Considérant la demande ;":                                  true,
		"Sur le rapport du ministre du sel,":                        true,
		"Sur proposition du ministre du sel ;":                      true,
		"Le Président de la République,":                            true,
		"LE PRESIDENT DU FASO,":                                     true,
		"Le Premier ministre, chef du Gouvernement,":                true,
		"L'Assemblée nationale a délibéré et adopté ;":              true,
		"L’Assemblée Nationale a délibéré et adopté,":               true,
		"Au nom du peuple,":                                         true,
		"La chambre des députés ayant adopté,":                      true,
		"LOUANGE A DIEU SEUL !":                                     true,
		"EXPOSE DES MOTIFS":                                         true,
		"RAPPORT DE PRESENTATION":                                   true,
		"DÉCRÈTE :":                                                 true,
		"Après avis du Conseil du sel ;":                            true,
		"En application de l'article 5 de la loi":                   true,
		"portant Code du sel":                                       false,
		"relatif au titre et à la vente du sel":                     false,
		"Vue d'ensemble des marais":                                 false,
		"et modifiant le décret n° 2012-1038/PRES":                  false,
		"DU 14 MARS 2023":                                           false,
		"Présidents de conseil d'administration des entreprises et": false,
	} {
		if got := PreambleStart.MatchString(law.Fold(text)) || PreambleStart.MatchString(strings.ReplaceAll(text, "’", "'")); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestNotYetLaw checks the words of titles that announce no law.
func TestNotYetLaw(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Projet de décret abrogeant le décret n° 2020-1021": true,
		"Avant-projet de code du sel":                       true,
		"Proposition de loi relative au sel":                true,
		"Guide pratique du saunier":                         true,
		"Formulaire de déclaration":                         true,
		"Note de présentation":                              true,
		"Le guidage des navires":                            false,
		"Le sel est gris.":                                  false,
	} {
		if got := NotYetLaw.MatchString(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
