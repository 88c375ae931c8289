package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
)

// withNotes returns a page whose lines from the given one on are in small type.
func withNotes(text, source string) []layout.Page {
	pages := typed(text)
	for i := range pages {
		small := false
		for j := range pages[i].Lines {
			l := &pages[i].Lines[j]
			if small = small || strings.HasPrefix(strings.TrimSpace(l.Text()), source); small {
				l.Size = 7
			}
			for k := range l.Words {
				l.Words[k].Text, l.Words[k].Raised = strings.CutPrefix(l.Words[k].Text, "^")
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
	got := segment.Split(withNotes(noted, "(1)"), gazette.Hints{})
	want := "La présente loi fixe le prix du sel pour tous les marchés (1) de la République, selon ce que décide le ministre qui en a la charge, " +
		"et le fait connaître au public par voie d’affiches dans toutes les communes."
	same(t, "article 1er", got.Texts[0].Articles[1].Text, want)
	if len(got.Loose) != 2 || !strings.HasPrefix(strings.TrimSpace(got.Loose[0].Text()), "(1) Le terme") {
		t.Errorf("the note is not kept apart: %v", got.Loose)
	}
}

func TestNoteUnderARule(t *testing.T) {
	t.Parallel()
	text := strings.Replace(noted, "  (1) Le terme", "__________\n  (1) Le terme", 1)
	got := segment.Split(typed(text), gazette.Hints{})
	if strings.Contains(got.Texts[0].Articles[1].Text, "Le terme") {
		t.Errorf("%q", got.Texts[0].Articles[1].Text)
	}
}

func TestAListInTheSameTypeIsNoNote(t *testing.T) {
	t.Parallel()
	got := segment.Split(typed(noted), gazette.Hints{})
	if !strings.Contains(got.Texts[0].Articles[1].Text, "(1) Le terme") {
		t.Errorf("%q", got.Texts[0].Articles[1].Text)
	}
}

// The notes have more letters than the text above them, but fewer than the rest of the file.
func TestNotesMayFillMostOfAPage(t *testing.T) {
	t.Parallel()
	text := strings.Replace(noted, "2 mai 2018.", "2 mai 2018, publiée au Journal officiel et entrée en vigueur avec les textes que le gouvernement a pris\n"+
		"pour son application, après avis du conseil des prix et des chambres de commerce de toutes les régions, et avec\n"+
		"les circulaires que le ministre chargé du commerce a adressées aux gouverneurs et aux maires.", 1)
	text += strings.Repeat("  Le sel est vendu au poids dans tous les marchés de la République.\n", 8)
	got := segment.Split(withNotes(text, "(1)"), gazette.Hints{})
	if text := got.Texts[0].Articles[1].Text; strings.Contains(text, "Le terme") || strings.Contains(text, "circulaires") {
		t.Errorf("%q", text)
	}
}

// goingOn returns two pages. The second one ends in small type, after a note on the first one that ends as
// given.
func goingOn(end string) []layout.Page {
	text := strings.Replace(noted, "2 mai 2018.", "2 mai 2018, "+end, 1)
	text = strings.Replace(text, "Le sel est gris.", "Le sel est gris ou blanc, et se vend au\npoids.\npris effet dans les communes.", 1)
	pages := withNotes(text, "(1)")
	for i := range pages[1].Lines {
		if l := &pages[1].Lines[i]; strings.HasPrefix(l.Text(), "pris effet") {
			l.Size = 7
		} else {
			l.Size = 10
		}
	}
	return pages
}

func TestNoteContinuesOnTheNextPage(t *testing.T) {
	t.Parallel()
	read := func(end string) string { return segment.Split(goingOn(end), gazette.Hints{}).Texts[0].Articles[2].Text }
	same(t, "behind a broken note", read("qui n’a pas"), "Le sel est gris ou blanc, et se vend au poids.")
	if got := read("abrogée."); !strings.Contains(got, "pris effet") {
		t.Errorf("small type after a finished note was taken for a note: %q", got)
	}
}

func TestFootnoteCallsAreRemoved(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, mark, printed, read string }{
		{"raised figure", "12 -", "marchés12 de", "marchés de"},
		{"before a comma", "12 -", "marchés12, de", "marchés, de"},
		{"in brackets", "(12)", "marchés(12) de", "marchés de"},
		{"in brackets behind a quotation", "( 12)", "« marchés »(12) de", "« marchés » de"},
		{"of no note", "12 -", "marchés13 de", "marchés13 de"},
		{"a unit", "12 -", "km12 de", "km12 de"},
		{"a code", "12 -", "R12 de", "R12 de"},
		{"a word of its own", "12 -", "12 marchés de", "12 marchés de"},
		{"raised behind a number", "^12", "24 ^12 marchés de", "24 marchés de"},
		{"raised in brackets", "(12)", "24 ^(12) marchés de", "24 marchés de"},
		{"raised before a comma", "^12", "24 ^12, marchés de", "24, marchés de"},
		{"a raised power", "^12", "24 m ^12 de", "24 m 12 de"},
		{"raised, of no note", "12 -", "24 ^13 marchés de", "24 13 marchés de"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(noted, "marchés (1) de", c.printed, 1)
			text = strings.Replace(text, "  (1) Le terme", "  "+c.mark+" Le terme", 1)
			got := segment.Split(withNotes(text, c.mark), gazette.Hints{}).Texts[0].Articles[1]
			if !strings.Contains(got.Text, "\n"+c.read+" la") && !strings.Contains(got.Text, " "+c.read+" la") {
				t.Errorf("%q has no %q", got.Text, c.read)
			}
			if end := got.Spans[len(got.Spans)-1].End; end != len(got.Text) {
				t.Errorf("the spans end at byte %d of %d", end, len(got.Text))
			}
		})
	}
}
