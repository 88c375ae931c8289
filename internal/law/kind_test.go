package law_test

import (
	"testing"

	"vigueur/internal/law"
)

func TestKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		as           law.DocType
		nature, want string
	}{
		{law.Loi, "", "loi"},
		{law.Loi, "Loi", "loi"},
		{law.Decret, "Decret", "décret"},
		{law.Loi, "Ordonnance", "ordonnance"},
		{law.Loi, " Acte\u00a0 uniforme ", "acte uniforme"},
		{law.Arrete, "Arrêté interministériel", "arrêté interministériel"},
		{law.Arrete, "Décision", "décision"},
		{law.Code, "Loi", "code"},
		{law.Constitution, "Loi constitutionnelle", "constitution"},
		{law.Loi, "Écrit", "écrit"},
		{law.Loi, "DAHIR", "DAHIR"},
		{"", "Traité", "traité"},
		{"", "", ""},
	} {
		t.Run(c.nature, func(t *testing.T) {
			if got := law.Kind(c.as, c.nature); got != c.want {
				t.Errorf("%s, %q: %q, want %q", c.as, c.nature, got, c.want)
			}
		})
	}
	for _, kind := range law.DocTypes() {
		if law.Fold(kind.Word()) != string(kind) {
			t.Errorf("%s is called %q", kind, kind.Word())
		}
	}
}
