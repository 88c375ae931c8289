package retrieve

import (
	"slices"

	"vigueur/internal/law/country"
	"vigueur/internal/search/memindex"
)

// setCountries sets the country whose law the best hit is, and the other countries
// whose law is likely enough to answer, if the question names none: the answer then
// says whose law it quotes. It sets nothing if the best hit is law of an unknown
// country or of several, as a union's is.
func (r *Result) setCountries(q memindex.Query, enough float64) {
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
