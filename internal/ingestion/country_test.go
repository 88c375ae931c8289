package ingestion

import (
	"slices"
	"testing"

	"vigueur/internal/law"
	"vigueur/internal/postgres"
)

func TestCountriesOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		title, edge, article string
		want                 []string
	}{
		{"Loi n° 028-2008 portant code du travail au Burkina Faso", "", "Le travail est libre.", []string{"bf"}},
		{"Loi n° 65-99 relative au Code du travail", "Dahir n° 1-03-194. Rabat, le 11 septembre 2003.", "", []string{"ma"}},
		{"Loi n° 2016-48 relative aux banques", "Tunis, le 11 juillet 2016.", "Les banques françaises ont leur siège.", []string{"tn"}},
		{"Convention entre le Royaume du Maroc et la République islamique de Mauritanie", "", "", []string{"ma", "mr"}},
		{"Acte uniforme relatif au droit de l’arbitrage", "Fait à Conakry", "L’OHADA est chargée de son application.", nil},
		{"Loi n° 2023-07 portant Code du travail", "Fait à Clairmonde", "La République est une.", nil},
	} {
		x := postgres.Text{Document: law.Document{Title: c.title}, Articles: []law.Article{{Text: c.edge}, {Number: "1er", Text: c.article}}}
		if got := countriesOf(x); !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.title, got, c.want)
		}
	}
}
