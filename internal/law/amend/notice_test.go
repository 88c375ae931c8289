package amend_test

import (
	"testing"

	"vigueur/internal/law/amend"
)

// TestMentionsAreNoOrders checks passages that only mention changes: nothing waits for a person.
func TestMentionsAreNoOrders(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"(Modifié par la loi n° 2005-45 du 6 juin 2005).- Est puni de six mois d'emprisonnement quiconque aura modifié l'acte visé à l'article 5.",
		"(Abrogé par le décret du 10 janvier 1957).",
		"Les délais visés à l'article 853-17 ci-dessus peuvent être modifiés par décision du tribunal.",
		"En application de l'article 71 du décret exécutif n° 08-315 du 11 octobre 2008, modifié et complété, susvisé, le présent arrêté fixe l'organisation de la formation.",
		"En cas d'empêchement, le juge est remplacé par son suppléant dans les conditions de l'article 12.",
		"Toute modification apportée aux statuts est portée à la connaissance du ministre.",
		"Vu le décret n° 2031-14 du 3 mai 2031 fixant les sortes de sel, ensemble les textes qui l'ont modifié et notamment son article 5 ;",
		"Est nulle la décision prise sans le rapport du saunier. (Alinéa 2 modifié par l'art premier de la loi n° 2033-7 du 9 mars 2033)",
		"À l'alinéa 1er de l'article 5, la loi n° 2033-7 du 9 mars 2033 a remplacé le terme « tamis » par celui de « râteau ».",
		"Les actes uniformes ne peuvent être modifiés que dans les conditions prévues par les articles 7 à 9 ci-dessus.",
	} {
		act, o := parts(s, "Fin.")
		if ops := amend.Read(act, o); len(ops) > 0 {
			t.Errorf("%s\n%+v", s, ops)
		}
	}
}

// TestOrdersThatAreNotUnderstoodWait checks instructions with words that no rule knows: each is told.
func TestOrdersThatAreNotUnderstoodWait(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"Sont modifiés le Préambule ainsi que les articles 3, 7 et 8 de la Constitution, qui se lisent désormais ainsi :",
		"L'article 5 de la loi n° 2033-7 du 9 mars 2033, qui a remplacé la loi n° 2031-4, est abrogé et lu comme non écrit :",
		"Sont abrogés les articles 28 et 29 mentionnés à l'article 234 du code du travail.",
	} {
		act, o := parts(s, "Fin.")
		ops := amend.Read(act, o)
		if len(ops) == 0 {
			t.Errorf("not noticed: %s", s)
		}
		for _, op := range ops {
			if op.Doubt == "" {
				t.Errorf("%s\n%+v", s, op)
			}
		}
	}
}
