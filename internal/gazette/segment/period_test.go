package segment

import (
	"strings"
	"testing"

	"vigueur/internal/law"
)

// TestPeriodsAreRead checks every number in which a period may be written.
func TestPeriodsAreRead(t *testing.T) {
	t.Parallel()
	words, _, _ := strings.Cut(strings.TrimPrefix(periodWords, "("), "|"+`\d`)
	want := map[string]int{"un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8, "neuf": 9, "dix": 10,
		"douze": 12, "quinze": 15, "dix~huit": 18, "vingt": 20, "vingt~quatre": 24, "trente": 30, "quarante~cinq": 45, "soixante": 60, "quatre~vingt~dix": 90}
	period := law.Pattern(`(?i)^` + periodWords)
	for word := range strings.SplitSeq(words+"|120", "|") {
		for _, dash := range []string{"-", "\u2011", "–"} {
			for _, unit := range []string{"jours", "mois", "années"} {
				printed := strings.ReplaceAll(strings.ToUpper(word), "~", dash) + " " + unit
				m := period.FindStringSubmatch(printed)
				if m == nil {
					t.Fatalf("%q is no period", printed)
				}
				var f force
				f.addPeriod(m[1], m[2])
				n := want[word]
				if word == "120" {
					n = 120
				}
				if got := f.days + f.months + f.years; n == 0 || got != n {
					t.Errorf("%q: %d, want %d", printed, got, n)
				}
			}
		}
	}
}
