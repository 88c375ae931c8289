package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
)

func TestATextPrintedTwiceIsOne(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]string{
		"with its title": decree,
		"with slips":     strings.NewReplacer("marchés", "mnrchés", "affiché", "afliché").Replace(decree),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := segment.Split(typed(decree+"\f"+second), gazette.Hints{})
			if len(got.Texts) != 1 {
				t.Fatalf("%d texts", len(got.Texts))
			}
			same(t, "numbers", numbers(got.Texts[0]), "1er 2 2 bis")
			if d := got.Texts[0].Document; d.FirstPage != 1 || d.LastPage != 1 {
				t.Errorf("pages %d to %d", d.FirstPage, d.LastPage)
			}
			if len(got.Loose) < 5 {
				t.Errorf("the second print is lost: %d lines", len(got.Loose))
			}
		})
	}
}

func TestTwoTextsOfOneNumberAreTwo(t *testing.T) {
	t.Parallel()
	other := strings.NewReplacer("fixant le prix du sel", "nommant un saunier", "Le prix du sel est de dix écus le kilogramme dans les\nmarchés de plein air", "M. Personne est nommé saunier de la saline\nde Villebourg pour trois ans",
		"Il est affiché", "Il est logé", "entre en vigueur", "est publié au journal et prend effet").Replace(decree)
	if got := segment.Split(typed(decree+"\f"+other), gazette.Hints{}); len(got.Texts) != 2 {
		t.Errorf("%d texts, want 2: their words are not the same", len(got.Texts))
	}
}

func TestCodeAfterItsLawIsNoRepetition(t *testing.T) {
	t.Parallel()
	text := lawOf("Article 1er :", "Article 2 :") + `
                         CODE DU SEL GRIS
  Article 1er : Le sel gris est récolté à la main dans les salines.
  Article 2 : Il est vendu sec.
  Article 3 : Il est exporté en sacs.
`
	x := split(t, text, gazette.Hints{})
	same(t, "numbers", numbers(x), "1er 2 1er 2 3")
}
