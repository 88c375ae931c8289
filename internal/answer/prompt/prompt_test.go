package prompt

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law/country"
	"vigueur/internal/search/retrieve"
)

// TestEditionsAreToldApart checks that passages of two texts of one name carry the days of their texts.
func TestEditionsAreToldApart(t *testing.T) {
	t.Parallel()
	of := func(title string, year int, countries ...country.Code) retrieve.Hit {
		h := retrieve.Hit{Countries: countries}
		h.Document.ID, h.Document.Title, h.Document.Promulgated = uuid.New(), title, time.Date(year, 5, 3, 0, 0, 0, 0, time.UTC)
		return h
	}
	asOf := of("Code du travail", 2003, "ma")
	day := time.Date(2011, 10, 26, 0, 0, 0, 0, time.UTC)
	asOf.Document.AsOf = &day
	for name, c := range map[string]struct {
		hits []retrieve.Hit
		want string // of the first
	}{
		"two constitutions":       {[]retrieve.Hit{of("Constitution", 1996, "cm"), of("CONSTITUTION", 2008, "cm")}, "3 mai 1996"},
		"of two countries":        {[]retrieve.Hit{of("Constitution", 1996, "cm"), of("Constitution", 2008, "bj")}, ""},
		"two names":               {[]retrieve.Hit{of("Constitution", 1996, "cm"), of("Code pénal", 2008, "cm")}, ""},
		"a consolidated edition":  {[]retrieve.Hit{asOf, of("Code du travail", 2003, "ma")}, "26 octobre 2011"},
		"one text alone":          {[]retrieve.Hit{of("Constitution", 1996, "cm")}, ""},
		"texts of one day, twice": {[]retrieve.Hit{of("Constitution", 1996, "cm"), of("Constitution", 1996, "cm")}, ""},
	} {
		if got := Passages(&retrieve.Result{Hits: c.hits})[0].Edition; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
