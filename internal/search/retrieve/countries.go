package retrieve

import (
	"slices"

	"vigueur/internal/law/country"
	"vigueur/internal/search/memindex"
)

// setCountries handles questions that name no country. If the hits are of several countries, it sets the country of the
// best one, so that the answer can say whose law it quotes, and the other countries whose hits score high enough to be
// quoted, too. It sets nothing if the best hit belongs to no known country, to several, or to a union of countries.
func (r *Result) setCountries(q *memindex.Query, read []Hit, enough float64) {
	if len(r.Hits) == 0 || r.Hits[0].Mode == ByReference || q.Filters.DocumentID != nil || q.Filters.Country != "" || len(q.Countries) > 0 || len(r.Hits[0].Countries) != 1 {
		return
	}
	own := r.Hits[0].Countries
	if country.Union(own[0]) {
		return
	}
	foreign := func(h Hit) bool { return len(h.Countries) == 1 && !country.Fits(own, h.Countries) }
	if slices.ContainsFunc(read, foreign) {
		r.Country = own[0]
	}
	for _, h := range r.Hits[1:] {
		if h.Score >= enough && foreign(h) && !slices.Contains(r.OtherCountries, h.Countries[0]) {
			r.OtherCountries = append(r.OtherCountries, h.Countries[0])
		}
	}
}
