package quote

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
)

const article = "Le délai de préavis est d’un mois pour les ouvriers ; il est de trois mois pour les cadres. L’employeur qui ne l’observe pas paie une indemnité."

func compared(t *testing.T, quotation, text string) Comparison {
	t.Helper()
	got, err := Compare(t.Context(), quotation, text)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A comparison ends with its context, and the differences of long words take no more memory than
// those of short ones.
func TestLongQuotations(t *testing.T) {
	t.Parallel()
	long, other := strings.Repeat("a b c d e ", 1500), strings.Repeat("a b x d e ", 1500)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compare(ctx, long, other); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: %v", err)
	}
	got := compared(t, long, other)
	if got.Verdict != Different || len(got.Differences) != 1 || !strings.HasPrefix(got.Differences[0].Quoted, "c d e") || !strings.HasSuffix(got.Differences[0].Article, "a b x") {
		t.Errorf("%s, %d differences", got.Verdict, len(got.Differences))
	}
}

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
		got := compared(t, quote, article)
		if got.Verdict != want.said || article[got.Start:got.End] != want.words || !reflect.DeepEqual(got.Differences, want.differences) {
			t.Errorf("%s: %s, %q, %q", quote, got.Verdict, article[got.Start:got.End], got.Differences)
		}
	}
	if said := compared(t, "un", "").Verdict; said != Absent {
		t.Errorf("in nothing: %s", said)
	}
	long := strings.Repeat("autre mot ", 40_000)
	if said := compared(t, article, long).Verdict; said != Absent {
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
		got := compared(t, quote, text)
		if got.Start > got.End || got.End > len(text) || (got.Verdict == Different) != (len(got.Differences) > 0) {
			t.Errorf("%s, %d to %d of %d, %q", got.Verdict, got.Start, got.End, len(text), got.Differences)
		}
		if said := compared(t, text, text).Verdict; Words(text) > 0 && said != Identical {
			t.Errorf("a text is %s to itself", said)
		}
	})
}

// A word that is broken at the end of a line is the same word, in the quotation and in the text; a compound stays two words.
func TestBrokenWords(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"Le préa-\nvis est d’un mois", "Le préavis est d’un mois."}, {"Le préavis est d’un mois", "Le préa-\nvis est d’un mois."}, {"Le préa-\n   vis est d’un mois", "Le pré-\navis est d’un mois."},
		{"c’était avant-\nhier au soir", "c’était avant-hier au soir"}, {"c’était avant-hier au soir", "c’était avant-\nhier au soir"}, {"le procès-ver-\nbal est signé", "le procès-verbal est signé"},
	} {
		if got, err := Compare(t.Context(), c[0], c[1]); err != nil || got.Verdict != Identical {
			t.Errorf("%q, %q: %+v, %v", c[0], c[1], got, err)
		}
	}
	if got, err := Compare(t.Context(), "Le préa-\n\nvis est d’un mois", "Le préavis est d’un mois."); err != nil || got.Verdict != Different {
		t.Errorf("%+v, %v", got, err)
	}
}
