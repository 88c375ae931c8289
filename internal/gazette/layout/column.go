package layout

import (
	"math"
	"regexp"
	"strings"

	"vigueur/internal/law"
)

// maxDepth is how many times in succession a region can be split in two, which allows eight columns.
const maxDepth = 3

// flow calls give for each line of a region in reading order: bands from top to bottom and, within a band that has
// columns, the left column before the right one. A line that crosses the gutter, such as a title or a row of
// a wide table, ends a band. column is the number of the region's first column, and depth is how many times regions
// around it were split. flow returns the number of columns that it found.
func flow(chunks []chunk, column, depth int, give func(cells []cell, column int)) int {
	var g gutters
	ok := false
	if depth < maxDepth {
		g, ok = gutter(chunks)
	}
	if !ok {
		for _, r := range rowsOf(chunks) {
			give(r.cells, column)
		}
		return 1
	}
	return flowAt(g, chunks, column, depth, give)
}

// flowAt is flow for a region with gutter g. A band of the region may have its own gutter at another place, such as
// a summary under a table. A band that shows no gutter of its own has the gutter g.
func flowAt(g gutters, chunks []chunk, column, depth int, give func(cells []cell, column int)) int {
	most := 1
	chunks = g.cutChunks(chunks)
	for _, b := range bands(chunks, g) {
		if !b.columns {
			for _, r := range rowsOf(b.chunks) {
				give(r.cells, -1)
			}
			continue
		}
		if len(b.chunks) < len(chunks) {
			if own, ok := gutter(b.chunks); ok {
				most = max(most, flowAt(own, b.chunks, column, depth, give))
				continue
			}
		}
		left, right := sides(b.chunks, g.at)
		n := flow(left, column, depth+1, give)
		n += flow(right, column+n, depth+1, give)
		most = max(most, n)
	}
	return most
}

// band is a horizontal slice of a region. Without columns, its lines are read across.
type band struct {
	chunks  []chunk
	columns bool
}

// bands cuts a region with gutter g into bands, from top to bottom.
func bands(chunks []chunk, g gutters) []band {
	var across []chunk
	for _, c := range chunks {
		if crosses(c.r, g.at) {
			across = append(across, c)
		}
	}
	wide := rowsOf(across)
	// Chunks on the same base line as a crossing chunk belong to its row.
	slots := make([][]chunk, 2*len(wide)+1) // even: between wide rows, odd: the rows
	for _, c := range chunks {
		i := slotOf(wide, c)
		slots[i] = append(slots[i], c)
	}
	var out []band
	addBand := func(chunks []chunk, columns bool) {
		if n := len(out); n > 0 && !columns && !out[n-1].columns {
			out[n-1].chunks = append(out[n-1].chunks, chunks...)
		} else if len(chunks) > 0 {
			out = append(out, band{chunks, columns})
		}
	}
	for i, slot := range slots {
		if i%2 == 1 || looseSlot(slot, wide, i/2, g.at) {
			addBand(slot, false)
			continue
		}
		for _, b := range tables(slot, g) {
			addBand(b.chunks, b.columns)
		}
	}
	return out
}

// slotOf returns the slot of c among the wide rows: 2i+1 in row i, 2i above it.
func slotOf(wide []row, c chunk) int {
	mid := (c.r[1] + c.r[3]) / 2
	for i, w := range wide {
		if level(w.chunks[0].r, c.r) >= 0.5 {
			return 2*i + 1
		}
		if mid < (w.chunks[0].r[1]+w.chunks[0].r[3])/2 {
			return 2 * i
		}
	}
	return 2 * len(wide)
}

// looseSlot reports whether the chunks between the wide rows i-1 and i are not a pair of columns but either text
// on one side only, such as the short last line of a paragraph, or a wide line that is so spaced out that it seems
// split at the gutter.
func looseSlot(slot []chunk, wide []row, i int, g float64) bool {
	left, right := sides(slot, g)
	between := i > 0 && i < len(wide)
	if len(left) == 0 || len(right) == 0 {
		return between && len(rowsOf(slot)) <= 2
	}
	rows := rowsOf(slot)
	if len(rows) == 1 && between {
		h := rows[0].r[3] - rows[0].r[1]
		return rows[0].r[1]-wide[i-1].r[3] < h && wide[i].r[1]-rows[0].r[3] < h
	}
	return false
}

// tables divides the chunks between two wide rows into bands that are columns of text and bands that are tables. The
// rows of a table are read across. A table has at least three rows, and most of them have three or more cells with wide
// spaces between them.
func tables(slot []chunk, g gutters) []band {
	rows := rowsOf(slot)
	edge := span{math.Inf(1), math.Inf(-1)}
	for _, r := range rows {
		edge = span{min(edge.left, r.r[0]), max(edge.right, r.r[2])}
	}
	var out []band
	addBand := func(rows []row, columns bool) {
		var b band
		for _, r := range rows {
			b.chunks = append(b.chunks, r.chunks...)
		}
		if b.columns = columns; len(b.chunks) > 0 {
			out = append(out, b)
		}
	}
	done := 0
	for i := 0; i < len(rows); i++ {
		if end := tableEnd(rows, i, g, edge); end-i >= 3 && aligned(rows[i:end]) {
			addBand(rows[done:i], true)
			addBand(rows[i:end], false)
			done, i = end, end-1
		}
	}
	addBand(rows[done:], true)
	return out
}

// tableEnd returns the index after the last row of the table that begins at row i, or i if no table begins there. A
// row with fewer than three cells, such as the second line of a cell, belongs to the table if a row of three
// cells follows. A row with a full line of a column does not belong to the table.
func tableEnd(rows []row, i int, g gutters, edge span) int {
	end := i
	for j := i; j < len(rows) && j <= end+1; j++ {
		if j > i && rows[j].r[1]-rows[j-1].r[3] > 1.5*(rows[j].r[3]-rows[j].r[1]) {
			break
		}
		if cellsOf(rows[j]) >= 3 && evenRow(rows[j]) && !fullSide(rows[j], g, edge) {
			end = j + 1
		} else if j == i || fullSide(rows[j], g, edge) {
			break
		}
	}
	return end
}

// evenRow reports whether the chunks of a row have nearly the same base line and type size, unlike lines of two
// columns that are beside each other by chance.
func evenRow(r row) bool {
	base, h := r.chunks[0].r[3], r.chunks[0].r[3]-r.chunks[0].r[1]
	size := r.chunks[0].cells[0].word.Size
	for _, c := range r.chunks[1:] {
		if math.Abs(c.r[3]-base) > 0.2*h || math.Abs(c.cells[0].word.Size-size) > 0.1*size {
			return false
		}
	}
	return true
}

// aligned reports whether most rows begin at the same place, as the rows of a table do.
func aligned(rows []row) bool {
	most := 0
	for _, r := range rows {
		n := 0
		for _, o := range rows {
			if math.Abs(o.r[0]-r.r[0]) < 3 {
				n++
			}
		}
		most = max(most, n)
	}
	return 2*most > len(rows)
}

// fullSide reports whether one of the columns of g contains a full line of text without wide spaces. Then the
// rest of the row is a table within its column, or spaced-out text. A justified line may consist of several
// chunks.
func fullSide(r row, g gutters, edge span) bool {
	wide := r.wide()
	words, from, end := 0, 0.0, math.Inf(-1)
	for _, c := range r.cells {
		own := g.textAt((c.r[0]+c.r[2])/2, edge)
		if words == 0 || c.r[0]-end > wide || from < own.left-overhang {
			words, from = 0, c.r[0]
		}
		words++
		end = max(end, c.r[2])
		if words >= 4 && end-from > 0.9*(own.right-own.left) {
			return true
		}
	}
	return false
}

// wide returns the minimum width of a wide space in the row.
func (r row) wide() float64 { return 1.5 * (r.chunks[0].r[3] - r.chunks[0].r[1]) }

// cellsOf returns the number of pieces of a row that are separated by wide spaces. The mark of a list item
// and the text after it are one piece.
func cellsOf(r row) int {
	n, end, mark := 0, math.Inf(-1), false
	wide := r.wide()
	for _, c := range r.cells {
		apart := c.r[0]-end > wide
		if apart && !mark {
			n++
		}
		mark = (apart || n == 0) && itemMark.MatchString(c.word.Text)
		end = max(end, c.r[2])
	}
	return n
}

// itemMark matches the mark of a list item: « - », « • », « a) », « 2° ».
var itemMark = regexp.MustCompile(`^(?:[^\pL\pN]{1,3}|[\pL\pN]{1,3}[.)°/-]{1,2})$`)

// sides separates the chunks left of the gutter from those right of it.
func sides(chunks []chunk, g float64) (left, right []chunk) {
	for _, c := range chunks {
		if c.r[0]+c.r[2] < 2*g {
			left = append(left, c)
		} else {
			right = append(right, c)
		}
	}
	return left, right
}

// overhang is by how many points a line may extend past the edge of its column.
const overhang = 2

// crosses reports whether r extends to both sides of g, by more than overhang.
func crosses(r law.Rect, g float64) bool { return r[0] < g-overhang && r[2] > g+overhang }

// marginNumbers reports whether most text left of g consists of the numbers of articles, with their text beside
// them: « Article 6 : » in the margin is no column.
func marginNumbers(chunks []chunk, g float64) bool {
	left, right := sides(chunks, g)
	a, b := rowsOf(left), rowsOf(right)
	n := 0
	for _, r := range a {
		if len(r.cells) <= 3 && strings.HasPrefix(strings.ToLower(r.cells[0].word.Text), "art") {
			n++
		}
	}
	return n >= 3 && 10*n >= 6*len(a) && len(b) > len(a)
}

// running reports whether a band has running text on both sides of g. Each side needs at least three lines, and at
// least the given share of them filled with words. The two sides must overlap vertically.
func running(chunks []chunk, g float64, region law.Rect, least float64) bool {
	left, right := sides(chunks, g)
	a, b := rowsOf(left), rowsOf(right)
	if len(a) < 3 || len(b) < 3 {
		return false
	}
	both := min(a[len(a)-1].r[3], b[len(b)-1].r[3]) - max(a[0].r[1], b[0].r[1])
	high := a[0].r[3] - a[0].r[1]
	return both > 3*high && isFilled(a, g-region[0], least) && isFilled(b, region[2]-g, least)
}

// isFilled reports whether the rows of a column of the given width are text: at least three rows, and at least the
// given share of them, have three or more words and a piece that takes 45 % of the width.
func isFilled(rows []row, width, least float64) bool {
	n := 0
	for _, r := range rows {
		words, wide := 0, 0.0
		for _, c := range r.chunks {
			words, wide = max(words, len(c.cells)), max(wide, c.r[2]-c.r[0])
		}
		wide = max(wide, spacedWidth(r))
		if (words >= 3 || len(r.cells) >= 4) && wide > 0.45*width {
			n++
		}
	}
	return n >= min(3, len(rows)) && float64(n) >= least*float64(len(rows))
}

// spacedWidth returns the width of a row if no space in it is wider than two heights of the row, as in a justified
// line of few words. It returns 0 for any other row.
func spacedWidth(r row) float64 {
	for i := 1; i < len(r.cells); i++ {
		if r.cells[i].r[0]-r.cells[i-1].r[2] > 2*(r.r[3]-r.r[1]) {
			return 0
		}
	}
	return r.r[2] - r.r[0]
}
