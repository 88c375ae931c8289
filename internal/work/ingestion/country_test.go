package ingestion

import (
	"strings"
	"testing"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// assign returns the countries of the texts of a file, and the fields that are in doubt.
func assign(pages []layout.Page, said string, texts ...postgres.StoredText) (countries []string, doubts string) {
	assignCountries(texts, pages, said)
	for _, t := range texts {
		countries = append(countries, strings.Join(t.Countries, "+"))
		for _, d := range t.Doubts {
			doubts += d.Field
		}
	}
	return countries, doubts
}

func text(title, edge, article string) postgres.StoredText {
	return postgres.StoredText{Document: law.Document{Title: title}, Articles: []law.Article{{Text: edge}, {Number: "1er", Text: article}}}
}

// pageOf returns a first page whose lines, or whose running head if there is only one, are the given ones.
func pageOf(lines ...string) []layout.Page {
	p := layout.Page{Number: 1}
	for _, l := range lines {
		p.Lines = append(p.Lines, layout.Line{Words: []layout.Word{{Text: l}}})
	}
	return []layout.Page{p}
}

// The country of a lone text follows from its title and what surrounds its articles. Its articles decide only where they
// clearly name one country; where they name several, a person is asked.
func TestCountryOfALoneText(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("La loi du Burkina Faso. ", 6)
	for _, c := range []struct{ title, edge, article, want, doubts string }{
		{"Loi n° 028-2008 portant code du travail au Burkina Faso", "", "Le travail est libre.", "bf", ""},
		{"Loi n° 65-99 relative au Code du travail", "Dahir n° 1-03-194. Rabat, le 11 septembre 2003.", "", "ma", ""},
		{"Loi n° 2016-48 relative aux banques", "Tunis, le 11 juillet 2016.", "Les banques françaises ont leur siège.", "tn", ""},
		{"Loi n° 2016-49 portant approbation de l’accord conclu avec le Maroc", "Vu la Constitution de la République tunisienne", "L’accord est approuvé.", "tn", ""},
		{"Convention entre le Royaume du Maroc et la République islamique de Mauritanie", "", "", "", "pays"},
		{"Acte uniforme relatif au droit de l’arbitrage", "Fait à Conakry", "L’OHADA est chargée de son application.", "", ""},
		{"Règlement (CE) n° 1950/2006 de la Commission", "La Commission des Communautés européennes, vu le traité instituant la Communauté européenne. Fait à Bruxelles.", "", "", ""},
		{"Loi n° 2023-07 portant Code du travail", "Fait à Clairmonde", "La République est une.", "", ""},
		{"Ordonnance n° 68-7 portant code de procédure pénale", "", many, "bf", ""},
		{"Ordonnance n° 68-7 portant code de procédure pénale", "", many + strings.Repeat("Un citoyen français. ", 5), "", "pays"},
	} {
		got, doubts := assign(nil, "", text(c.title, c.edge, c.article))
		if got[0] != c.want || doubts != c.doubts {
			t.Errorf("%q: %q, %q; want %q, %q", c.title, got[0], doubts, c.want, c.doubts)
		}
	}
}

// What a gazette prints is the law of its state, even one that is in no table, but for what unions and kings made. In an
// issue that names no state, texts that name none get the country of the others. What a person says is that of all.
func TestTextsHaveTheCountryOfTheirIssue(t *testing.T) {
	t.Parallel()
	texts := func() []postgres.StoredText {
		all := []postgres.StoredText{text("Décret n° 2020-05 relatif aux ports", "", ""), text("Code du travail du Niger", "", ""), text("Acte uniforme de l’OHADA", "", ""),
			text("Décret n° 2020-06 relatif au certificat de la CEMAC", "", ""), text("Arrêté royal du 11 avril 1968", "Donné à Bruxelles", "")}
		all[2].Document.Nature, all[4].Document.Nature = "Acte uniforme", "Arrêté royal"
		return all
	}
	for _, c := range []struct {
		lines []string
		said  string
		want  string
	}{
		{[]string{"JOURNAL OFFICIEL DE LA", "RÉPUBLIQUE D’ASTREVALLE"}, "", "x-Astrevalle x-Astrevalle  x-Astrevalle be"},
		{[]string{"JOURNAL OFFICIEL DE LA", "REPUBLIQUE DU SENEGAL", "Accord avec la France"}, "", "sn sn  sn be"},
		{[]string{"Journal Officiel", "du Grand-Duché de", "Luxembourg", "Amtsblatt"}, "", "lu lu  lu be"},
		{[]string{"JOURNAL OFFICIEL DE LA", "REPUBLIQUE DU SENEGAL"}, "tg", "tg tg  tg tg"},
		{[]string{"JOURNAL OFFICIEL DE L’OHADA"}, "", " ne   be"},
	} {
		got, _ := assign(pageOf(c.lines...), c.said, texts()...)
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.lines[len(c.lines)-1], s, c.want)
		}
	}
	got, _ := assign(nil, "", text("Décret relatif aux ports", "", ""), text("Loi n° 3", "Fait à Dakar", ""), text("Loi n° 4", "Dakar, le 4 mai", ""))
	if s := strings.Join(got, " "); s != "sn sn sn" {
		t.Errorf("of one house: %q", s)
	}
}
