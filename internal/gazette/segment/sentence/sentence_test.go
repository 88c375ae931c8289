package sentence

import (
	"strings"
	"testing"
)

func TestSentences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Le sel est gris. Il est fin.":                          "Le sel est gris.|Il est fin.",
		"Voir l'art. 3 et les arts. 4 et 5. Fin.":               "Voir l'art. 3 et les arts. 4 et 5.|Fin.",
		"M. Personne est nommé. Il accepte.":                    "M. Personne est nommé.|Il accepte.",
		"Les articles 24. 42. 319 sont abrogés. Fin.":           "Les articles 24. 42. 319 sont abrogés.|Fin.",
		"Sont abrogés :\n- la loi n° 3 ;\n- la loi n° 4.\nFin.": "Sont abrogés :\n- la loi n° 3 ;\n- la loi n° 4.|Fin.",
		"Sans point":   "Sans point",
		"":             "",
		"Un.\n\nDeux.": "Un.|Deux.",
	} {
		if got := strings.Join(Split(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzSentences(f *testing.F) {
	f.Add("Le sel. Il « est. » Art. 3.\n24. 42")
	f.Fuzz(func(t *testing.T, text string) {
		joined := strings.Join(Split(text), "")
		bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if bare(joined) != bare(text) {
			t.Fatalf("%q became %q", text, joined)
		}
	})
}
