package named

import (
	"testing"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
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

func TestCoordinatedEditionsOfANamedText(t *testing.T) {
	for _, c := range []struct {
		title, name string
		kind        law.DocType
		want        bool
	}{
		{"Texte coordonné de la loi du 12 septembre 2003 relative aux forêts et modifiant la loi du 30 juin 1976 sur le sel", "loi modifiée du 12 septembre 2003 relative aux forêts", law.Loi, true},
		{"Texte coordonné de la loi du 12 septembre 2003 relative aux forêts et modifiant la loi du 30 juin 1976 sur le sel", "loi du 30 juin 1976", law.Loi, false},
		{"Texte coordonné du 18 décembre 1986 de la loi du 21 mars 1966 portant institution d'un conseil", "loi modifiée du 18 décembre 1986", law.Loi, false},
		{"Texte coordonné du 18 décembre 1986 de la loi du 21 mars 1966 portant institution d'un conseil", "loi du 21 mars 1966", law.Loi, true},
		{"Loi du 21 mars 1966 portant institution d'un conseil", "loi du 21 mars 1966", law.Loi, false}, // found by its day
	} {
		if got := coordinates(law.Document{Title: c.title, Type: law.Loi}, amend.TargetText{Type: c.kind, Title: c.name}); got != c.want {
			t.Errorf("%q as %q: %v, want %v", c.title, c.name, got, c.want)
		}
	}
}
