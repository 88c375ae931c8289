package ingestion

import (
	"slices"
	"strings"

	"vigueur/internal/country"
	"vigueur/internal/french"
	"vigueur/internal/layout"
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
func countriesOf(t postgres.Text) []string { return written(spokenOf(t)) }

// spokenOf are the countries and unions that a text speaks of most.
func spokenOf(t postgres.Text) []country.Code {
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
	return spoken.Of()
}

// written are codes as the catalogue has them: none where a union is among them.
func written(of []country.Code) []string {
	if slices.ContainsFunc(of, country.Union) {
		return nil
	}
	var out []string
	for _, c := range of {
		out = append(out, string(c))
	}
	return out
}

// inherit gives the texts that tell nothing of whose law they are the country of the
// issue that they stand in: most of what is printed in a gazette is the law of who
// prints it, and its title page says whose it is, also where that is a state which no
// table has. A text of a union tells that it is, and stays as it is.
func inherit(texts []postgres.Text, pages []layout.Page) {
	silent := func(t postgres.Text) bool { return t.Countries == nil && spokenOf(t) == nil }
	if !slices.ContainsFunc(texts, silent) {
		return
	}
	spoken := country.Tally{}
	var b strings.Builder
	for i := range pages {
		b.Reset()
		for _, lines := range [][]layout.Line{pages[i].Lines, pages[i].Aside} {
			for _, l := range lines {
				b.WriteString(l.Text())
				b.WriteByte('\n')
			}
		}
		spoken.Add(country.Mentions(french.Terms(b.String())), 1)
		for _, c := range country.Unlisted(b.String()) {
			spoken[c]++
		}
	}
	for i := range texts {
		if silent(texts[i]) {
			texts[i].Countries = written(spoken.Of())
		}
	}
}
