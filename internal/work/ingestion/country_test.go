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
		{"Convention entre le Royaume du Maroc et la République islamique de Mauritanie", "", "", []string{"ma"}}, // a party's own print names it first
		{"Acte uniforme relatif au droit de l’arbitrage", "Fait à Conakry", "L’OHADA est chargée de son application.", nil},
		{"Loi n° 2023-07 portant Code du travail", "Fait à Clairmonde", "La République est une.", nil},
	} {
		x := postgres.StoredText{Document: law.Document{Title: c.title}, Articles: []law.Article{{Text: c.edge}, {Number: "1er", Text: c.article}}}
		if got := countriesOf(x); !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.title, got, c.want)
		}
	}
}

// The law about an agreement is that of the state that adopted and signed it.
func TestCountryOfALawAboutAnAgreement(t *testing.T) {
	t.Parallel()
	x := postgres.StoredText{Document: law.Document{Title: "Loi n° 2016-49 portant approbation de l’accord conclu avec le Maroc"},
		Articles: []law.Article{{Text: "Vu la Constitution de la République tunisienne"}, {Number: "1er", Text: "L’accord est approuvé."}}}
	if got := countriesOf(x); !slices.Equal(got, []string{"tn"}) {
		t.Errorf("%v", got)
	}
	page := func(lines ...string) []layout.Page {
		var p layout.Page
		for _, l := range lines {
			p.Lines = append(p.Lines, layout.Line{Words: []layout.Word{{Text: l}}})
		}
		return []layout.Page{p}
	}
	texts := []postgres.StoredText{x}
	inheritCountries(texts, page("JOURNAL OFFICIEL DE LA", "REPUBLIQUE DU SENEGAL", "Accord avec la France"), "")
	if !slices.Equal(texts[0].Countries, []string{"sn"}) {
		t.Errorf("of its issue: %v", texts[0].Countries)
	}
	texts = []postgres.StoredText{x}
	texts[0].Countries = []string{"tn"}
	inheritCountries(texts, page("Le Conseil des ministres de la France"), "")
	if !slices.Equal(texts[0].Countries, []string{"tn"}) {
		t.Errorf("of an issue without a head: %v", texts[0].Countries)
	}
}

// The law of a union is no member's, even where its signature names one.
func TestRegulationOfAUnion(t *testing.T) {
	t.Parallel()
	x := postgres.StoredText{Document: law.Document{Title: "Règlement (CE) n° 1950/2006 de la Commission"}, Articles: []law.Article{
		{Text: "La Commission des Communautés européennes, vu le traité instituant la Communauté européenne"}, {Number: "1er", Text: "La liste figure à l’annexe."}, {Text: "Fait à Bruxelles, le 13 décembre 2006."}}}
	if names := countriesOf(x); names != nil {
		t.Errorf("it belongs to %v", names)
	}
}

// A text gets the country on the title page of its issue, even one that is in no table. In an
// issue that names none it keeps the country that it mentions. A text of a union has none.
func TestTextsInheritTheCountryOfTheirIssue(t *testing.T) {
	t.Parallel()
	text := func(title string) postgres.StoredText {
		x := postgres.StoredText{Document: law.Document{Title: title}}
		x.Countries = countriesOf(x)
		return x
	}
	for _, c := range []struct {
		masthead string
		want     []string // countries of the text that mentions none
		other    []string // and of the one that mentions Niger
	}{
		{"JOURNAL OFFICIEL DE LA RÉPUBLIQUE D’ASTREVALLE", []string{"x-Astrevalle"}, []string{"x-Astrevalle"}},
		{"JOURNAL OFFICIEL DE LA REPUBLIQUE DU BENIN", []string{"bj"}, []string{"bj"}},
		{"JOURNAL OFFICIEL DE LA RÉPUBLIQUE DE CÔTE D’IVOIRE", []string{"ci"}, []string{"ci"}},
		{"JOURNAL OFFICIEL DE L’OHADA", nil, []string{"ne"}},
		{"JOURNAL OFFICIEL", nil, []string{"ne"}},
	} {
		var pages []layout.Page
		for n := range 2 {
			pages = append(pages, layout.Page{Number: n + 1, Aside: []layout.Line{{Words: []layout.Word{{Text: c.masthead}}}}})
		}
		texts := []postgres.StoredText{text("Décret n° 2020-05 relatif aux ports"), text("Code du travail du Niger"), text("Acte uniforme de l’OHADA"),
			text("Décret n° 2020-06 relatif au certificat de la CEMAC")}
		texts[2].Document.Nature = "Acte uniforme"
		inheritCountries(texts, pages, "")
		if !slices.Equal(texts[0].Countries, c.want) || !slices.Equal(texts[1].Countries, c.other) || texts[2].Countries != nil || !slices.Equal(texts[3].Countries, c.want) {
			t.Errorf("%s: %v, %v, %v; want %v first", c.masthead, texts[0].Countries, texts[1].Countries, texts[2].Countries, c.want)
		}
	}
}
