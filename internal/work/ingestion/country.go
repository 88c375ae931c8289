package ingestion

import (
	"slices"
	"strings"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
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

// countriesOf returns the countries whose law a text is, nil if it mentions none. The law of
// a union belongs to no single country: it may change the law of each member.
func countriesOf(t postgres.Text) []string { return countryCodes(mentionedIn(t)) }

// mentionedIn returns the countries and unions that a text mentions most.
func mentionedIn(t postgres.Text) []country.Code {
	mentioned := country.Tally{}
	mentioned.Add(country.Mentions(french.Terms(t.Document.Title)), titleWeight)
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
		mentioned.Add(country.Mentions(french.Terms(a.Text)), weight)
	}
	return mentioned.Of()
}

// countryCodes converts codes to those of the catalogue: nil if one of them is a union.
func countryCodes(of []country.Code) []string {
	if slices.ContainsFunc(of, country.Union) {
		return nil
	}
	var out []string
	for _, c := range of {
		out = append(out, string(c))
	}
	return out
}

// inheritCountries assigns the country of the gazette issue to the texts that mention none:
// most of what a gazette prints is the law of its own country, which the title page names,
// even if no table lists that country. Texts of a union keep their mentions.
func inheritCountries(texts []postgres.Text, pages []layout.Page) {
	silent := func(t postgres.Text) bool { return t.Countries == nil && mentionedIn(t) == nil }
	if !slices.ContainsFunc(texts, silent) {
		return
	}
	mentioned := country.Tally{}
	var b strings.Builder
	for i := range pages {
		b.Reset()
		for _, lines := range [][]layout.Line{pages[i].Lines, pages[i].Aside} {
			for _, l := range lines {
				b.WriteString(l.Text())
				b.WriteByte('\n')
			}
		}
		mentioned.Add(country.Mentions(french.Terms(b.String())), 1)
		for _, c := range country.Unlisted(b.String()) {
			mentioned[c]++
		}
	}
	for i := range texts {
		if silent(texts[i]) {
			texts[i].Countries = countryCodes(mentioned.Of())
		}
	}
}
