package layout

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// three places lines of running text in three columns at the same heights. Some are short, like the last line
// of a paragraph.
func three(p *Page, y float64, lines int) {
	for c, name := range []string{"g", "m", "d"} {
		for i := range lines {
			words := "lignes de la colonne serrée"
			if i%4 == 3 {
				words = "fin"
			}
			p.put(40+180*float64(c), y+12*float64(i), fmt.Sprintf("%s%02d %s", name, i, words))
		}
	}
}

func TestArrangeReadsThreeColumns(t *testing.T) {
	t.Parallel()
	p := Page{Number: 1, Width: 595, Height: 842}
	p.center(40, 555, 100, "TITRE SUR TOUTE LA LARGEUR DE LA PAGE DU JOURNAL OFFICIEL")
	three(&p, 140, 12)
	pages := []Page{p}
	Arrange(pages)
	var got, want []string
	for _, l := range pages[0].Lines {
		got = append(got, fmt.Sprintf("%d %s", l.Column, l.Words[0].Text))
	}
	want = append(want, "-1 TITRE")
	for c, name := range []string{"g", "m", "d"} {
		for i := range 12 {
			want = append(want, fmt.Sprintf("%d %s%02d", c, name, i))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("order\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestArrangeKeepsTableOfWordsTogether checks that a table whose cells are words, and not lines of text, is
// read across, also under three columns.
func TestArrangeKeepsTableOfWordsTogether(t *testing.T) {
	t.Parallel()
	p := Page{Number: 1, Width: 595, Height: 842}
	three(&p, 400, 8)
	for i := range 5 {
		y := 140 + 16*float64(i)
		p.put(40, y, fmt.Sprintf("r%d inspecteur", i))
		p.put(220, y, "deuxième classe")
		p.put(400, y, "trois ans")
	}
	pages := []Page{p}
	Arrange(pages)
	got := texts(pages[0].Lines)
	for i := range 5 {
		if want := fmt.Sprintf("r%d inspecteur deuxième classe trois ans", i); got[i] != want {
			t.Errorf("row %d is %q and not %q", i, got[i], want)
		}
	}
	if !strings.HasPrefix(got[5], "g00") || !strings.HasPrefix(got[13], "m00") || !strings.HasPrefix(got[21], "d00") {
		t.Errorf("columns under the table: %q", got[5:])
	}
}

func TestPartingBoundsColumns(t *testing.T) {
	t.Parallel()
	g := gutters{at: 200, others: []float64{400}}
	for x, want := range map[float64]span{100: {0, 200}, 250: {200, 400}, 500: {400, 600}} {
		t.Run(fmt.Sprint(x), func(t *testing.T) {
			if got := g.columnAt(x, span{0, 600}); got != want {
				t.Errorf("around %v: %v and not %v", x, got, want)
			}
		})
	}
}

// Justified lines of few words beside indented lines of another column are no table, though their spaces are as wide as
// those of one: the other column's lines are full, measured from where its text begins.
func TestSpacedLinesBesideAColumnAreNoTable(t *testing.T) {
	t.Parallel()
	p := Page{Number: 1, Width: 595, Height: 842}
	p.column(50, 100, "g", 12)
	p.column(330, 100, "d", 12)
	for i, spaced := range []string{"un", "deux", "trois"} {
		y := 100 + 12*float64(12+i)
		for k := range 4 {
			p.put(50+58*float64(k), y, spaced)
		}
		p.put(330, y, "la suite du texte de droite qui s’en va")
	}
	pages := []Page{p}
	Arrange(pages)
	for _, l := range pages[0].Lines {
		if l.Column < 0 {
			t.Errorf("%q is a line across the columns", l.Text())
		}
	}
}

// Short lines beside each other are a table where nothing is known of the columns, and lines of three columns where the
// pages of the same side have these.
func TestColumnsOfThePagesOfASide(t *testing.T) {
	t.Parallel()
	pages := make([]Page, 9)
	goods := strings.Fields("sel poivre riz thé café sucre blé cacao miel") // or the same words would be heads of the pages
	for i := range pages {
		p := Page{Number: i + 1, Width: 595, Height: 842}
		side := 20 * float64(i%2)
		for c, name := range []string{"g", "m", "d"} {
			for k := range 16 {
				words := "lignes de la vente du " + goods[(i+k)%len(goods)]
				if i == 4 && k >= 4 && k < 8 {
					words = "court"
				}
				p.put(30+side+180*float64(c), 100+12*float64(k), fmt.Sprintf("%s%02d %s", name, k, words))
			}
		}
		pages[i] = p
	}
	Arrange(pages)
	for i, l := range pages[4].Lines {
		if want := fmt.Sprintf("%c%02d", "gmd"[i/16], i%16); l.Words[0].Text != want {
			t.Errorf("line %d is %q and does not begin with %s", i, l.Text(), want)
		}
	}
}
