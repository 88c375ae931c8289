package layout

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law"
)

// at returns a chunk of one word.
func at(text string, r law.Rect) chunk {
	c := cell{&Word{Text: text, Rect: r, Size: r[3] - r[1]}, r}
	return chunk{cells: []cell{c}, r: r}
}

// rowTexts returns the words of rows, row by row.
func rowTexts(rows []row) (list []string) {
	for _, r := range rows {
		var words []string
		for _, c := range r.cells {
			words = append(words, c.word.Text)
		}
		list = append(list, strings.Join(words, " "))
	}
	return list
}

func TestRows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		chunks []chunk
		want   []string
	}{
		"from left to right, from top to bottom": {[]chunk{at("d", law.Rect{60, 20, 100, 30}), at("b", law.Rect{60, 0, 90, 10}), at("c", law.Rect{0, 20, 50, 30}), at("a", law.Rect{0, 0, 50, 10})}, []string{"a b", "c d"}},
		"a raised piece is of its row":           {[]chunk{at("1", law.Rect{0, 20, 5, 30}), at("er", law.Rect{6, 16, 12, 25}), at("mars", law.Rect{15, 20, 60, 30}), at("ligne", law.Rect{0, 0, 60, 10})}, []string{"ligne", "1 er mars"}},
		"a piece between two goes to the nearer": {[]chunk{at("haut", law.Rect{0, 0, 90, 20}), at("bas", law.Rect{0, 12, 80, 32}), at("x", law.Rect{95, 12.5, 99, 16})}, []string{"haut x", "bas"}},
		"and to the lower one, if that is it":    {[]chunk{at("haut", law.Rect{0, 0, 90, 20}), at("bas", law.Rect{0, 12, 80, 32}), at("x", law.Rect{95, 13, 99, 25})}, []string{"haut", "bas x"}},
		"what stands below words is none of it":  {[]chunk{at("haute", law.Rect{0, 0, 60, 20}), at("basse", law.Rect{0, 9, 50, 29})}, []string{"haute", "basse"}},
		"words that were printed twice are":      {[]chunk{at("loi", law.Rect{0, 0, 30, 10}), at("loi", law.Rect{0.3, 0.3, 30.3, 10.3})}, []string{"loi loi"}},
		"nothing":                                {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := rowTexts(rowsOf(c.chunks)); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// Rows do not depend on the order of the words in a file.
func TestRowsInAnyOrder(t *testing.T) {
	t.Parallel()
	p := sheetOf(1, "une ligne de texte ordinaire", "1 er mars, et la suite", "la dernière ligne")
	p.Words[4].Rect[1] -= 3
	want := []Page{p}
	Arrange(want)
	for n := range 20 {
		q := p
		q.Words = slices.Clone(p.Words)
		slices.SortFunc(q.Words, func(a, b Word) int {
			return int(math.Mod(a.Rect[0]*float64(n+3)+a.Rect[1], 97)) - int(math.Mod(b.Rect[0]*float64(n+3)+b.Rect[1], 97))
		})
		pages := []Page{q}
		Arrange(pages)
		if got := texts(pages[0].Lines); !slices.Equal(got, texts(want[0].Lines)) {
			t.Fatalf("%q, want %q", got, texts(want[0].Lines))
		}
	}
}

func TestLevel(t *testing.T) {
	t.Parallel()
	flat := law.Rect{0, 5, 10, 5}
	for name, c := range map[string]struct {
		a, b law.Rect
		want float64
	}{
		"the same height":                 {law.Rect{0, 0, 10, 10}, law.Rect{90, 0, 99, 10}, 1},
		"half of the lower one":           {law.Rect{0, 0, 10, 10}, law.Rect{0, 8, 10, 12}, 0.5},
		"the lower one within":            {law.Rect{0, 0, 10, 30}, law.Rect{0, 8, 10, 12}, 1},
		"apart":                           {law.Rect{0, 0, 10, 10}, law.Rect{0, 11, 10, 21}, 0},
		"without height, within":          {law.Rect{0, 0, 10, 10}, flat, 1},
		"without height, and apart":       {law.Rect{0, 6, 10, 10}, flat, 0},
		"two without height at one place": {flat, flat, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, back := level(c.a, c.b), level(c.b, c.a); got != c.want || back != c.want {
				t.Errorf("%v and %v, want %v", got, back, c.want)
			}
		})
	}
}

// Words are in one chunk if they are as close as words of a line. A gutter is wider than any space, however
// far apart the words of a scan are.
func TestChunksEndAtWideSpaces(t *testing.T) {
	t.Parallel()
	for space, want := range map[float64]int{3: 2, 5: 2, 7: 2} {
		t.Run(fmt.Sprint(space), func(t *testing.T) {
			t.Parallel()
			var cells []cell
			for line := range 10 {
				x, y := 0.0, 14*float64(line)
				for n := range 10 {
					if n == 5 {
						x += 20
					}
					r := law.Rect{x, y, x + 30, y + 10}
					cells = append(cells, cell{&Word{Text: "mot", Rect: r}, r})
					x += 30 + space
				}
			}
			if got := len(chunksOf(cells)); got != 10*want {
				t.Errorf("%d chunks of 10 lines", got)
			}
		})
	}
}

// Cells are sorted as by a stable sort: those at one place keep their order, whatever the number of cells.
func TestFromTheLeft(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		draw := rand.New(rand.NewPCG(seed, 1))
		words := make([]Word, draw.IntN(300))
		cells := make([]cell, len(words))
		for i := range cells {
			x, y := float64(draw.IntN(12)), float64(draw.IntN(12))
			cells[i] = cell{&words[i], law.Rect{x, y, x + 1, y + 1}}
		}
		want, before := slices.Clone(cells), slices.Clone(cells)
		slices.SortStableFunc(want, func(a, b cell) int {
			return cmp.Or(cmp.Compare(a.r[0], b.r[0]), cmp.Compare(a.r[1], b.r[1]))
		})
		if got := fromTheLeft(cells); !slices.Equal(got, want) || !slices.Equal(cells, before) {
			t.Errorf("seed %d: %d cells are in another order, or were moved", seed, len(cells))
		}
	}
}
