package layout

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// annexBelow returns a page on which a text ends in two short columns, above an annex over the whole page
// that consists of lines or of a table.
func annexBelow(n int, table bool) Page {
	p := Page{Number: n, Width: 595, Height: 842}
	for i := range 7 {
		p.put(40, 80+12*float64(i), fmt.Sprintf("g%d la règle vaut pour le sel de toute la région", i))
		if i < 5 {
			p.put(310, 80+12*float64(i), fmt.Sprintf("d%d et pour ceux qui le vendent ou le transportent", i))
		}
	}
	for i := range 40 {
		y := 190 + 14*float64(i)
		if table {
			p.put(40, y, fmt.Sprintf("a%d", i))
			p.put(140, y, "une case de plusieurs mots qui passe par dessus le milieu de la page")
			p.put(520, y, "75")
			continue
		}
		p.put(40, y, fmt.Sprintf("a%d la liste des pièces qui sont à fournir, avec ce qui les accompagne, par ceux qui les demandent", i))
	}
	return p
}

// TestArrangeReadsAShortBandInThePagesColumns checks that a band that is too short to show its gutter gets
// the gutter of the page before, and that the text below the band is read across.
func TestArrangeReadsAShortBandInThePagesColumns(t *testing.T) {
	t.Parallel()
	for _, table := range []bool{false, true} {
		columns := Page{Number: 1, Width: 595, Height: 842}
		columns.column(40, 80, "l", 50)
		columns.column(310, 80, "r", 50)
		pages := []Page{columns, annexBelow(2, table)}
		Arrange(pages)
		var got []string
		for _, l := range pages[1].Lines {
			got = append(got, l.Words[0].Text)
		}
		var want []string
		for _, c := range []struct {
			name  string
			lines int
		}{{"g", 7}, {"d", 5}, {"a", 40}} {
			for i := range c.lines {
				want = append(want, fmt.Sprintf("%s%d", c.name, i))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("table %v: order\n%s\nwant\n%s", table, strings.Join(got, " "), strings.Join(want, " "))
		}
	}
}

// TestArrangeBorrowsNoColumns checks that a page with a table above lines of one column gets no columns from the page
// beside it.
func TestArrangeBorrowsNoColumns(t *testing.T) {
	t.Parallel()
	columns := Page{Number: 1, Width: 595, Height: 842}
	columns.column(40, 80, "l", 50)
	columns.column(310, 80, "r", 50)
	rows := Page{Number: 2, Width: 595, Height: 842}
	for i := range 6 {
		rows.put(40, 80+16*float64(i), fmt.Sprintf("r%d sel gris", i))
		rows.put(310, 80+16*float64(i), "12 %")
	}
	for i := range 30 {
		rows.put(40, 200+14*float64(i), fmt.Sprintf("a%d la liste des pièces qui sont à fournir, avec ce qui les accompagne, par ceux qui les demandent", i))
	}
	pages := []Page{columns, rows}
	Arrange(pages)
	for i, l := range pages[1].Lines[:6] {
		if want := fmt.Sprintf("r%d sel gris 12 %%", i); l.Text() != want {
			t.Errorf("row %d is %q and not %q", i, l.Text(), want)
		}
	}
}

// TestArrangeBorrowsThreeColumns checks that a page on which too few lines stand in each of three columns to show them has
// those of the pages around it.
func TestArrangeBorrowsThreeColumns(t *testing.T) {
	t.Parallel()
	full := sheetOf(1)
	three(&full, 200, 20)
	rest := sheetOf(2)
	three(&rest, 300, 2)
	last := sheetOf(3)
	three(&last, 203, 20)
	pages := []Page{full, rest, last}
	Arrange(pages)
	var columns []int
	for _, l := range pages[1].Lines {
		columns = append(columns, l.Column)
	}
	if want := []int{0, 0, 1, 1, 2, 2}; !slices.Equal(columns, want) {
		t.Errorf("columns %v, want %v: %q", columns, want, texts(pages[1].Lines))
	}
}
