package retrieve

import (
	"slices"

	"vigueur/internal/country"
	"vigueur/internal/flat"
)

// whose tells of what country the best hit is the law, and of which others hits are
// likely enough to answer, where the question names none: who
// asks is to know whose law is quoted, and that there is other law. Nothing is told
// where the best is the law of no known country or of several, as a union's is.
func (r *Result) whose(q flat.Query, enough float64) {
	if len(r.Hits) == 0 || r.Hits[0].Mode == ByReference || q.Filters.DocumentID != nil || len(q.Countries) > 0 || len(r.Hits[0].Countries) != 1 {
		return
	}
	own := r.Hits[0].Countries
	if country.Union(own[0]) {
		return
	}
	for _, h := range r.Hits[1:] {
		for _, c := range h.Countries {
			if h.Score >= enough && len(h.Countries) == 1 && !country.Fits(own, h.Countries) && !slices.Contains(r.Others, c) {
				r.Others = append(r.Others, c)
			}
		}
	}
	if len(r.Others) > 0 {
		r.Whose = own[0]
	}
}
