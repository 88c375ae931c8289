package segment

import (
	"testing"

	"vigueur/internal/gazette/segment/titles"
)

// TestNewsOfAnAgreement checks that what a gazette tells of an agreement is no agreement, and that an agreement is one.
func TestNewsOfAnAgreement(t *testing.T) {
	t.Parallel()
	const name = "Convention sur le commerce du sel, faite à\nVillebourg, le 18 mars 1970."
	for behind, want := range map[string]bool{
		" — Ratification de la Salinie.":                                                                 true,
		" Adhésion et notification de succession de deux États.":                                         true,
		"\nIl résulte d'une notification du dépositaire qu'en date du 3 mai 2019 la Salinie y a adhéré.": true,
		"\nLes Parties à la présente convention sont convenues de ce qui suit :":                         false,
		"\nArticle 1er. Le commerce du sel est libre.\nArticle 2. Ratification":                          false,
	} {
		h := titles.Title{Kind: titles.KindOf("Convention")}
		if got := tellsOfTreaty(h, typedLines(name+behind)); got != want {
			t.Errorf("%q: %v", behind, got)
		}
	}
	if tellsOfTreaty((titles.Title{Kind: titles.KindOf("Décret")}), typedLines("Décret du 3 mai 1970. — Ratification de la convention")) {
		t.Error("a decree is news of an agreement")
	}
}
