package quote

import (
	"reflect"
	"strings"
	"testing"
)

const article = "Le délai de préavis est d’un mois pour les ouvriers ; il est de trois mois pour les cadres. L’employeur qui ne l’observe pas paie une indemnité."

func TestCompare(t *testing.T) {
	t.Parallel()
	for quote, want := range map[string]struct {
		said        Verdict
		words       string
		differences []Difference
	}{
		"le délai de préavis est d'un mois":     {Identical, "Le délai de préavis est d’un mois", []Difference{}},
		"« il est de trois\n mois »":            {Identical, "il est de trois mois", []Difference{}},
		"il est de deux mois pour les cadres":   {Different, "il est de trois mois pour les cadres", []Difference{{"deux", "trois"}}},
		"il est de trois mois pour cadres":      {Different, "il est de trois mois pour les cadres", []Difference{{"", "les"}}},
		"il est toujours de trois mois pour":    {Different, "il est de trois mois pour", []Difference{{"toujours", ""}}},
		"il est dé trois mois pour les cadres":  {Different, "il est de trois mois pour les cadres", []Difference{{"dé", "de"}}},
		"Les congés payés sont de trente jours": {Absent, "", []Difference{}},
		"?!": {Absent, "", []Difference{}},
	} {
		got := Compare(quote, article)
		if got.Verdict != want.said || article[got.Start:got.End] != want.words || !reflect.DeepEqual(got.Differences, want.differences) {
			t.Errorf("%s: %s, %q, %q", quote, got.Verdict, article[got.Start:got.End], got.Differences)
		}
	}
	if said := Compare("un", "").Verdict; said != Absent {
		t.Errorf("in nothing: %s", said)
	}
	long := strings.Repeat("autre mot ", 40_000)
	if said := Compare(article, long).Verdict; said != Absent {
		t.Errorf("in a long text: %s", said)
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("deux mois", article)
	f.Add("\xff mois", "a\u00ad\u0301b \xc3")
	f.Fuzz(func(t *testing.T, quote, text string) {
		if len(quote) > 2000 || len(text) > 2000 {
			return
		}
		got := Compare(quote, text)
		if got.Start > got.End || got.End > len(text) || (got.Verdict == Different) != (len(got.Differences) > 0) {
			t.Errorf("%s, %d to %d of %d, %q", got.Verdict, got.Start, got.End, len(text), got.Differences)
		}
		if said := Compare(text, text).Verdict; Words(text) > 0 && said != Identical {
			t.Errorf("a text is %s to itself", said)
		}
	})
}
