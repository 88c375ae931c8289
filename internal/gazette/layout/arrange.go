package layout

import (
	"slices"

	"vigueur/internal/kit/parallel"
	"vigueur/internal/law"
)

// Arrange sets Lines and Aside of all pages of a file: it groups words into lines, puts lines into reading
// order, column by column, and sets running heads, footers and page numbers aside. It needs all pages at
// once, because only a comparison of pages shows what repeats.
func Arrange(pages []Page) {
	sheets := make([]*sheet, len(pages))
	parallel.Each(len(pages), func(i int) { sheets[i] = newSheet(&pages[i]) })
	heads := findHeads(sheets)
	parallel.Each(len(pages), func(i int) { sheets[i].separateHeads(heads[i]) })
	parallel.Each(len(pages), func(i int) { sheets[i].layOut(nearbyColumns(sheets, i)) })
	measure(sheets)
	for i := range pages {
		pages[i].Lines, pages[i].Aside = sheets[i].lines(), sheets[i].asides()
	}
	markHard(pages)
}

// cell is a word, with its place on the page turned so that most text is upright. Arranging uses these
// places.
type cell struct {
	word *Word
	r    law.Rect
}

// sheet is a page being arranged.
type sheet struct {
	page          *Page
	turn          Turn
	width, height float64 // of the upright sheet
	chunks        []chunk // upright text
	turned        []chunk // text of other turns: margins, watermarks
	heads         []chunk // running heads, footers, page numbers
	body          []chunk // upright text that is not in heads
	columns       gutters // the gutters of the body
	parted        bool    // whether the body has columns
	laid          []laid
}

// laid is a line in reading order.
type laid struct {
	cells  []cell
	r      law.Rect
	column int
	line   Line
}

// maxWords is more words than any printed page has. A page with more words was made to slow this package down, so
// its words stay in the order in which they were read.
const maxWords = 8000

// newSheet turns the page upright and groups its words into chunks.
func newSheet(p *Page) *sheet {
	s := &sheet{page: p, turn: mainTurn(p.Words), width: p.Width, height: p.Height}
	if len(p.Words) > maxWords {
		s.laid = asRead(p.Words)
		return s
	}
	if s.turn == Down || s.turn == Up {
		s.width, s.height = p.Height, p.Width
	}
	byTurn := [Askew + 1][]cell{}
	for i := range p.Words {
		w := &p.Words[i]
		t := min(w.Turn, Askew)
		r := tidy(Unturn(w.Rect, t, p.Width, p.Height))
		if p.Skew != 0 {
			r = Lean(r, -p.Skew, s.width, s.height)
		}
		byTurn[t] = append(byTurn[t], cell{w, r})
	}
	for t, cells := range byTurn {
		if Turn(t) == s.turn {
			s.chunks = chunksOf(cells)
		} else {
			s.turned = append(s.turned, chunksOf(cells)...)
		}
	}
	return s
}

// asRead makes a line of each run of words at the same height.
func asRead(words []Word) []laid {
	var out []laid
	for i := range words {
		c := cell{&words[i], tidy(words[i].Rect)}
		if n := len(out) - 1; n >= 0 && level(out[n].cells[0].r, c.r) >= 0.5 && len(out[n].cells) < 100 {
			out[n].cells, out[n].r = append(out[n].cells, c), union(out[n].r, c.r)
			continue
		}
		out = append(out, laid{cells: []cell{c}, r: c.r})
	}
	return out
}

// tidy orders the edges of a rectangle: left before right, top above bottom.
func tidy(r law.Rect) law.Rect {
	return law.Rect{min(r[0], r[2]), min(r[1], r[3]), max(r[0], r[2]), max(r[1], r[3])}
}

// mainTurn returns the turn of most of the text. Text that is askew does not count.
func mainTurn(words []Word) Turn {
	var weight [Askew]int
	for i := range words {
		if words[i].Turn < Askew {
			weight[words[i].Turn] += len(words[i].Text)
		}
	}
	best := Upright
	for t, n := range weight {
		if n > weight[best] {
			best = Turn(t)
		}
	}
	return best
}

// separateHeads divides the chunks into heads and body, and looks for the columns of the body. heads contains the
// indexes of the chunks that are heads.
func (s *sheet) separateHeads(heads map[int]bool) {
	s.body = make([]chunk, 0, len(s.chunks))
	for i, c := range s.chunks {
		if heads[i] {
			s.heads = append(s.heads, c)
		} else {
			s.body = append(s.body, c)
		}
	}
	s.columns, s.parted = gutter(s.body)
}

// layOut puts the body of the sheet into reading order. If the body shows no columns, a part of the body may have
// the columns of a nearby page.
func (s *sheet) layOut(near []gutters) {
	body := s.body
	give := func(cells []cell, column int) {
		s.laid = append(s.laid, laid{cells: cells, r: bounds(cells), column: column})
	}
	shared := sharedColumns(near)
	if s.parted {
		if n := flowAt(s.columns, body, 0, 0, give); n <= len(shared) && clearOf(shared, body) {
			s.laid = s.laid[:0]
			flowAmong(shared, body, give)
		}
		return
	}
	if len(shared) > 1 && clearOf(shared, body) {
		flowAmong(shared, body, give)
		return
	}
	if s.page.Number == 1 {
		left, right, rest := letterhead(body)
		flow(left, 0, maxDepth, give)
		flow(right, 1, maxDepth, give)
		if len(rest) < len(body) {
			flow(rest, 0, 0, give)
			return
		}
	}
	for _, g := range near {
		if flowBands(g, body, give) {
			return
		}
	}
	flow(body, 0, maxDepth, give)
}

// lines returns the lines of the sheet as lines of the page.
func (s *sheet) lines() []Line {
	out := make([]Line, len(s.laid))
	for i, l := range s.laid {
		l.line.Page, l.line.Column = s.page.Number, l.column
		l.line.Words, l.line.Rect = wordsOf(l.cells)
		l.line.Words = closeUp(l.line.Words)
		out[i] = l.line
	}
	return out
}

// asides returns the lines that were set aside: first the heads, from top to bottom, then text of other turns.
func (s *sheet) asides() []Line {
	var out []Line
	for _, part := range [][]chunk{s.heads, s.turned} {
		for _, row := range rowsOf(part) {
			l := Line{Page: s.page.Number, Column: -1}
			l.Size, l.Bold = setting(row.cells)
			l.Words, l.Rect = wordsOf(row.cells)
			out = append(out, l)
		}
	}
	return out
}

// wordsOf returns the words of cells, and the rectangle around them on the page as displayed.
func wordsOf(cells []cell) ([]Word, law.Rect) {
	words := make([]Word, len(cells))
	r := tidy(cells[0].word.Rect)
	for i, c := range cells {
		words[i] = *c.word
		r = union(r, tidy(c.word.Rect))
	}
	return words, r
}

func union(a, b law.Rect) law.Rect {
	return law.Rect{min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])}
}

func bounds(cells []cell) law.Rect {
	r := cells[0].r
	for _, c := range cells[1:] {
		r = union(r, c.r)
	}
	return r
}

// setting returns the most frequent font size of cells, and whether most of them are bold, both weighted by
// letters.
func setting(cells []cell) (size float64, bold bool) {
	weight := map[float64]int{}
	all, heavy := 0, 0
	for _, c := range cells {
		n := len(c.word.Text)
		weight[c.word.Size] += n
		all += n
		if c.word.Bold {
			heavy += n
		}
	}
	sizes := make([]float64, 0, len(weight))
	for z := range weight {
		sizes = append(sizes, z)
	}
	slices.Sort(sizes) // so that the smaller of two equally frequent sizes wins, whatever the order of the map
	for _, z := range sizes {
		if weight[z] > weight[size] || size == 0 {
			size = z
		}
	}
	return size, 2*heavy > all
}
