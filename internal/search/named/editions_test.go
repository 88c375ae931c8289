package named

import (
	"testing"

	"vigueur/internal/law"
)

func TestEditionsOfOneText(t *testing.T) {
	numbered := func(title string) law.Document {
		return law.Document{Type: law.Loi, OfficialNumber: "5", Title: title}
	}
	const forests = "Loi n° 5 relative à la protection des forêts domaniales"
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{forests, "Loi n° 5 relative à la protection des forêts domaniales (texte consolidé)", true},
		{forests, "Loi n° 5 portant budget de la région maritime", false},
		{forests, "Loi n° 5", false}, // of another year, perhaps
	} {
		if got := sameText(numbered(c.a), numbered(c.b)); got != c.same {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.same)
		}
	}
}
