package segment

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Rubrics as the gazettes of nine countries print them between their texts, and
// lines that look like them.
func TestRubrics(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"PARTIE OFFICIELLE":                 true,
		"PARTIE NON OFFICIELLE":             true,
		"- LOIS -":                          true,
		"- DECRETS ET ARRETES -":            true,
		"A - TEXTES GENERAUX":               true,
		"B - TEXTES PARTICULIERS":           true,
		"PREMIER MINISTRE":                  true,
		"MINISTERE DES FINANCES, DU BUDGET": true,
		"MINISTÈRE DE L’INTÉRIEUR ET DES COLLECTIVITÉS":     true,
		"PRÉSIDENCE DE LA RÉPUBLIQUE":                       true,
		"ASSEMBLÉE NATIONALE":                               true,
		"Acte en abrégé":                                    true,
		"Actes en abrégé":                                   true,
		"ACTES REGLEMENTAIRES":                              true,
		"NOMINATION":                                        true,
		"Nomination (Rectificatif)":                         true,
		"AGREMENT":                                          true,
		"Agréments":                                         true,
		"CIRCULAIRES":                                       true,
		"AVIS ET COMMUNICATIONS":                            true,
		"DÉLÉGATION DE SIGNATURE":                           true,
		"DECRETS, ARRETES, DECISIONS":                       true,
		"Le ministre des finances,":                         false,
		"Les ministères sont chargés de l’exécution":        false,
		"TITRE II":                                          false,
		"LOI N° 10-2025 DU 28 MAI 2025":                     false,
		"Lois et décrets":                                   false,
		"DÉCRÈTE :":                                         false,
		"Nominations des membres de la commission du sel :": false,
	} {
		if got := rubric.MatchString(text) || rubric.MatchString(strings.ReplaceAll(text, "’", "'")); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestWhatEndsAnIssue(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Imprimerie officielle":                                true,
		"IMPRIMERIE NATIONALE - DAKAR":                         true,
		"Imprimé dans les ateliers de l'imprimerie du journal": true,
		"Dépôt légal n° 1234":                                  true,
		"Le directeur du journal officiel":                     true,
		"PARTIE NON OFFICIELLE":                                true,
		"- Partie non officielle -":                            true,
		"Le dépôt légal est fait au greffe.":                   false,
		"L'imprimerie est libre.":                              false,
	} {
		if got := colophon.MatchString(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestWithoutRubrics(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		lines         []string
		gazette, last bool
		own           int
	}{
		{"rubrics over the next text", []string{"Arrêté n° 1", "Article 1er : Le sel est gris.", "Jean VILLEDIEU", "MINISTERE DE L'INTERIEUR", "ET DE LA DECENTRALISATION"}, true, false, 3},
		{"three in a row", []string{"Décret n° 2", "Article 1er : Le sel est gris.", "PARTIE OFFICIELLE", "- DECRETS ET ARRETES -", "A - TEXTES GENERAUX"}, true, false, 2},
		{"not of a gazette", []string{"Décret n° 2", "Article 1er : Le sel est gris.", "PREMIER MINISTRE"}, false, false, 3},
		{"a name stays", []string{"Décret n° 2", "Article 1er : Le sel est gris.", "JEAN VILLEDIEU"}, true, false, 3},
		{"the printer's notices", []string{"Décret n° 2", "Article 1er : Le sel est gris.", "Imprimerie nationale", "Abonnements : un an"}, true, true, 2},
		{"notices within an issue", []string{"Décret n° 2", "Article 1er : Le sel est gris.", "Imprimerie nationale", "Article 2 : Il est fin."}, true, false, 4},
		{"never all of it", []string{"NOMINATION"}, true, true, 1},
	} {
		own, rest := withoutRubrics(plainLines(c.lines...), c.gazette, c.last)
		if d := cmp.Diff([2]int{c.own, len(c.lines) - c.own}, [2]int{len(own), len(rest)}); d != "" {
			t.Errorf("%s: own and rest: %s", c.name, d)
		}
	}
}

// TestWhereActsAreSigned holds places, days and offices as they are printed.
func TestWhereActsAreSigned(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Fait à Cotonou, le 23 mai 2024":                 "made",
		"FAIT A DAKAR, LE 7 FEVRIER 2023":                "made",
		"Ainsi fait à Port-Louis, le 17 octobre 1993":    "made",
		"Fait et passé à Rabat, le 20 septembre 1972":    "made",
		"Donné à Rabat, le 14 rejeb 1424":                "made",
		"Délibéré et adopté en séance publique à Bamako": "made",
		"Conclu à Tunis, le 4 mai 1999":                  "made",
		"Tunis, le 11 juillet 2016.":                     "placed",
		"Porto-Novo, le 1er mars 2019":                   "placed",
		"Yaoundé, le 19 décembre 2000":                   "placed",
		"Le Président de la République,":                 "office",
		"Par le Président de la République :":            "office",
		"Le Premier ministre, chef du Gouvernement,":     "office",
		"La ministre de l'enseignement supérieur,":       "office",
		"Pour le ministre et par délégation,":            "office",
		"Le garde des sceaux, ministre de la justice,":   "office",
		"LE GOUVERNEUR": "office",
		"Par ampliation, le secrétaire général": "office",
		"Le Roi":         "office",
		"Fait du prince": "",
		"Le présent décret est fait pour le sel":           "",
		"Les ministres sont chargés de l'exécution.":       "",
		"Le sel de Tunis, le 11 juillet, est gris":         "",
		"Le Conseil des ministres entendu en sa séance :":  "",
		"Tunis est la capitale, le 11 juillet 2016 aussi.": "",
	} {
		got := ""
		switch {
		case made.MatchString(text):
			got = "made"
		case placed.MatchString(text):
			got = "placed"
		case office.MatchString(text):
			got = "office"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestNamesOfPersons(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Jean VILLEDIEU":                  true,
		"Kadré Désiré OUEDRAOGO":          true,
		"Marie-France Lydie PONGAULT":     true,
		"M. Habib BOURGUIBA":              true,
		"Mme Ève DU PONT":                 true,
		"Mohamed Ould BEN ALI":            true,
		"Patrice de TALON":                true,
		"Le ministre des finances":        false,
		"Jean VILLEDIEU, ministre du sel": false,
		"Article 12":                      false,
	} {
		if got := personName.MatchString(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestSignaturesStandInLinesOfTheirOwn: offices and names are no paragraph.
func TestSignaturesStandInLinesOfTheirOwn(t *testing.T) {
	t.Parallel()
	lines := plainLines("Ouagadougou, le 24 juillet 2014", "Blaise COMPAORE", "Le Premier Ministre", "Beyon Luc Adolphe TIAO",
		"Le Ministre de l'Economie", "et des Finances", "Lucien Marie Noël BEMBAMBA", "MINISTRE D'ETAT")
	for i := range lines {
		lines[i].opens = i == 0
	}
	text, _ := alineas(asSignedLines(lines))
	want := "Ouagadougou, le 24 juillet 2014\nBlaise COMPAORE\nLe Premier Ministre\nBeyon Luc Adolphe TIAO\n" +
		"Le Ministre de l'Economie et des Finances\nLucien Marie Noël BEMBAMBA\nMINISTRE D'ETAT"
	if text != want {
		t.Errorf("%q", text)
	}
}

// TestVisasAreParagraphs: a visa begins one, however full the line before it is.
func TestVisasAreParagraphs(t *testing.T) {
	t.Parallel()
	lines := typedLines(`
VU la Constitution ;
VU le décret n°2012-1038/PRES du 31 décembre 2012 portant nomination du Premier Ministre ;
VU le décret n°2013-002/PRES/PM du 02 janvier 2013 portant composition du Gouvernement du
Burkina Faso ;
Considérant que le sel est gris et que la loi le veut blanc dans les marchés de la capitale ;
Considérant la demande,
Vu de près`)
	for i := range lines { // all lines are full
		lines[i].opens = i == 0 || opens(full(lines[i-1]), full(lines[i]), 2)
	}
	var got []int
	for i, l := range lines {
		if l.opens {
			got = append(got, i)
		}
	}
	if d := cmp.Diff([]int{0, 1, 2, 4, 5}, got); d != "" {
		t.Error(d)
	}
}

// full is a line that reaches both edges of its column.
func full(l line) line {
	l.Indent, l.Slack, l.mid = 0, 0, false
	return l
}
