package layout

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// body places lines of words that no other page has, below y.
func (p *Page) body(y float64, lines int) {
	r := rand.New(rand.NewPCG(71, uint64(p.Number)))
	for i := range lines {
		var line strings.Builder
		for range 40 {
			line.WriteByte("abcdefghijklmnopqrstuvwxyz   "[r.IntN(29)])
		}
		p.put(50, y+14*float64(i), "Ligne "+line.String()+" finie")
	}
}

// headed returns pages with the lines that page(n) places on each of them.
func headed(pages int, source Source, page func(p *Page, n int)) []Page {
	var list []Page
	for n := 1; n <= pages; n++ {
		p := Page{Number: n, Width: 595, Height: 842, Source: source}
		page(&p, n)
		p.body(150, 20)
		list = append(list, p)
	}
	Arrange(list)
	return list
}

// A line at the edge of several pages, at the same height, is a running head, whatever page numbers it
// contains. Lines of the text are not.
func TestRunningHeads(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		source Source
		pages  int
		set    func(p *Page, n int)
		aside  bool
	}{
		"the same words":                    {Layer, 10, func(p *Page, _ int) { p.put(50, 60, "Recueil des lois du sel") }, true},
		"with a number that counts":         {Layer, 10, func(p *Page, n int) { p.put(50, 60, fmt.Sprintf("Recueil des lois %d", 200+n)) }, true},
		"with a number that does not count": {Layer, 10, func(p *Page, n int) { p.put(50, 60, fmt.Sprintf("Recueil des lois %d", n*n*7)) }, false},
		"words in another order":            {Layer, 10, func(p *Page, n int) { p.put(50, 60, []string{"Recueil des lois", "lois des Recueil"}[n%2]) }, true},
		"on every second page":              {Layer, 12, func(p *Page, n int) { p.put(50, 60, []string{"Lois du sel gris", "Lois du poivre noir"}[n%2]) }, true},
		"at another height each time":       {Layer, 10, func(p *Page, n int) { p.put(50, 30+9*float64(n), "Recueil des lois du sel") }, false},
		"a scan that lies askew":            {OCR, 10, func(p *Page, n int) { p.put(50, 60+15*float64(n%2), "Recueil des lois du sel") }, true},
		"print that moves as much":          {Layer, 4, func(p *Page, n int) { p.put(50, 60+15*float64(n%2*n), "Recueil des lois du sel") }, false},
		"words that recognition misread":    {OCR, 10, func(p *Page, n int) { p.put(50, 60, "Recueil des lois du sel gris et fin de l"+string(rune('a'+n))) }, true},
		"words that print has otherwise":    {Layer, 4, func(p *Page, n int) { p.put(50, 60, "Recueil des lois du sel gris et fin de l"+string(rune('a'+n))) }, false},
		"an article on each page":           {Layer, 10, func(p *Page, n int) { p.put(50, 60, fmt.Sprintf("Article %d", n)) }, false},
		"a foot with its number":            {Layer, 10, func(p *Page, n int) { p.put(50, 800, fmt.Sprintf("Recueil des lois %d", n)) }, true},
		"in the middle of the page":         {Layer, 10, func(p *Page, _ int) { p.put(50, 520, "Recueil des lois du sel") }, false},
		"once among many pages":             {Layer, 10, func(p *Page, n int) { p.put(50, 60, strings.Repeat("mot ", n)+"qui est là") }, false},
		"on two pages of ten": {Layer, 10, func(p *Page, n int) {
			p.put(50, 60, []string{"Recueil des lois", "ligne " + strings.Repeat("x", n)}[min(n/3, 1)])
		}, false},
		"on two pages of three": {Layer, 3, func(p *Page, n int) { p.put(50, 60, []string{"Recueil des lois", "autre ligne"}[n/3]) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pages := headed(c.pages, c.source, c.set)
			p := pages[0]
			if got := len(p.Aside) == 1; got != c.aside || len(p.Aside)+len(p.Lines) != 21 {
				t.Errorf("aside %q, %d lines", texts(p.Aside), len(p.Lines))
			}
		})
	}
}

// A page number in any printed form is set aside at the very edge of the sheet, also on the only page that
// has one. A number in the text stays.
func TestPageNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"12": true, "- 12 -": true, "page 12": true, "Page 12 sur 40": true, "12/40": true, "p. 7": true, "xiv": true, "— 3 —": true,
		"12 bis": false, "2023-12": false, "12 %": false, "Article 12": false, "mot": false, "page": false} {
		for height, edge := range map[float64]bool{40: true, 820: true, 120: false} {
			t.Run(fmt.Sprint(text, " at ", height), func(t *testing.T) {
				t.Parallel()
				p := Page{Number: 1, Width: 595, Height: 842, Source: Layer}
				p.put(280, height, text)
				p.body(150, 20)
				pages := []Page{p}
				Arrange(pages)
				if got := len(pages[0].Aside) > 0; got != (want && edge) {
					t.Errorf("aside %q", texts(pages[0].Aside))
				}
			})
		}
	}
}

// A second running head must be right below the first. A line between lines of text is text.
func TestRunningHeadsAreAdjacent(t *testing.T) {
	t.Parallel()
	pages := headed(6, Layer, func(p *Page, n int) {
		p.put(50, 40, "Recueil des lois du sel")
		p.put(50, 60, fmt.Sprintf("seul ici %s", strings.Repeat("y", n)))
		p.put(50, 80, "Deuxième titre courant")
	})
	for _, p := range pages {
		if got := texts(p.Aside); !slices.Equal(got, []string{"Recueil des lois du sel"}) {
			t.Errorf("page %d: aside %q", p.Number, got)
		}
	}
}

// The Sørensen–Dice coefficient of pairs of letters ignores other characters.
func TestAlike(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]float64{
		{"nuit", "nuit"}: 1, {"night", "nacht"}: 0.25, {"n-u-i-t", "nuit 7"}: 1, {"ab", "cd"}: 0, {"", "nuit"}: 0, {"a", "a"}: 0, {"aaa", "aa"}: 2.0 / 3,
	} {
		t.Run(fmt.Sprint(pair), func(t *testing.T) {
			t.Parallel()
			if got, back := pairSimilarity(pair[0], pair[1]), pairSimilarity(pair[1], pair[0]); got != want || back != want {
				t.Errorf("%v and %v, want %v", got, back, want)
			}
		})
	}
}
