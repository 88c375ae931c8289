package force

import (
	"strings"
	"testing"
	"time"
)

// TestPeriodsAreRead checks numbers as periods are written with them.
func TestPeriodsAreRead(t *testing.T) {
	t.Parallel()
	start := time.Date(2001, time.January, 1, 0, 0, 0, 0, time.UTC)
	for word, n := range map[string]int{"un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "onze": 11,
		"douze": 12, "quinze": 15, "dix~huit": 18, "vingt": 20, "vingt et un": 21, "vingt~quatre": 24, "trente": 30, "quarante~cinq": 45, "soixante": 60, "quatre~vingt~dix": 90, "120": 120} {
		for _, dash := range []string{"-", "\u2011", "–"} {
			for unit, want := range map[string]time.Time{"jours": start.AddDate(0, 0, n), "mois": start.AddDate(0, n, 0), "années": start.AddDate(n, 0, 0)} {
				printed := strings.ReplaceAll(strings.ToUpper(word), "~", dash) + " " + unit + " après sa publication"
				if f := forceAfter(" " + printed); f.Unread || !f.Day(start, &start).Equal(want) {
					t.Errorf("%q: %v, want %v", printed, f.Day(start, &start), want)
				}
			}
		}
	}
}
