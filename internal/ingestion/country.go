package ingestion

import (
	"slices"

	"vigueur/internal/country"
	"vigueur/internal/french"
	"vigueur/internal/postgres"
)

// How much what a text says of countries counts: its title most, then what stands
// around its articles.
const (
	titleSpeaks = 8
	edgeSpeaks  = 4
	// enough bytes of articles tell whose law a code is.
	enough = 30_000
)

// countriesOf tells whose law a text is, as far as it tells. The law of a union is
// no one country's: it may change that of each member, and each may apply it.
func countriesOf(t postgres.Text) []string {
	spoken := country.Tally{}
	spoken.Add(country.Mentions(french.Terms(t.Document.Title)), titleSpeaks)
	read := 0
	for _, a := range t.Articles {
		weight := 1.0
		if a.Wording != nil {
			continue // read with the article that gives it
		}
		if a.Number == "" {
			weight = edgeSpeaks
		} else if read += len(a.Text); read > enough {
			continue
		}
		spoken.Add(country.Mentions(french.Terms(a.Text)), weight)
	}
	of := spoken.Of()
	if slices.ContainsFunc(of, country.Union) {
		return nil
	}
	var out []string
	for _, c := range of {
		out = append(out, string(c))
	}
	return out
}
