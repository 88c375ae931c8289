package segment_test

import (
	"strconv"
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

// A code may print articles of other acts among its own. The initials beside their numbers say whose they are, and a number
// that the code itself has twice is a doubt.
func TestACodeThatHasNumbersTwice(t *testing.T) {
	t.Parallel()
	var own, others, wanted []string
	head := func(number, words string) string {
		return "\n                     ARTICLE " + number + "\n\n  Le sel est pesé " + words + " fois dans les salines du pays.\n"
	}
	for i, words := range strings.Fields("une deux trois quatre cinq six sept huit neuf dix onze douze") {
		own, wanted = append(own, head(strconv.Itoa(i+1), words)), append(wanted, strconv.Itoa(i+1))
	}
	wanted[0] = "1er"
	for _, n := range strings.Fields("4 5 6 7 8 9") {
		others, wanted = append(others, head(n+" AU/SEL", n)), append(wanted, n+" AU/SEL")
	}
	code := "                         CODE DU SEL GRIS\n" + strings.Join(own, "")
	end := head("13", "treize") + head("14", "quatorze") + head("15", "quinze")
	x := split(t, code+strings.Join(others, "")+end, gazette.Hints{})
	same(t, "numbers", numbers(x), strings.Join(append(wanted, "13", "14", "15"), " "))
	same(t, "doubts", strings.Join(fields(x.Doubts), " "), "date_promulgation")
	x = split(t, code+strings.Join(own[6:], "")+end, gazette.Hints{})
	same(t, "doubts", strings.Join(fields(x.Doubts), " "), "date_promulgation complet articles")
}
