package ingestion

import (
	"slices"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/masthead"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/store/postgres"
)

// The weights of mentions of a country in a text: in its title, and in what surrounds its
// articles; mentions in articles weigh 1.
const (
	titleWeight = 8
	edgeWeight  = 4
	// articleBytes is the number of bytes of articles that are read; they are enough to find
	// the country of a long code.
	articleBytes = 30_000
)

// countriesOf returns the country whose law a text is, nil if it mentions none often enough.
// The law of a union belongs to no single country: it may change the law of each member.
func countriesOf(t postgres.Text) []string {
	mentioned, mentions := mentionedIn(t)
	if slices.ContainsFunc(mentioned.Of(), country.Union) {
		return nil
	}
	return countryCodes(mentioned.One(mentions))
}

// mentionedIn counts the countries and unions that a text mentions, and lists the mentions
// of what surrounds its articles and then those of its title: a law about an agreement names
// the other party in its title, and its own state where it was adopted and signed.
func mentionedIn(t postgres.Text) (country.Tally, []country.Mention) {
	mentioned := country.Tally{}
	var around []country.Mention
	title := country.In(t.Document.Title)
	mentioned.Add(title, titleWeight)
	read := 0
	for _, a := range t.Articles {
		weight := 1.0
		if a.Wording != nil {
			continue // read with the article that gives it
		}
		if a.Number == "" {
			weight = edgeWeight
		} else if read += len(a.Text); read > articleBytes {
			continue
		}
		found := country.In(a.Text)
		if a.Number == "" {
			around = append(around, found...)
		}
		mentioned.Add(found, weight)
	}
	return mentioned, append(around, title...)
}

// countryCodes converts a country to the codes of the catalogue: nil for a union or none.
func countryCodes(of country.Code, ok bool) []string {
	if !ok || country.Union(of) {
		return nil
	}
	return []string{string(of)}
}

// unionNatures are the folded natures of texts that unions make, and that gazettes of their members print. Other
// texts of a national gazette that mention a union are the law of the state.
var unionNatures = []string{"acte uniforme", "acte additionnel", "reglement", "directive", "traite"}

// inheritCountries assigns the country of the issue to its texts: what a gazette prints is
// the law of its own country, whichever others a text mentions. The country is the
// one that its head and the running heads of its pages name, even if no table lists it. If
// they name none, a text keeps the country that it mentions itself, and a text that mentions
// none gets the country that the pages mention most. Texts of a union keep belonging to none.
//
// A country that a person named (said) is that of all texts.
func inheritCountries(texts []postgres.Text, pages []layout.Page, said string) {
	of := countryCodes(country.Code(said), said != "")
	if said == "" {
		of = countryCodes(masthead.CountryNamed(pages, true))
	}
	all := of
	if of == nil {
		all = countryCodes(masthead.CountryNamed(pages, false))
	}
	for i, t := range texts {
		mentioned, _ := mentionedIn(t)
		own := mentioned.Of()
		union := slices.ContainsFunc(own, country.Union)
		switch {
		case union && (of == nil || slices.Contains(unionNatures, law.Fold(t.Document.Nature))):
		case of != nil:
			texts[i].Countries = of
		case t.Countries == nil && own == nil:
			texts[i].Countries = all
		}
	}
}
