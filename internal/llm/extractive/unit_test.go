package extractive

import (
	"testing"

	"vigueur/internal/llm"
)

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

func TestWhatStandsInBracketsIsNotQuotedAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"an editor's note", "Le sel est gris. (Ajouté par la loi n° 2019-47 du 29 mai 2019). Il est vendu au poids.", 2},
		{"brackets within", "Le sel est gris. (Modifié par l’article 2 (nouveau) de la loi n° 2019-47).", 1},
		{"a numbered paragraph", "(1) Le sel est gris (ou blanc).", 1},
		{"two pairs", "Le sel est gris. (Sauf celui du nord) ou blanc (au sud).", 2},
		{"never closed", "Le sel est gris. (Sauf celui du nord.", 2},
		{"nothing else", "(Abrogé par la loi n° 2019-47 du 29 mai 2019).", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := units(&llm.Passage{N: 1, Article: "4", Text: c.text}); len(got) != c.want {
				t.Errorf("%d units, want %d: %+v", len(got), c.want, got)
			}
		})
	}
}
