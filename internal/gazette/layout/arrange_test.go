package layout

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law"
)

// Words of the made pages are five points wide for each letter, and ten points high.
const letter, high = 5.0, 10.0

// put places the words of s from x on the base line y.
func (p *Page) put(x, y float64, s string) {
	for _, w := range strings.Fields(s) {
		end := x + letter*float64(len([]rune(w)))
		p.Words = append(p.Words, Word{Text: w, Rect: law.Rect{x, y - high, end, y}, Size: high})
		x = end + letter
	}
}

// center places s in the middle of the column from left to right.
func (p *Page) center(left, right, y float64, s string) {
	p.put((left+right-letter*float64(len([]rune(s))))/2, y, s)
}

// sheetOf returns a page of one column with the given lines.
func sheetOf(n int, lines ...string) Page {
	p := Page{Number: n, Width: 595, Height: 842, Source: Layer}
	for i, l := range lines {
		p.put(50, 100+14*float64(i), l)
	}
	return p
}

// column places lines of about the same number of letters, with numbered words.
func (p *Page) column(x, y float64, name string, lines int) {
	for i := range lines {
		p.put(x, y+12*float64(i), fmt.Sprintf("%s%02d ligne entière de la colonne justifiée", name, i))
	}
}

func texts(lines []Line) []string {
	var out []string
	for i := range lines {
		out = append(out, lines[i].Text())
	}
	return out
}

func TestArrangeReadsColumnByColumn(t *testing.T) {
	t.Parallel()
	p := Page{Number: 1, Width: 595, Height: 842}
	p.center(50, 515, 150, "TITRE SUR TOUTE LA LARGEUR DE LA PAGE DU JOURNAL")
	// The right column is half a line lower, as in print.
	p.column(310, 206, "d", 5)
	p.column(50, 200, "g", 6)
	p.center(50, 515, 300, "AUTRE TITRE SUR TOUTE LA LARGEUR DE LA PAGE DU JOURNAL")
	p.column(310, 340, "s", 4)
	p.column(50, 340, "t", 4)
	pages := []Page{p}
	Arrange(pages)
	var got []string
	for _, l := range pages[0].Lines {
		got = append(got, fmt.Sprintf("%d %s", l.Column, l.Words[0].Text))
	}
	want := []string{"-1 TITRE", "0 g00", "0 g01", "0 g02", "0 g03", "0 g04", "0 g05", "1 d00", "1 d01", "1 d02", "1 d03", "1 d04",
		"-1 AUTRE", "0 t00", "0 t01", "0 t02", "0 t03", "1 s00", "1 s01", "1 s02", "1 s03"}
	if !slices.Equal(got, want) {
		t.Errorf("order\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if l := pages[0].Lines[0]; !l.Centered || l.Page != 1 {
		t.Errorf("title: %+v", l)
	}
}

func TestArrangeKeepsTableRowsTogether(t *testing.T) {
	t.Parallel()
	p := Page{Number: 1, Width: 595, Height: 842}
	for i := range 6 {
		y := 150 + 16*float64(i)
		p.put(50, y, fmt.Sprintf("0%d", i))
		p.put(90, y, "Désignation de la marchandise")
		p.put(330, y, "tonne")
		p.put(420, y, "5 %")
		p.put(500, y, "exempt")
	}
	p.column(50, 300, "g", 8)
	p.column(310, 300, "d", 8)
	pages := []Page{p}
	Arrange(pages)
	got := texts(pages[0].Lines)
	for i := range 6 {
		want := fmt.Sprintf("0%d Désignation de la marchandise tonne 5 %% exempt", i)
		if got[i] != want {
			t.Errorf("row %d is %q", i, got[i])
		}
	}
	if !strings.HasPrefix(got[6], "g00") || !strings.HasPrefix(got[14], "d00") {
		t.Errorf("columns after the table: %q", got[6:])
	}
}

func TestArrangeKeepsOneColumn(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 20 {
		lines = append(lines, fmt.Sprintf("%02d une ligne de texte ordinaire qui va d’un bord à l’autre de la page", i))
		if i%5 == 4 {
			lines = append(lines, fmt.Sprintf("%02d fin", i))
		}
	}
	pages := []Page{sheetOf(1, lines...)}
	Arrange(pages)
	if got := texts(pages[0].Lines); !slices.Equal(got, lines) {
		t.Errorf("got %q", got)
	}
	for _, l := range pages[0].Lines {
		if l.Column != 0 || l.Centered || l.Indent != 0 {
			t.Errorf("%q: column %d, centered %v, indent %v", l.Text(), l.Column, l.Centered, l.Indent)
		}
		if short := strings.HasSuffix(l.Text(), "fin"); short != (l.Slack > 100) {
			t.Errorf("%q: slack %v", l.Text(), l.Slack)
		}
	}
}

// Numbers of articles in the margin, each beside the first line of its text, are read with this line.
func TestArrangeReadsNumbersInTheMarginWithTheirText(t *testing.T) {
	t.Parallel()
	p := Page{Number: 1, Width: 595, Height: 842, Source: OCR}
	var want []string
	for n := 6; n <= 11; n++ {
		y := 100 + 70*float64(n-6)
		label, text := fmt.Sprintf("Article %d :", n), fmt.Sprintf("%02d le texte de cet article commence à côté de son numéro", n)
		p.put(50, y, label)
		p.put(50+16*letter, y, text)
		want = append(want, label+" "+text)
		for i := range 3 {
			line := fmt.Sprintf("%02d.%d et il va d’un bord à l’autre de sa colonne dessous", n, i)
			p.put(50+16*letter, y+14*float64(i+1), line)
			want = append(want, line)
		}
	}
	pages := []Page{p}
	Arrange(pages)
	if got := texts(pages[0].Lines); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestArrangeMeasuresLines(t *testing.T) {
	t.Parallel()
	p := sheetOf(1, "une ligne de texte ordinaire qui va d’un bord à l’autre")
	p.center(50, 325, 140, "Chapitre premier")
	p.put(62, 160, "une ligne dont le début est en retrait, pour l’alinéa")
	for i := range p.Words {
		if w := p.Words[i].Text; w == "Chapitre" || w == "premier" {
			p.Words[i].Bold, p.Words[i].Size = true, 12
		}
	}
	pages := []Page{p}
	Arrange(pages)
	l := pages[0].Lines
	if len(l) != 3 {
		t.Fatalf("%d lines", len(l))
	}
	if !l[1].Centered || !l[1].Bold || l[1].Size != 12 || l[1].Gap != 30 {
		t.Errorf("heading: %+v", l[1])
	}
	if l[2].Centered || l[2].Bold || l[2].Size != 10 || l[2].Indent != 12 || l[2].Gap != 10 {
		t.Errorf("indented line: %+v", l[2])
	}
}

func TestArrangeSetsHeadsAside(t *testing.T) {
	t.Parallel()
	var pages []Page
	for n := 1; n <= 10; n++ {
		p := sheetOf(n, "Article "+fmt.Sprint(n)+" premier mot de la page",
			"une ligne de texte", fmt.Sprintf("la ligne propre à cette page : %s", strings.Repeat("x", n)))
		head := fmt.Sprintf("JOURNAL OFFICIEL DE LA RÉPUBLIQUE 12 mars 2023 %d", 140+n)
		if n%2 == 0 {
			head = fmt.Sprintf("%d 12 mars 2023 JOURNAL OFFICIEL DE LA RÉPUBLIQUE", 140+n)
		}
		p.put(50, 40, head)
		p.center(50, 545, 820, fmt.Sprintf("- %d -", n))
		pages = append(pages, p)
	}
	Arrange(pages)
	for _, p := range pages {
		if len(p.Aside) != 2 || len(p.Lines) != 3 {
			t.Errorf("page %d: aside %q, lines %q", p.Number, texts(p.Aside), texts(p.Lines))
		}
	}
}

// TestArrangeSetsTheNumberOfAShortScanAside checks that a page number may be far from the edge if the page
// was scanned, the number is set apart, and no text follows.
func TestArrangeSetsTheNumberOfAShortScanAside(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		source Source
		number string
		gap    float64
		aside  bool
	}{
		{OCR, "212", 28, true},
		{OCR, "- 212 -", 28, true},
		{OCR, "212", 12, false},
		{OCR, "Titre II", 28, false},
		{Layer, "212", 28, false},
	} {
		t.Run(c.number, func(t *testing.T) {
			p := Page{Number: 1, Width: 595, Height: 842, Source: c.source}
			for i := range 40 {
				p.put(50, 60+14*float64(i), "Une ligne ordinaire du texte de la loi qui suit son cours")
			}
			p.put(50, 60+14*39+c.gap, c.number)
			pages := []Page{p}
			Arrange(pages)
			if got := len(pages[0].Aside) == 1; got != c.aside {
				t.Errorf("%q %v points under the text (%s): aside %v", c.number, c.gap, c.source, got)
			}
		})
	}
}

// TestArrangeSetsFoliosAside checks that the name of a gazette beside a page number is a running head even if
// no other page repeats it.
func TestArrangeSetsFoliosAside(t *testing.T) {
	t.Parallel()
	for line, aside := range map[string]bool{
		"28 JOURNAL OFFICIEL DE LA RÉPUBLIQUE 1er janvier 1991":      true,
		"1er janvier 1991 Journal Officiel de la République 29":      true,
		"Journal officiel de la République n° 26 du 26 juin 2025":    false,
		"JOURNAL OFFICIEL DE LA RÉPUBLIQUE":                          false,
		"Le Président de la République signe la loi n° 12":           false,
		"Article 12 de la loi relative au Journal officiel et autre": false,
		"2 exemplaires en sont déposés au greffe":                    false,
	} {
		t.Run(line, func(t *testing.T) {
			p := Page{Number: 1, Width: 595, Height: 842, Source: Layer}
			p.put(50, 60, line)
			for i := range 20 {
				p.put(50, 120+14*float64(i), "Une ligne ordinaire du texte de la loi qui suit son cours")
			}
			pages := []Page{p}
			Arrange(pages)
			if got := len(pages[0].Aside) == 1; got != aside {
				t.Errorf("%q: aside %v", line, got)
			}
		})
	}
}

// TestArrangeSummary checks a summary under a table with other columns. Its lines do not face each other, and
// its page numbers are beside their column.
func TestArrangeSummary(t *testing.T) {
	t.Parallel()
	p := Page{Number: 1, Width: 595, Height: 842, Source: OCR}
	p.center(40, 550, 60, "JOURNAL OFFICIEL DE LA RÉPUBLIQUE PARAISSANT CHAQUE SEMAINE À LA CAPITALE")
	for i := range 4 {
		p.put(40, 100+14*float64(i), "Abonnement d’un an")
		p.put(240, 100+14*float64(i), "12.000")
		p.put(340, 100+14*float64(i), "6.000")
		p.put(440, 100+14*float64(i), "500 F CFA")
	}
	p.center(40, 550, 200, "S O M M A I R E DE CE NUMÉRO DU JOURNAL OFFICIEL QUI PARAÎT AUJOURD’HUI")
	for i := range 8 {
		y := 240 + 60*float64(i)
		p.center(40, 270, y, "DÉCRETS")
		p.put(40, y+14, fmt.Sprintf("g%d Décret portant nomination de membres", i))
		p.put(75, y+28, "du Comité de pilotage")
		p.put(272, y+28, "32")
		p.put(310, y+21, fmt.Sprintf("d%d Arrêté relatif à la dénomination du lycée", i))
		p.put(345, y+35, "de la commune")
		p.put(540, y+35, "35")
	}
	pages := []Page{p}
	Arrange(pages)
	var order []string
	for i := range pages[0].Lines {
		l := &pages[0].Lines[i]
		if w := l.Words[0].Text; len(w) == 2 && w[1] <= '9' {
			order = append(order, w)
		}
		if text := l.Text(); strings.Contains(text, "Comité") && text != "du Comité de pilotage 32" || strings.Contains(text, "commune") && text != "de la commune 35" {
			t.Errorf("line %q", text)
		}
	}
	want := []string{"g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"}
	if !slices.Equal(order, want) {
		t.Errorf("order %v", order)
	}
}

func TestArrangeKeepsTextThatLooksLikeHeads(t *testing.T) {
	t.Parallel()
	var pages []Page
	for n := 1; n <= 10; n++ {
		// One article per page, whose number increases like the page number.
		pages = append(pages, sheetOf(n, fmt.Sprintf("Article %d", n), strings.Repeat("y", n)+" texte de l’article"))
	}
	Arrange(pages)
	for _, p := range pages {
		if len(p.Aside) != 0 {
			t.Errorf("page %d: aside %q", p.Number, texts(p.Aside))
		}
	}
}

func TestArrangeTurnedPage(t *testing.T) {
	t.Parallel()
	for _, turn := range []Rotation{Down, Over, Up} {
		up := sheetOf(1, "la première ligne de la page", "la deuxième ligne de la page", "la troisième et dernière ligne")
		p := Page{Number: 1, Width: up.Width, Height: up.Height}
		if turn != Over {
			p.Width, p.Height = up.Height, up.Width
		}
		for _, w := range up.Words {
			w.Rect, w.Turn = Rotate(w.Rect, turn, p.Width, p.Height), turn
			p.Words = append(p.Words, w)
		}
		p.Words = append(p.Words, Word{Text: "filigrane", Turn: Askew, Rect: law.Rect{200, 200, 300, 300}})
		pages := []Page{p}
		Arrange(pages)
		want := []string{"la première ligne de la page", "la deuxième ligne de la page", "la troisième et dernière ligne"}
		if got := texts(pages[0].Lines); !slices.Equal(got, want) {
			t.Errorf("turn %d: %q", turn, got)
		}
		if got := texts(pages[0].Aside); !slices.Equal(got, []string{"filigrane"}) {
			t.Errorf("turn %d: aside %q", turn, got)
		}
		if r := pages[0].Lines[0].Rect; r[2] > p.Width || r[3] > p.Height || r[0] < 0 || r[1] < 0 {
			t.Errorf("turn %d: line at %v of %v by %v", turn, r, p.Width, p.Height)
		}
	}
}

func TestArrangeSkewedScan(t *testing.T) {
	t.Parallel()
	straight := Page{Number: 1, Width: 595, Height: 842}
	straight.column(50, 200, "g", 12)
	straight.column(310, 200, "d", 12)
	p := straight
	p.Words, p.Skew = nil, 2
	for _, w := range straight.Words {
		w.Rect = Lean(w.Rect, 2, p.Width, p.Height)
		p.Words = append(p.Words, w)
	}
	pages, want := []Page{p}, []Page{straight}
	Arrange(pages)
	Arrange(want)
	if got := texts(pages[0].Lines); !slices.Equal(got, texts(want[0].Lines)) || len(got) != 24 {
		t.Errorf("got %q", got)
	}
}

func TestArrangeIsFastOnHostilePages(t *testing.T) {
	t.Parallel()
	p := Page{Number: 1, Width: 595, Height: 842}
	for range 100_000 {
		p.Words = append(p.Words, Word{Text: "x", Rect: law.Rect{100, 100, 105, 110}})
	}
	pages := []Page{p}
	Arrange(pages)
	n := 0
	for _, l := range pages[0].Lines {
		n += len(l.Words)
	}
	if n != len(p.Words) {
		t.Errorf("%d of %d words kept", n, len(p.Words))
	}
}

func TestTurnedUndoesUnturn(t *testing.T) {
	t.Parallel()
	r := law.Rect{10, 20, 110, 32}
	for turn := Upright; turn <= Up; turn++ {
		if got := Rotate(Unturn(r, turn, 595, 842), turn, 595, 842); got != r {
			t.Errorf("turn %d: %v", turn, got)
		}
	}
}

// FuzzArrange checks that each of random words on random pages is kept exactly once.
func FuzzArrange(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte(strings.Repeat("\x01\x10\x40\x20\x08 mot ici et là", 40)))
	seed := make([]byte, 0, 4096)
	for i := range 1024 {
		seed = binary.LittleEndian.AppendUint32(seed, uint32(i*2654435761))
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			return
		}
		pages := randomPages(data)
		Arrange(pages)
		for _, p := range pages {
			var kept []string
			for _, l := range slices.Concat(p.Lines, p.Aside) {
				for _, w := range l.Words {
					kept = append(kept, fmt.Sprint(w))
				}
			}
			var had []string
			for _, w := range p.Words {
				had = append(had, fmt.Sprint(w))
			}
			slices.Sort(kept)
			slices.Sort(had)
			if !slices.Equal(kept, had) {
				t.Fatalf("page %d: %d words became %d", p.Number, len(had), len(kept))
			}
		}
	})
}

// randomPages reads words of eight bytes each. Some have meaningless boxes.
func randomPages(data []byte) []Page {
	pages := []Page{{Number: 1, Width: 595, Height: 842}, {Number: 2, Width: 842, Height: 595, Source: OCR, Skew: 1.5}, {Number: 3}}
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1e300, 1e300, 0}
	for i := 0; i+8 <= len(data); i += 8 {
		b := data[i : i+8]
		x, y := float64(b[0])*2.4, float64(b[1])*3.4
		w := Word{Text: fmt.Sprintf("%c%d", 'a'+rune(b[4]%26), b[5]), Size: float64(b[6] % 16), Turn: Rotation(b[7] % 32 / 27),
			Rect: law.Rect{x, y, x + float64(b[2])/4, y + float64(b[3]%24)}}
		if b[7] == 255 {
			w.Rect[b[6]%4] = odd[int(b[5])%len(odd)]
		}
		p := &pages[i/8%7%3]
		p.Words = append(p.Words, w)
	}
	return pages
}
