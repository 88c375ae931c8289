package law_test

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law"
)

func TestDifferences(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after string
		want          []law.Part
	}{
		"same":    {"Un mot.", "Un mot.", []law.Part{{law.Same, "Un mot."}}},
		"nothing": {"", "", []law.Part{}},
		"a word":  {"dure trente jours au plus.", "dure quarante jours au plus.", []law.Part{{law.Same, "dure "}, {law.Removed, "trente "}, {law.Added, "quarante "}, {law.Same, "jours au plus."}}},
		"new":     {"", "Deux mots.", []law.Part{{law.Added, "Deux mots."}}},
		"gone":    {"Deux mots.", "", []law.Part{{law.Removed, "Deux mots."}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := law.Differences(c.before, c.after); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// FuzzDifferences checks that the parts make up both wordings.
func FuzzDifferences(f *testing.F) {
	f.Add("dure trente jours", "dure  quarante\njours ouvrables")
	f.Add(strings.Repeat("a b ", 2000), strings.Repeat("b c ", 2000))
	f.Fuzz(func(t *testing.T, left, right string) {
		var was, is strings.Builder
		for _, p := range law.Differences(left, right) {
			if p.Kind != law.Added {
				was.WriteString(p.Text)
			}
			if p.Kind != law.Removed {
				is.WriteString(p.Text)
			}
		}
		if was.String() != left || is.String() != right {
			t.Errorf("%q and %q became %q and %q", left, right, was.String(), is.String())
		}
	})
}
