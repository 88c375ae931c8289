package line

import (
	"testing"
)

// A date that is printed over two lines is one: the first line is no title, and the second one
// begins no paragraph.
func TestDatesGoOn(t *testing.T) {
	t.Parallel()
	for lines, want := range map[[2]string]bool{
		{"La présente loi entre en vigueur le 1er février", "2026. Elle est exécutée comme loi de l’État."}: true,
		{"promulguée le 3 mai", "2010 et publiée"}:                                                          true,
		{"l’ordonnance du 14", "mars 2023"}:                                                                 false, // a small letter goes on anyway
		{"Définitions", "2026 logements sont construits."}:                                                  false,
		{"Le prix du 1er février 2025", "2026 logements sont construits."}:                                  false,
		{"Dispositions applicables en mai", "2. Le préavis"}:                                                false,
		{"", "2026"}:           false,
		{"le 1er février", ""}: false,
	} {
		if got := DateContinues(lines[0], lines[1]); got != want {
			t.Errorf("%q: %t", lines, got)
		}
	}
}
