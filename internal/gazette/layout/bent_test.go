package layout

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// first returns the first word of each line, with its column.
func first(p Page) []string {
	var out []string
	for _, l := range p.Lines {
		out = append(out, fmt.Sprintf("%d %s", l.Column, l.Words[0].Text))
	}
	return out
}

// inColumns returns what first returns for two columns with the given numbers of lines.
func inColumns(left, right int) []string {
	var out []string
	for i := range left {
		out = append(out, fmt.Sprintf("0 g%02d", i))
	}
	for i := range right {
		out = append(out, fmt.Sprintf("1 d%02d", i))
	}
	return out
}

// Recognition gives each word the height of its line's box, which on bent paper overlaps the lines above and
// below. The gutter then seems no wider than a space.
func TestArrangeReadsColumnsOfTallLines(t *testing.T) {
	t.Parallel()
	for _, up := range []float64{0, 4, 8} {
		p := Page{Number: 1, Width: 595, Height: 842, Source: OCR}
		p.column(50, 200, "g", 20)
		p.column(270, 200, "d", 20)
		for i := range p.Words {
			r := &p.Words[i].Rect
			if line := int(r[3]-200) / 12; line%5 == 3 {
				r[1], r[3] = r[1]-up, r[3]+8-up
			}
		}
		pages := []Page{p}
		Arrange(pages)
		if got, want := first(pages[0]), inColumns(20, 20); !slices.Equal(got, want) {
			t.Errorf("%g up: order %q", up, got)
		}
	}
}

// Words below other words are never in the same line, however high their boxes are.
func TestArrangeNeverMixesLines(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 12 {
		lines = append(lines, fmt.Sprintf("%02d une ligne de texte ordinaire qui va d’un bord à l’autre", i))
	}
	p := sheetOf(1, lines...)
	for i := range p.Words {
		if r := &p.Words[i].Rect; int(r[3]-100)/14 == 5 {
			r[3] += 10
		}
	}
	pages := []Page{p}
	Arrange(pages)
	if got := texts(pages[0].Lines); !slices.Equal(got, lines) {
		t.Errorf("got %q", got)
	}
}

// A table in one column is read with its column, although the justified lines of the other column, beside the table,
// consist of several pieces each.
func TestArrangeKeepsATableInItsColumn(t *testing.T) {
	t.Parallel()
	p := Page{Number: 1, Width: 595, Height: 842}
	for i := range 16 {
		y := 200 + 12*float64(i)
		p.put(50, y, fmt.Sprintf("g%02d ligne", i))
		p.put(106, y, "justifiée")
		p.put(160, y, "de la")
		p.put(196, y, "colonne")
		if i < 4 || i > 10 {
			p.put(270, y, fmt.Sprintf("d%02d ligne entière de la colonne justifiée", i))
			continue
		}
		p.put(270, y, fmt.Sprintf("d%02d", i))
		p.put(330, y, "Désignation ici")
	}
	pages := []Page{p}
	Arrange(pages)
	if got, want := first(pages[0]), inColumns(16, 16); !slices.Equal(got, want) {
		t.Errorf("order %q", got)
	}
}

// A file may contain the words of a page line by line across the columns, or in any order. Only their places
// count.
func TestArrangeIgnoresTheOrderOfWords(t *testing.T) {
	t.Parallel()
	page := func() Page {
		p := Page{Number: 1, Width: 595, Height: 842}
		p.center(50, 475, 150, "TITRE SUR TOUTE LA LARGEUR DE LA PAGE DU JOURNAL OFFICIEL")
		for i := range 20 {
			p.put(50, 200+12*float64(i), fmt.Sprintf("g%02d ligne entière de la colonne justifiée", i))
			p.put(270, 200+12*float64(i), fmt.Sprintf("d%02d ligne entière de la colonne justifiée", i))
		}
		p.center(50, 475, 470, "AUTRE TITRE SUR TOUTE LA LARGEUR DE LA PAGE DU JOURNAL")
		p.column(50, 500, "t", 4)
		p.column(270, 500, "s", 4)
		return p
	}
	pages := []Page{page()}
	Arrange(pages)
	want := texts(pages[0].Lines)
	if len(want) != 50 || !strings.HasPrefix(want[21], "d00") || !strings.HasPrefix(want[46], "s00") {
		t.Fatalf("got %q", want)
	}
	for seed := range uint64(5) {
		mixed := page()
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(mixed.Words), func(i, j int) {
			mixed.Words[i], mixed.Words[j] = mixed.Words[j], mixed.Words[i]
		})
		pages := []Page{mixed}
		Arrange(pages)
		if got := texts(pages[0].Lines); !slices.Equal(got, want) {
			t.Errorf("seed %d: got %q", seed, got)
		}
	}
}

// Two spaced-out lines of a title are not a table together with the full line between them in the other column.
func TestArrangeSpacedTitlesAreNoTable(t *testing.T) {
	t.Parallel()
	p := Page{Number: 1, Width: 595, Height: 842}
	for i := range 16 {
		y := 200 + 12*float64(i)
		p.put(270, y+5, fmt.Sprintf("d%02d ligne entière de la colonne justifiée", i))
		if i != 3 && i != 4 {
			p.put(50, y, fmt.Sprintf("g%02d ligne entière de la colonne justifiée", i))
			continue
		}
		p.put(50, y, fmt.Sprintf("g%02d", i))
		p.put(110, y, "fixant")
		p.put(220, y, "prime")
	}
	pages := []Page{p}
	Arrange(pages)
	if got, want := first(pages[0]), inColumns(16, 16); !slices.Equal(got, want) {
		t.Errorf("order %q", got)
	}
}
