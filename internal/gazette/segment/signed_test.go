package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
)

// TestDateContradictedByTheSignature checks that a title with another date than the signature is doubted,
// and that the doubt names both dates.
func TestDateContradictedByTheSignature(t *testing.T) {
	t.Parallel()
	const signed = "Fait à Villebourg, le 1er mars 2019."
	for _, c := range []struct{ name, close, doubt string }{
		{"the same day", signed, ""},
		{"another day", "Fait à Villebourg, le 11 mars 2019.", "Le titre est daté du 1er mars 2019, et le texte, page 1, signé le 11 mars 2019."},
		{"an earlier day", "Donné à Villebourg, le 28 février 2019.", "Le titre est daté du 1er mars 2019, et le texte, page 1, signé le 28 février 2019."},
		{"two calendars", "Fait à Villebourg, le 23 Joumada Ethania 1440 correspondant au 1er mars 2019.", ""},
		{"no day", "Fait à Villebourg.", ""},
		{"a day that cannot be read", "Fait à Villebourg, le 1l rnars 2O19.", ""},
		{"the day of the vote", "Délibéré et adopté en séance publique, à Villebourg, le 12 février 2019.", ""},
		{"two days", signed + "\n  Fait à Salins, le 3 mars 2019.", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := split(t, strings.Replace(decree, signed, c.close, 1), gazette.Hints{})
			same(t, "day", day(x.Document.Promulgated), "2019-03-01")
			got := ""
			for _, d := range x.Doubts {
				if d.Field == "date_promulgation" {
					got += d.Why.Sentence()
				}
			}
			same(t, "doubt", got, c.doubt)
		})
	}
}

// TestSignaturesInAnAnnexAreIgnored checks that the date of a signature in an annex is ignored: it is the date of the
// approved act.
func TestSignaturesInAnAnnexAreIgnored(t *testing.T) {
	t.Parallel()
	x := split(t, decree+"\n                             ANNEXE\n                    Accord sur le sel\n  Article 1er : Le sel est partagé.\n  Fait à Salins, le 3 janvier 2019.\n", gazette.Hints{})
	if f := fields(x.Doubts); len(f) != 0 {
		t.Errorf("doubts %v", x.Doubts)
	}
}
