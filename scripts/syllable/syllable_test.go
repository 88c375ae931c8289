package syllable

import (
	"strings"
	"testing"
)

func TestBreaks(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"dispositions":   "dis-po-si-tions",
		"l’employeur":    "l’em-ployeur",
		"conservateur":   "con-ser-va-teur",
		"licenciement,":  "li-cen-cie-ment,",
		"apprenti":       "ap-prenti",
		"règlement":      "rè-gle-ment",
		"semaine":        "se-maine",
		"ensemble":       "en-semble",
		"présentent":     "pré-sentent",
		"aujourd’hui":    "aujourd’hui",
		"sous-traitant":  "sous-traitant", // has its hyphen already
		"Clairmonde":     "Clairmonde",
		"VAUMONTEL":      "VAUMONTEL",
		"2023-118/MTM":   "2023-118/MTM",
		"mois":           "mois",
		"«\u00a0article": "«\u00a0ar-ticle",
	} {
		if got := hyphenated(word); got != want {
			t.Errorf("Breaks(%q) = %q, want %q", word, got, want)
		}
	}
}

// hyphenated shows every place where a word may break.
func hyphenated(word string) string {
	runes, last := []rune(word), 0
	var parts []string
	for _, at := range Breaks(runes) {
		parts = append(parts, string(runes[last:at]))
		last = at
	}
	return strings.Join(append(parts, string(runes[last:])), "-")
}

func FuzzBreaks(f *testing.F) {
	for _, seed := range []string{"l’indemnité", "œuvre", "«\u00a0a", "’", "", "trimestre.", "\xff\xfe"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, word string) {
		runes := []rune(word)
		last := 0
		for _, at := range Breaks(runes) {
			if at <= last || at >= len(runes) {
				t.Fatalf("Breaks(%q): offset %d after %d of %d", word, at, last, len(runes))
			}
			last = at
		}
	})
}
