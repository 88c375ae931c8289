package verify

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
)

// TestLinks links the references of an article: articles without a text are those of its own, and
// what leads to several texts, to none or is quoted leads nowhere.
func TestLinks(t *testing.T) {
	db := catalogue(t)
	of := textOf("Loi n° 2026-01 du 2 janvier 2026 sur la cueillette", "2026-01", "2026-01-02", "bj", law.Loi,
		"La cueillette est libre.",
		"Sous réserve de l’article précédent et de l’article 3. La loi n° 2023-07, notamment son article 2, s’applique. L’article 9 reste.",
		"« L’article 1er » est cité ; l’article 1er de la présente loi, l’article 2 du code du travail et l’article suivant s’appliquent. Selon la loi n° 1999-99, rien.")
	add(t, db, of)
	texts, err := db.AddressedTexts(t.Context(), []uuid.UUID{of.Document.ID})
	ok(t, err)
	for i, want := range []string{
		"",
		"l’article précédent → 1er; article 3 → 3; loi n° 2023-07, notamment son article 2 → 2; ",
		"article 1er de la présente loi → 1er; article 2 du code du travail → 2; ",
	} {
		links, err := Links(t.Context(), db, texts[0], of.Articles[i], date("2026-05-01"))
		ok(t, err)
		got := ""
		words := []rune(of.Articles[i].Text)
		for _, l := range links {
			got += fmt.Sprintf("%s → %s; ", string(words[l.Start:l.End]), l.Number)
		}
		if got != want {
			t.Errorf("article %d: %q, want %q", i+1, got, want)
		}
	}
	for number, want := range []string{"[3]", "[]", "[2]"} {
		citing, err := CitedBy(t.Context(), db, texts[0], of.Articles[number], date("2026-05-01"))
		ok(t, err)
		got := []string{}
		for _, c := range citing {
			got = append(got, c.Number)
		}
		slices.Sort(got)
		if fmt.Sprint(got) != want {
			t.Errorf("article %d is cited by %v, want %s", number+1, got, want)
		}
	}
}
