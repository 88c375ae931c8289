package extractive

import "testing"

func TestPairedGuillemets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"none", "Le sel est gris.", "Le sel est gris."},
		{"a pair", "Le « sel » est gris.", "Le « sel » est gris."},
		{"opened at the beginning", "« Le sel est gris.", "Le sel est gris."},
		{"opened in the middle", "Le sel est gris. « Le poivre est noir.", "Le sel est gris. Le poivre est noir."},
		{"opened again by each paragraph", "« Le sel. « Le poivre est noir. »", "Le sel. « Le poivre est noir. »"},
		{"closed only", "Le sel est gris. »", "Le sel est gris."},
		{"closed before the stop", "Le sel est gris ».", "Le sel est gris."},
		{"closed before it opens", "gris » et « noir", "gris et noir"},
		{"within one another", "« le « gros sel » »", "« le « gros sel » »"},
		{"nothing else", "«»«", "«»"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := paired(c.text); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
