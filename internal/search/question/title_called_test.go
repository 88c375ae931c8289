package question

import (
	"slices"
	"testing"

	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
)

func TestCanBeCalled(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		title, called string
		want          bool
	}{
		"itself":                              {"Code pénal", "code pénal", true},
		"in the title of its law":             {"Loi n° 2012-15 du 18 mars 2013 portant code de procédure pénale en République du Bénin", "code de procédure pénale", true},
		"a word between":                      {"Loi n° 2012-15 portant Code de procédure pénale", "code pénal", false},
		"two words between":                   {"Code de justice militaire", "code militaire", false},
		"a complement of a complement":        {"Code de la sécurité du travail", "code du travail", false},
		"a word too many":                     {"Code du travail", "code du travail maritime", false},
		"the words behind are left out":       {"Code des sociétés commerciales", "code des sociétés", true},
		"an adjective of the kind":            {"Code général des impôts", "code des impôts", true},
		"two adjectives of the kind":          {"Code général unifié des impôts", "code des impôts", true},
		"a country between":                   {"Code burkinabè du travail", "code du travail", true},
		"a union between":                     {"Code CIMA des assurances", "code des assurances", true},
		"another part of an enumeration":      {"Code des personnes et de la famille", "code de la famille", true},
		"parts in another order":              {"Code des personnes et de la famille", "code de la famille et des personnes", true},
		"its last part, by commas":            {"Code de procédure civile, commerciale et sociale", "code de procédure sociale", true},
		"a joined adjective of another noun":  {"Code de procédure civile et commerciale", "code commercial", false},
		"the second of two codes":             {"Loi portant Code de procédure pénale et Code pénal", "code pénal", true},
		"a title that does not call it so":    {"Moudawana", "code de la famille", true},
		"no name":                             {"Code pénal", "", false},
		"of the country, behind the name":     {"Loi n° 28-2008 portant code du travail au Burkina Faso", "code du travail", true},
		"typed with typographic apostrophes":  {"Code de l’enfant et de l’adolescent", "code de l’adolescent", true},
		"nothing but the kind":                {"Code pénal", "code", true},
		"an adjective before an adjective":    {"Code pénal militaire", "code militaire", false},
		"the first of an enumeration, whole":  {"Code des personnes et de la famille", "code des personnes et de la famille", true},
		"the article of another kind of code": {"Arrêté pris pour l’application du code de procédure civile", "code civil", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			terms, _ := country.Content(c.called)
			if got := CanBeCalled(c.title, terms); got != c.want {
				t.Errorf("%q called %q: %v", c.title, c.called, got)
			}
		})
	}
}

func TestTitleWithoutCountries(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"code du travail burkinabè":                "code du travail",
		"Code de procédure pénale du Bénin":        "Code de procédure pénale",
		"code des marchés publics":                 "code des marchés publics",
		"Code général des impôts de Côte d’Ivoire": "Code général des impôts",
		"Burkina Faso":                             "",
		"":                                         "",
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			if got := french.Terms(TitleWithoutCountries(title)); !slices.Equal(got, french.Terms(want)) {
				t.Errorf("%q, want the terms of %q", got, want)
			}
		})
	}
}
