package retrieve

import (
	"slices"

	"vigueur/internal/law/country"
	"vigueur/internal/search/memindex"
)

// setCountries is for questions that name no country. It sets the country of the best
// hit, and the other countries whose hits also score high enough, so that the answer can
// say whose law it quotes. It sets nothing if the best hit belongs to no known country,
// to several, or to a union of countries.
func (r *Result) setCountries(q *memindex.Query, enough float64) {
	if len(r.Hits) == 0 || r.Hits[0].Mode == ByReference || q.Filters.DocumentID != nil || len(q.Countries) > 0 || len(r.Hits[0].Countries) != 1 {
		return
	}
	own := r.Hits[0].Countries
	if country.Union(own[0]) {
		return
	}
	for _, h := range r.Hits[1:] {
		for _, c := range h.Countries {
			if h.Score >= enough && len(h.Countries) == 1 && !country.Fits(own, h.Countries) && !slices.Contains(r.OtherCountries, c) {
				r.OtherCountries = append(r.OtherCountries, c)
			}
		}
	}
	if len(r.OtherCountries) > 0 {
		r.Country = own[0]
	}
}
