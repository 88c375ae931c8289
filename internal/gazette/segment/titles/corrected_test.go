package titles

import (
	"strings"
	"testing"

	"vigueur/internal/law"
)

func TestCorrigendumHasTheKindOfItsText(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]law.DocType{
		"Rectificatif au décret n° 13-58 du 14 décembre 2012 portant approbation": law.Decret,
		"RECTIFICATIF à l’arrêté n° 64-73 du 13 novembre 1964":                    law.Arrete,
		"Erratum à la loi n° 00-61 du 13 août 2000":                               law.Loi,
		"Rectification aux arrêtés du 3 mars 2001":                                law.Arrete,
	} {
		var h Title
		if !h.Read(title) || !h.Corrects || h.Kind.Type != want || h.Number != "" || !h.Date.IsZero() {
			t.Errorf("%q: %+v", title, h)
		}
	}
	var h Title
	if h.Read("Rectificatif"); h.Corrects {
		t.Error("what names no text corrects none")
	}
}

func TestCodeHasTheNumberOfItsLaw(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ printed, number, title string }{
		{"CODE DU SEL (Institué par la loi n° 2007-79 du 28 décembre 2007)", "2007-79", "CODE DU SEL"},
		{"Code du sel (Promulgué par le dahir n° 1-03-194 du 11 septembre 2003)", "1-03-194", "Code du sel"},
		{"Code du sel (Loi n° 70-3 du 3 mai 1970)", "70-3", "Code du sel"},
		{"CODE DU SEL (annoté par les services de la loi)", "", "CODE DU SEL (annoté par les services de la loi)"},
		{"CODE DU SEL", "", "CODE DU SEL"},
	} {
		t.Run(c.printed, func(t *testing.T) {
			t.Parallel()
			var h Title
			if !h.Read(c.printed) || h.Number != c.number || h.Date.IsZero() != (c.number == "") {
				t.Errorf("number %q of %v", h.Number, h.Date)
			}
			if got := h.String(); !strings.EqualFold(got, c.title) {
				t.Errorf("title %q", got)
			}
		})
	}
}

func TestTreatiesAreKnownByTheirParties(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]bool{
		"CONVENTION ENTRE LE ROYAUME DU SEL ET L’UNION DES MERS": true,
		"Traité entre l’Union des mers et le Royaume du sel":     true,
		"Convention collective des sauniers":                     false,
		"Loi entre autres":                                       false,
	} {
		var h Title
		h.Read(title)
		if h.IsTreaty() != want {
			t.Errorf("%q: %v", title, !want)
		}
	}
}
