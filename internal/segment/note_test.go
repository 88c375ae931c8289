package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/layout"
	"vigueur/internal/segment"
)

// withNotes is a page whose lines from the given one on are set in small type.
func withNotes(text, from string) []layout.Page {
	pages := typed(text)
	for i := range pages {
		small := false
		for j := range pages[i].Lines {
			l := &pages[i].Lines[j]
			if small = small || strings.HasPrefix(strings.TrimSpace(l.Text()), from); small {
				l.Size = 7
			}
		}
	}
	return pages
}

const noted = `                 LOI N° 2019-3 DU 2 MARS 2019
                 relative au sel.

  L’Assemblée a délibéré et adopté ;

  Article 1er : La présente loi fixe le prix du sel pour tous les
marchés (1) de la République, selon ce que décide le ministre qui en a
la charge, et le fait connaître
  (1) Le terme a été modifié par l’article 3 de la loi n° 2018-1 du
2 mai 2018.` + "\f" + `au public par voie d’affiches dans toutes les communes.
  Article 2 : Le sel est gris.
`

func TestFootNotesAreNoPartOfAnArticle(t *testing.T) {
	t.Parallel()
	got := segment.Split(withNotes(noted, "(1)"), segment.Hints{})
	want := "La présente loi fixe le prix du sel pour tous les marchés (1) de la République, selon ce que décide le ministre qui en a la charge, " +
		"et le fait connaître au public par voie d’affiches dans toutes les communes."
	same(t, "article 1er", got.Texts[0].Articles[1].Text, want)
	if len(got.Loose) != 2 || !strings.HasPrefix(strings.TrimSpace(got.Loose[0].Text()), "(1) Le terme") {
		t.Errorf("the note is not kept apart: %v", got.Loose)
	}
}

func TestANoteIsKnownByTheRuleAboveIt(t *testing.T) {
	t.Parallel()
	text := strings.Replace(noted, "  (1) Le terme", "__________\n  (1) Le terme", 1)
	got := segment.Split(typed(text), segment.Hints{})
	if strings.Contains(got.Texts[0].Articles[1].Text, "Le terme") {
		t.Errorf("%q", got.Texts[0].Articles[1].Text)
	}
}

func TestAListInTheSameTypeIsNoNote(t *testing.T) {
	t.Parallel()
	got := segment.Split(typed(noted), segment.Hints{})
	if !strings.Contains(got.Texts[0].Articles[1].Text, "(1) Le terme") {
		t.Errorf("%q", got.Texts[0].Articles[1].Text)
	}
}
