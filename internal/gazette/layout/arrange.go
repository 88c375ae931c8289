package layout

import (
	"cmp"
	"math"
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
	near, shared := make([][]gutters, len(pages)), make([][]float64, len(pages))
	parallel.Each(len(pages), func(i int) { // before any page is laid out, which changes its columns
		near[i] = nearbyColumns(sheets, i, columnsReach)
		shared[i] = sharedColumns(nearbyColumns(sheets, i, sharedReach), sheets[i].body)
	})
	parallel.Each(len(pages), func(i int) {
		first := i == 0 || sheets[i-1].endsEarly()
		sheets[i].layOut(near[i], shared[i], first)
	})
	measure(sheets)
	for i := range pages {
		pages[i].Lines, pages[i].Aside = sheets[i].lines(), sheets[i].asides()
	}
	seen := vocabulary(pages)
	for i := range pages {
		for j := range pages[i].Lines {
			pages[i].Lines[j].Words = partWords(seen, pages[i].Lines[j].Words)
		}
	}
	markHard(seen, pages)
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
	turn          Rotation
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
	s := &sheet{page: p, turn: MainTurn(p.Words), width: p.Width, height: p.Height}
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
		if Rotation(t) == s.turn {
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

// MainTurn returns the turn of most of the text. Text that is askew does not count.
func MainTurn(words []Word) Rotation {
	var weight [Askew]int
	for i := range words {
		if words[i].Turn < Askew {
			weight[words[i].Turn] += len(words[i].Text)
		}
	}
	best := Upright
	for t, n := range weight {
		if n > weight[best] {
			best = Rotation(t)
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

// layOut puts the body of the sheet into reading order. If the body shows fewer columns than the nearby pages share, it
// has those. If it shows none, a part of it may have the columns of a nearby page. A page that is the first of an act may
// have a letterhead.
func (s *sheet) layOut(near []gutters, shared []float64, first bool) {
	body := s.body
	give := func(cells []cell, column int) {
		s.laid = append(s.laid, laid{cells: cells, r: bounds(cells), column: column})
	}
	if s.parted {
		s.columns.shared = len(shared)
		if n := flowAt(s.columns, body, 0, 0, give); n <= len(shared) {
			s.laid = s.laid[:0]
			flowAmong(shared, body, give)
		}
		return
	}
	if shared != nil {
		flowAmong(shared, body, give)
		return
	}
	if first {
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

// endsEarly reports whether the lower half of the sheet has no text, as on the last page of an act. Columns and tables fill
// theirs.
func (s *sheet) endsEarly() bool {
	return !slices.ContainsFunc(s.body, func(c chunk) bool { return c.r[3] > s.height/2 })
}

// lines returns the lines of the sheet as lines of the page.
func (s *sheet) lines() []Line {
	out := make([]Line, len(s.laid))
	for i, l := range s.laid {
		l.line.Page, l.line.Column = s.page.Number, l.column
		l.line.Words, l.line.Rect = wordsOf(l.cells)
		l.line.Words = signNumbers(closeUp(l.line.Words))
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

// chunk is a run of words on one base line, with no more space between them than between words of a line. A
// line of a column is one chunk or, if it is spaced out, several.
type chunk struct {
	cells []cell
	r     law.Rect
}

// Limits of closeWords, in heights of the words. closeMost is less than the width of any gutter between columns or cells.
const (
	closeLeast = 0.4
	closeMost  = 0.75
)

// closeWords estimates the widest space between two words of a chunk, in heights of the words. It is a little more than
// the usual space between neighbors, because most neighbors are in the same line. The space differs between pages:
// recognized words are further apart than the words of a text layer, whose boxes include the space around letters.
func closeWords(cells []cell) float64 {
	seen := shelves{} // filled from right to left
	var spaces []float64
	for i := len(cells) - 1; i >= 0; i-- {
		r := cells[i].r
		distance := math.Inf(1)
		for j := range seen.near(r) {
			if o := cells[j].r; o[0] >= r[2] && o[0] < distance && level(r, o) >= 0.5 {
				distance = o[0]
			}
		}
		if h := r[3] - r[1]; h > 0 && distance-r[2] < 2*h {
			spaces = append(spaces, (distance-r[2])/h)
		}
		seen.put(r, i)
	}
	if len(spaces) == 0 {
		return closeLeast
	}
	slices.Sort(spaces)
	return min(max(1.7*spaces[len(spaces)/2], closeLeast), closeMost)
}

// fromTheLeft returns cells by their left edges, then by their upper ones. It sorts places, which is faster than sorting cells.
func fromTheLeft(cells []cell) []cell {
	type place struct {
		x, y float64
		at   int
	}
	places := make([]place, len(cells))
	for i := range cells {
		places[i] = place{cells[i].r[0], cells[i].r[1], i}
	}
	slices.SortFunc(places, func(a, b place) int {
		if c := cmp.Compare(a.x, b.x); c != 0 {
			return c
		}
		if c := cmp.Compare(a.y, b.y); c != 0 {
			return c
		}
		return a.at - b.at
	})
	out := make([]cell, len(cells))
	for i, p := range places {
		out[i] = cells[p.at]
	}
	return out
}

// chunksOf groups cells into chunks, from left to right. Each cell continues the chunk that ends beside it,
// or begins a new chunk.
func chunksOf(cells []cell) []chunk {
	cells = fromTheLeft(cells)
	var chunks []chunk
	closest := closeWords(cells)
	ends := shelves{}
	for _, c := range cells {
		best, distance := -1, math.Inf(1)
		for i := range ends.near(c.r) {
			last := chunks[i].cells[len(chunks[i].cells)-1].r
			em, low := max(c.r[3]-c.r[1], last[3]-last[1]), min(c.r[3]-c.r[1], last[3]-last[1])
			gap := c.r[0] - last[2]
			if gap > closest*em || gap < -0.5*low || level(last, c.r) < 0.5 {
				continue
			}
			if d := math.Abs(last[1]+last[3]-c.r[1]-c.r[3]) + math.Abs(gap)/4; d < distance {
				best, distance = i, d
			}
		}
		if best < 0 {
			best = len(chunks)
			chunks = append(chunks, chunk{r: c.r})
		}
		chunks[best].cells = append(chunks[best].cells, c)
		chunks[best].r = union(chunks[best].r, c.r)
		ends.put(c.r, best)
	}
	return chunks
}

// level returns the vertical overlap of two rectangles as a share of the smaller of their heights, 0 to 1.
func level(a, b law.Rect) float64 {
	h := min(a[3]-a[1], b[3]-b[1])
	both := min(a[3], b[3]) - max(a[1], b[1])
	if h <= 0 {
		if both >= 0 {
			return 1
		}
		return 0
	}
	return max(0, both/h)
}

// shelves is an index of items, each given by a number, by their vertical position on the page.
type shelves map[int][]int

const shelf = 8.0 // height of a shelf, in points

func shelfOf(r law.Rect) int { return int(min(max((r[1]+r[3])/2/shelf, -1e6), 1e6)) }

func (s shelves) put(r law.Rect, i int) {
	pos := shelfOf(r)
	if n := len(s[pos]); n == 0 || s[pos][n-1] != i {
		s[pos] = append(s[pos], i)
	}
}

// near yields the items that were put near the vertical position of r, possibly more than once.
func (s shelves) near(r law.Rect) func(yield func(int) bool) {
	reach := int(min((r[3]-r[1])/shelf, 20)) + 1
	return func(yield func(int) bool) {
		pos := shelfOf(r)
		for y := pos - reach; y <= pos+reach; y++ {
			for _, i := range s[y] {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// row holds chunks on one base line.
type row struct {
	cells  []cell
	chunks []chunk
	r      law.Rect
}

// rowsOf groups the chunks of one column into rows, from top to bottom, each from left to right. A small
// raised chunk (« 1er ») belongs to the row that it overlaps most, and if it overlaps several rows equally, to the
// nearest of them. A chunk above or below words of a row never belongs to that row: in some scans the boxes are so
// high that they overlap the next line.
func rowsOf(chunks []chunk) []row {
	chunks = slices.Clone(chunks)
	slices.SortStableFunc(chunks, func(a, b chunk) int {
		return cmp.Or(cmp.Compare(b.r[2]-b.r[0], a.r[2]-a.r[0]), cmp.Compare(a.r[1], b.r[1]), cmp.Compare(a.r[0], b.r[0]))
	})
	var rows []row
	shelved := shelves{}
	for _, c := range chunks {
		best, most, distance := -1, 0.5, 0.0
		for i := range shelved.near(c.r) {
			l, d := level(rows[i].chunks[0].r, c.r), math.Abs(middle(rows[i].chunks[0].r)-middle(c.r))
			if l < most || l == most && best >= 0 && d >= distance || rows[i].below(c.r) {
				continue
			}
			best, most, distance = i, l, d
		}
		if best < 0 {
			best = len(rows)
			rows = append(rows, row{r: c.r})
			shelved.put(c.r, best)
		}
		rows[best].chunks = append(rows[best].chunks, c)
		rows[best].r = union(rows[best].r, c.r)
	}
	for i := range rows {
		rows[i].sortCells()
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Compare(a.chunks[0].r[1]+a.chunks[0].r[3], b.chunks[0].r[1]+b.chunks[0].r[3])
	})
	return rows
}

// below reports whether o is above or below a chunk of the row, and not beside it: the two overlap horizontally by
// more than half of the narrower width, and are further apart vertically than a word that was printed twice.
func (r *row) below(o law.Rect) bool {
	for _, c := range r.chunks {
		both := min(c.r[2], o[2]) - max(c.r[0], o[0])
		if 2*both > min(c.r[2]-c.r[0], o[2]-o[0]) && math.Abs(middle(c.r)-middle(o)) > 0.25*min(c.r[3]-c.r[1], o[3]-o[1]) {
			return true
		}
	}
	return false
}

// middle returns the vertical center of r.
func middle(r law.Rect) float64 { return (r[1] + r[3]) / 2 }

// sortCells orders the row's cells from left to right, and leaves the widest chunk first.
func (r *row) sortCells() {
	for _, c := range r.chunks {
		r.cells = append(r.cells, c.cells...)
	}
	slices.SortStableFunc(r.cells, func(a, b cell) int { return cmp.Compare(a.r[0], b.r[0]) })
}
