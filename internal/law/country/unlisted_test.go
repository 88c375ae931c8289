package country

import (
	"slices"
	"testing"
)

func TestStatesThatTheTableHasNotHaveCodesOfTheirOwn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]Code{
		"JOURNAL OFFICIEL\nDE LA\nRÉPUBLIQUE D’ASTREVALLE\n58e année":        {"x-Astrevalle"},
		"sur le territoire de la République d'Astrevalle, quels que soient":  {"x-Astrevalle"},
		"le Royaume de Barovie et la République fédérale de Sylvanie":        {"x-Barovie", "x-Sylvanie"},
		"REPUBLIQUE DU BENIN\nFraternité - Justice - Travail":                nil,
		"REPUBLIQUE DE CÔTE D’IVOIRE":                                        nil,
		"la République de Côte\nd’Ivoire, et la République d’Astrevalle":     {"x-Astrevalle"},
		"REPUBLIQUE DU CAMEROUM":                                             nil, // a misread letter makes no state
		"la République islamique de Mauritanie":                              nil,
		"la République démocratique du Congo":                                nil,
		"le Président de la République nomme les membres du Gouvernement":    nil,
		"Services du Premier ministre et de la Présidence de la République.": nil,
		"le Président de la République\nArrête":                              nil,
		"": nil,
	} {
		if got := FindUnlisted(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestLawOfAnUnlistedStateIsNobodyElses(t *testing.T) {
	t.Parallel()
	own := FindUnlisted("la République d’Astrevalle")
	for _, c := range []Code{"bj", "sn", "fr"} {
		if Fits([]Code{c}, own) {
			t.Errorf("%v may answer about %s", own, c)
		}
	}
	if !Fits(own, own) || !Fits(nil, own) || Union(own[0]) || Name(own[0]) != "Astrevalle" {
		t.Errorf("%v: of itself %v, of nobody %v, named %q", own, Fits(own, own), Fits(nil, own), Name(own[0]))
	}
}
