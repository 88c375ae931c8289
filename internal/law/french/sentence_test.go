package french_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"vigueur/internal/law/french"
)

func TestSentences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Selon l’art. 5 et l’al. 2, M. Diallo paie. Le n° 3 suit.", []string{"Selon l’art. 5 et l’al. 2, M. Diallo paie.", "Le n° 3 suit."}},
		{"Vu l’art. L. 1224-1. Vu la loi.", []string{"Vu l’art. L. 1224-1.", "Vu la loi."}},
		{"Il vaut 1.000.000 F. Le S.M.I.G. est fixé.", []string{"Il vaut 1.000.000 F.", "Le S.M.I.G. est fixé."}},
		{"Il dispose : « Trois mois. » [1] Ensuite, rien [2]. Fin…", []string{"Il dispose : « Trois mois. » [1]", "Ensuite, rien [2].", "Fin…"}},
		{"« Art. 14. — La durée est fixée. »\nAlinéa deux", []string{"« Art. 14. — La durée est fixée. »", "Alinéa deux"}},
		{"1. Le premier point. 2. Le second.", []string{"1. Le premier point.", "2. Le second."}},
		{"Quoi ? Oui ! Bien... Non", []string{"Quoi ?", "Oui !", "Bien...", "Non"}},
		{"Il paie dans ce cas.S’il part, rien. Art. 5. • Le L.12", []string{"Il paie dans ce cas.", "S’il part, rien.", "Art. 5. • Le L.12"}},
		{" \n\n ", nil},
	} {
		t.Run(c.text, func(t *testing.T) {
			var got []string
			for _, s := range french.Sentences(c.text) {
				got = append(got, c.text[s.Start:s.End])
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q is cut into %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func FuzzSentences(f *testing.F) {
	for _, s := range []string{"A. B. c", "[1] [2", "«». [", "…\n…", "a.[1,2] B", "\xff. \xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		pos := 0
		for _, x := range french.Sentences(s) {
			if x.Start < pos || x.End <= x.Start || x.End > len(s) {
				t.Fatalf("sentence %v after byte %d of %d", x, pos, len(s))
			}
			if lost := strings.TrimFunc(s[pos:x.Start], unicode.IsSpace); lost != "" {
				t.Fatalf("%q is lost", lost)
			}
			pos = x.End
		}
		if lost := strings.TrimFunc(s[pos:], unicode.IsSpace); lost != "" {
			t.Fatalf("%q is lost at the end", lost)
		}
	})
}
