package layout

import (
	"math"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law"
)

// initialPage has a paragraph of four lines, 12 points apart, whose first letter extends over the given
// number of lines, and a line above and below. The box of the letter is as high as in a text layer.
func initialPage(initial string, over int, lines ...string) Page {
	p := Page{Number: 1, Width: 595, Height: 842, Source: Layer}
	p.put(50, 88, "Une ligne qui finit le paragraphe d’avant.")
	for i, l := range lines {
		x := 50.0
		if i < over {
			x = 50 + 11*float64(over)
			if strings.HasPrefix(l, " ") {
				x += letter
			}
		}
		p.put(x, 112+12*float64(i), l)
	}
	size := 1.43*12*float64(over-1) + high
	base := 112 - 2 + 12*float64(over-1)
	p.Words = append(p.Words, Word{Text: initial, Size: size, Rect: law.Rect{50, base - 0.9*size, 50 + 11*float64(over) - 2, base + 0.25*size}})
	p.put(50, 112+12*float64(len(lines)), "La ligne qui vient après le paragraphe entier.")
	return p
}

func TestInitialsBeginTheirLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, letter string
		over         int
		lines        []string
		first        string
	}{
		{"two lines", "L", 2, []string{"e Président de la République du Bas-Pays,", "vu la Constitution et la loi des marais,", "vu le décret de la haute saline, décrète :"}, "Le Président de la République du Bas-Pays,"},
		{"three lines", "L", 3, []string{"E PRÉSIDENT de la République du Bas-Pays", "vu la Constitution et la loi des marais,", "vu le décret de la haute saline,", "ordonne ce qui suit, et le fait savoir :"}, "LE PRÉSIDENT de la République du Bas-Pays"},
		{"an elision", "L", 2, []string{"’Assemblée nationale a délibéré et adopté,", "et le Président promulgue la loi dont la", "teneur suit, et qui sera publiée."}, "L’Assemblée nationale a délibéré et adopté,"},
		{"a word of one letter", "À", 2, []string{"la suite de ces faits, et vu les lois,", "le ministre des salines arrête ce qui", "suit, en son nom et pour tous."}, "À la suite de ces faits, et vu les lois,"},
		{"and a space", "À", 2, []string{" titre de rappel, et vu les lois et arrêtés,", "le ministre des salines arrête ce qui", "suit, en son nom et pour tous."}, "À titre de rappel, et vu les lois et arrêtés,"},
		{"which begins a longer one", "A", 2, []string{"près en avoir délibéré, et vu les lois,", "le conseil des salines arrête ce qui", "suit, en son nom et pour tous."}, "Après en avoir délibéré, et vu les lois,"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := initialPage(c.letter, c.over, c.lines...)
			words := len(p.Words)
			pages := []Page{p}
			Arrange(pages)
			got := texts(pages[0].Lines)
			want := slices.Concat([]string{"Une ligne qui finit le paragraphe d’avant.", c.first}, c.lines[1:], []string{"La ligne qui vient après le paragraphe entier."})
			if !slices.Equal(got, want) {
				t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			for i, l := range pages[0].Lines {
				if math.Abs(l.Indent) > 1 {
					t.Errorf("line %d has an indent of %.1f", i, l.Indent)
				}
				if l.Size != high {
					t.Errorf("line %d has the size %.1f", i, l.Size)
				}
			}
			if len(pages[0].Words) != words || pages[0].Words[words-1].Text == "" {
				t.Error("the page's own words are others")
			}
		})
	}
}

// Large letters that are no initials stay as printed.
func TestLargeLettersThatAreNoInitials(t *testing.T) {
	t.Parallel()
	lines := []string{"e Président de la République du Bas-Pays,", "vu la Constitution et la loi des marais,", "vu le décret de la haute saline, décrète :"}
	for _, c := range []struct {
		name   string
		change func(p *Page, w *Word)
	}{
		{"a mark", func(_ *Page, w *Word) { w.Text = "{" }},
		{"a figure", func(_ *Page, w *Word) { w.Text = "1" }},
		{"a small letter", func(_ *Page, w *Word) { w.Text = "p" }},
		{"far from its lines", func(_ *Page, w *Word) { w.Rect[0], w.Rect[2] = 5, 25 }},
		{"behind other words", func(p *Page, _ *Word) { p.put(30, 112, "ici") }},
		{"beside one line", func(p *Page, w *Word) {
			p.Words = slices.DeleteFunc(p.Words, func(o Word) bool { return o.Rect[3] == 124 })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := initialPage("L", 2, lines...)
			at := slices.IndexFunc(p.Words, func(w Word) bool { return w.Text == "L" })
			w := &p.Words[at]
			c.change(&p, w)
			for i := range p.Words {
				if p.Words[i].Size > high {
					p.Words[i] = *w
				}
			}
			pages := []Page{p}
			Arrange(pages)
			for _, l := range pages[0].Lines {
				for _, word := range l.Words {
					if word.Text == w.Text+"e" {
						t.Fatalf("%q", l.Text())
					}
				}
			}
		})
	}
}

// Initials beside one word, or beside each other, lose no word.
func TestNoWordIsLostToInitials(t *testing.T) {
	t.Parallel()
	box := func(text string, x, y, high float64) Word {
		return Word{Text: text, Size: high, Rect: law.Rect{x, y, x + 0.6*high, y + high}}
	}
	for _, c := range []struct {
		name  string
		words []Word
	}{
		{"two letters before the same lines", []Word{box("L", 50, 100, 30), box("M", 55, 101, 30), box("un", 72, 101, 10), box("deux", 72, 117, 10)}},
		{"a letter beside letters", []Word{box("L", 50, 100, 100), box("M", 112, 101, 30), box("N", 112, 160, 30), box("un", 132, 104, 10), box("deux", 132, 117, 10), box("six", 132, 162, 10), box("sept", 132, 176, 10)}},
	} {
		for range 2 {
			pages := []Page{{Number: 1, Width: 595, Height: 842, Words: c.words}}
			Arrange(pages)
			got := []rune(strings.ReplaceAll(strings.Join(texts(pages[0].Lines), ""), " ", ""))
			var want []rune
			for _, w := range c.words {
				want = append(want, []rune(w.Text)...)
			}
			slices.Sort(got)
			slices.Sort(want)
			if string(got) != string(want) {
				t.Errorf("%s: %q and not %q", c.name, string(got), string(want))
			}
			slices.Reverse(c.words)
		}
	}
}
