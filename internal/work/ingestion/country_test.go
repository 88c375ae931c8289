package ingestion

import (
	"slices"
	"testing"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
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

// A text that mentions no country gets the country on the title page of its issue, even one
// that is in no table. A text that mentions a country, or a union, keeps it.
func TestTextsInheritTheCountryOfTheirIssue(t *testing.T) {
	t.Parallel()
	text := func(title string) postgres.Text {
		x := postgres.Text{Document: law.Document{Title: title}}
		x.Countries = countriesOf(x)
		return x
	}
	for _, c := range []struct {
		masthead string
		want     []string // countries of the text that mentions none
	}{
		{"JOURNAL OFFICIEL DE LA RÉPUBLIQUE D’ASTREVALLE", []string{"x-Astrevalle"}},
		{"JOURNAL OFFICIEL DE LA REPUBLIQUE DU BENIN", []string{"bj"}},
		{"JOURNAL OFFICIEL DE L’OHADA", nil},
		{"JOURNAL OFFICIEL", nil},
	} {
		var pages []layout.Page
		for n := range 2 {
			pages = append(pages, layout.Page{Number: n + 1, Aside: []layout.Line{{Words: []layout.Word{{Text: c.masthead}}}}})
		}
		texts := []postgres.Text{text("Décret n° 2020-05 relatif aux ports"), text("Code du travail du Niger"), text("Acte uniforme de l’OHADA")}
		inheritCountries(texts, pages)
		if !slices.Equal(texts[0].Countries, c.want) || !slices.Equal(texts[1].Countries, []string{"ne"}) || texts[2].Countries != nil {
			t.Errorf("%s: %v, %v, %v; want %v first", c.masthead, texts[0].Countries, texts[1].Countries, texts[2].Countries, c.want)
		}
	}
}
