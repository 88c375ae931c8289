package layout

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
				own.shared = g.shared
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
	inner := i > 0 && i < len(wide)
	if len(left) == 0 || len(right) == 0 {
		return inner && len(rowsOf(slot)) <= 2
	}
	rows := rowsOf(slot)
	if len(rows) == 1 && inner {
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
		if cellsOf(rows[j]) >= max(3, g.shared+2) && evenRow(rows[j]) && !fullSide(rows[j], g, edge) {
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
	words, start, end := 0, 0.0, math.Inf(-1)
	for _, c := range r.cells {
		own := g.textAt((c.r[0]+c.r[2])/2, edge)
		if words == 0 || c.r[0]-end > wide || start < own.left-overhang {
			words, start = 0, c.r[0]
		}
		words++
		end = max(end, c.r[2])
		if words >= 4 && end-start > 0.9*(own.right-own.left) {
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

// gutters says where a region is divided into columns: at the coordinate at and, with more than two columns, also at
// others.
type gutters struct {
	at     float64
	others []float64
	white  span // the white space between the columns on both sides of at, empty if there is none
	shared int  // how many gutters nearby pages have at the places of this one's, if those are several
}

// cutChunks splits each chunk that extends over the white space of the gutter and has a space there: its boxes are so
// high that the gutter seemed to be a space between words. A line across the columns has words there, and is kept.
func (g gutters) cutChunks(chunks []chunk) []chunk {
	if !(g.white.right > g.white.left) {
		return chunks
	}
	out := chunks
	for i, c := range chunks {
		k := c.spaceOver(g.white)
		if k == 0 {
			continue
		}
		if &out[0] == &chunks[0] {
			out = slices.Clone(chunks)
		}
		out[i] = chunk{cells: c.cells[:k:k], r: bounds(c.cells[:k])}
		out = append(out, chunk{cells: c.cells[k:], r: bounds(c.cells[k:])})
	}
	return out
}

// spaceOver returns the index of the first cell to the right of white if no cell of the chunk touches white, else 0.
func (c chunk) spaceOver(white span) int {
	if c.r[0] >= white.left || c.r[2] <= white.right {
		return 0
	}
	k := slices.IndexFunc(c.cells, func(o cell) bool { return o.r[2] > white.left })
	if k > 0 && c.cells[k].r[0] >= white.right {
		return k
	}
	return 0
}

// columnAt returns the edges of the column that contains x.
func (g gutters) columnAt(x float64, edge span) span {
	narrow := func(o float64) {
		if o <= x {
			edge.left = max(edge.left, o)
		} else {
			edge.right = min(edge.right, o)
		}
	}
	narrow(g.at)
	for _, o := range g.others {
		narrow(o)
	}
	return edge
}

// textAt is columnAt without the white space of the gutter, where no line of a column is printed.
func (g gutters) textAt(x float64, edge span) span {
	own := g.columnAt(x, edge)
	if g.white.left < g.at && g.at < g.white.right {
		if own.left == g.at {
			own.left = g.white.right
		}
		if own.right == g.at {
			own.right = g.white.left
		}
	}
	return own
}

// gutter finds the white space between two columns: the place that separates the most pairs of lines side by side, with
// nothing in between and with running text on both sides. Tables have such places too, but their cells are not filled
// with words. In a region of three columns, one side of this place is one column and the other side is two. The text of
// each column is compared with the width of its own column.
func gutter(chunks []chunk) (gutters, bool) {
	if len(chunks) < 6 {
		return gutters{}, false
	}
	region := chunks[0].r
	for _, c := range chunks[1:] {
		region = union(region, c.r)
	}
	if g, ok := mostGaps(chunks, region); ok && !marginNumbers(chunks, g.at) {
		chunks := g.cutChunks(chunks)
		if len(g.others) > 0 && slices.ContainsFunc(bands(chunks, g), func(b band) bool { return b.columns && runningAll(b.chunks, g, region) }) {
			return g, true
		}
		g.others = nil
		for _, b := range bands(chunks, g) {
			if b.columns && running(b.chunks, g.at, region, 0.5) {
				return g, true
			}
		}
	}
	g, ok := whiteStrip(chunks, region)
	return gutters{at: g}, ok && !marginNumbers(chunks, g)
}

// runningAll reports whether a band has running text in each of the columns of g: at least three lines at the same
// height, and half of these lines filled with words.
func runningAll(chunks []chunk, g gutters, region law.Rect) bool {
	parts := map[span][]chunk{}
	for _, c := range chunks {
		at := g.columnAt((c.r[0]+c.r[2])/2, span{region[0], region[2]})
		parts[at] = append(parts[at], c)
	}
	if len(parts) != len(g.others)+2 {
		return false
	}
	top, bottom, high := math.Inf(-1), math.Inf(1), 0.0
	for at, part := range parts {
		rows := rowsOf(part)
		if len(rows) < 3 || !isFilled(rows, at.right-at.left, 0.5) {
			return false
		}
		top, bottom = max(top, rows[0].r[1]), min(bottom, rows[len(rows)-1].r[3])
		high = max(high, rows[0].r[3]-rows[0].r[1])
	}
	return bottom-top > 3*high
}

// bins is the number of parts into which the width of a region is divided for counting.
const bins = 400

// counted holds how many chunks, or how many gaps, cover each bin of a region's width.
type counted [bins + 1]int

// countRange counts a chunk or a gap from x0 to x1, without its outermost bins.
func (c *counted) countRange(region law.Rect, x0, x1 float64) {
	bin := func(x float64) int {
		return int(min(max((x-region[0])/(region[2]-region[0])*bins, 0), bins))
	}
	for i := bin(x0) + 1; i < bin(x1); i++ {
		c[i]++
	}
}

// mostGaps returns the place in the middle part of region with the best score: the number of gaps between chunks there,
// minus the number of chunks that cover it. Its others are the best places on each side that score at least half as much.
func mostGaps(chunks []chunk, region law.Rect) (gutters, bool) {
	width := region[2] - region[0]
	if !(width > 1) || math.IsInf(width, 0) {
		return gutters{}, false
	}
	var votes, cover counted
	white := chunkGaps(chunks)
	for _, gap := range white {
		votes.countRange(region, gap[0], gap[1])
	}
	for _, c := range chunks {
		cover.countRange(region, c.r[0], c.r[2])
	}
	places := gutterScores{votes: &votes, cover: &cover}
	pos := places.bestPlace(bins*15/100, bins*85/100)
	if pos < 0 {
		return gutters{}, false
	}
	x := func(i int) float64 { return region[0] + (places.middle(i)+0.5)/bins*width }
	g := gutters{at: x(pos)}
	g.white = commonWhite(white, g.at)
	const apart = bins * 15 / 100
	for _, others := range []int{places.bestPlace(apart, pos-apart), places.bestPlace(pos+apart, bins-apart)} {
		if others >= 0 && 2*places.score(others) >= places.score(pos) {
			g.others = append(g.others, x(others))
		}
	}
	return g, true
}

// mostLines is the share of the gaps at a gutter that leave its white space free. In scans some lines stick
// out, and there is dirt in the gutter.
const mostLines = 0.9

// commonWhite returns the white space that most of the gaps around x share.
func commonWhite(gaps [][2]float64, x float64) span {
	var source, target []float64
	for _, gap := range gaps {
		if gap[0] < x && gap[1] > x {
			source, target = append(source, gap[0]), append(target, gap[1])
		}
	}
	if len(source) == 0 {
		return span{}
	}
	slices.Sort(source)
	slices.Sort(target)
	last := len(source) - 1
	white := span{source[int(mostLines*float64(last))], target[last-int(mostLines*float64(last))]}
	slack := max(0, min(overhang, (white.right-white.left)/4))
	return span{white.left + slack, white.right - slack}
}

// gutterScores rates the places of a region that may separate columns, by the number of gaps and the number of
// chunks that cover each bin.
type gutterScores struct{ votes, cover *counted }

func (r gutterScores) score(i int) int { return r.votes[i] - r.cover[i] }

// bestPlace returns the bin in from..to with the best score, -1 if no bin can separate columns. Of bins with equal
// scores it returns the one nearest to the middle of the region, because in a summary there is also a gap between a
// column and its page numbers.
func (r gutterScores) bestPlace(start, end int) int {
	pos := -1
	off := func(i int) int { return max(2*i-bins, bins-2*i) } // distance from the middle of the region
	for i := start; i <= end; i++ {
		if r.votes[i] < 3 || 2*r.votes[i] < r.cover[i] {
			continue
		}
		if pos < 0 || r.score(i) > r.score(pos) || r.score(i) == r.score(pos) && off(i) < off(pos) {
			pos = i
		}
	}
	return pos
}

// middle returns the middle of the adjacent bins that have the same score as i.
func (r gutterScores) middle(i int) float64 {
	start, end := i, i
	for start > 0 && r.score(start-1) == r.score(i) {
		start--
	}
	for end < bins && r.score(end+1) == r.score(i) {
		end++
	}
	return float64(start+end) / 2
}

// chunkGaps returns the white space from each chunk to its nearest neighbor on the right, at the same height.
func chunkGaps(chunks []chunk) [][2]float64 {
	order := make([]int, len(chunks))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(chunks[b].r[0], chunks[a].r[0]) })
	seen := shelves{} // filled from right to left
	var out [][2]float64
	for _, i := range order {
		r := chunks[i].r
		distance := math.Inf(1)
		for j := range seen.near(r) {
			if o := chunks[j].r; o[0] > r[2] && level(r, o) >= 0.3 {
				distance = min(distance, o[0])
			}
		}
		if !math.IsInf(distance, 1) {
			out = append(out, [2]float64{r[2], distance})
		}
		seen.put(r, i)
	}
	return out
}

// The minimum height of a gutter that is found as a white strip: as a share of its region, and in heights of a
// line.
const (
	stripShare = 0.3
	stripLines = 10
	// The minimum share of filled lines on each side of the strip. It is lower than for gutters found by counting gaps,
	// because the columns of a summary have headings and page numbers.
	stripFilled = 0.25
)

// whiteStrip looks for the gutter of columns whose lines are at different heights, or that fill only a part
// of the page, so that counting gaps finds nothing. It returns the highest white strip in the middle of the
// region that has running text on both sides.
func whiteStrip(chunks []chunk, region law.Rect) (float64, bool) {
	width, height := region[2]-region[0], region[3]-region[1]
	if !(width > 1) || !(height > 1) {
		return 0, false
	}
	sorted := slices.Clone(chunks)
	slices.SortStableFunc(sorted, func(a, b chunk) int { return cmp.Compare(a.r[1], b.r[1]) })
	heights := make([]float64, len(sorted))
	for i, c := range sorted {
		heights[i] = c.r[3] - c.r[1]
	}
	slices.Sort(heights)
	least := max(stripShare*height, stripLines*heights[len(heights)/2])
	var best, start, end float64 // height of the strip, and its left and right edge
	var where span               // its top and bottom
	const steps = 200
	middle := (region[0] + region[2]) / 2
	for i := steps * 42 / 100; i <= steps*58/100; i++ {
		x := region[0] + width*float64(i)/steps
		white := highest(sorted, x, region)
		high := white.right - white.left
		switch {
		case high < least || high < best-1:
		case high <= best+1 && x-end < 1.5*width/steps:
			end = x
		case high > best+1 || math.Abs(x-middle) < math.Abs((start+end)/2-middle):
			best, where, start, end = high, white, x, x
		}
	}
	if best == 0 {
		return 0, false
	}
	g := (start + end) / 2
	var beside []chunk
	for _, c := range chunks {
		if mid := (c.r[1] + c.r[3]) / 2; mid > where.left && mid < where.right {
			beside = append(beside, c)
		}
	}
	return g, running(beside, g, region, stripFilled)
}

// highest returns the longest interval of the vertical line at x that no chunk touches, from top (left) to
// bottom (right). The chunks are sorted by their tops.
func highest(sorted []chunk, x float64, region law.Rect) span {
	free := region[1]
	var best span
	for _, c := range sorted {
		if c.r[0] > x || c.r[2] < x {
			continue
		}
		if c.r[1]-free > best.right-best.left {
			best = span{free, c.r[1]}
		}
		free = max(free, c.r[3])
	}
	if region[3]-free > best.right-best.left {
		best = span{free, region[3]}
	}
	return best
}

// Some headings are set with a space between letters (« A R T I C L E 5 », « d é c r è t e »), and are read
// as words of one letter each. A run of at least spreadLetters is one word: French has few words of one
// letter, and no sentence has four of them in a row.
const spreadLetters = 4

// At the beginning of a line spreadCapitals capitals suffice: « L O I N° 12 ».
const spreadCapitals = 3

// The widest space between two letters of a word. A wider space separates words.
const (
	spreadWhite = 1.0 // in heights of the letters
	spreadEven  = 1.6 // in medians of the spaces of the run of letters
)

// closeUp joins the runs of single letters of a line into words, in place.
func closeUp(words []Word) []Word {
	out := words[:0]
	for i := 0; i < len(words); {
		n := spreadRun(words[i:])
		if n < spreadLetters && !(i == 0 && n == spreadCapitals && capitalsOnly(words[:n])) {
			n = max(n, 1)
			out = append(out, words[i:i+n]...)
			i += n
			continue
		}
		for run := words[i : i+n]; len(run) > 0; {
			k := spreadWord(run)
			out = append(out, joinLetters(run[:k]))
			run = run[k:]
		}
		i += n
		for k := spreadNumber(words[i-1:]); k > 0; k = spreadNumber(words[i-1:]) {
			out = append(out, joinLetters(words[i:i+k]))
			i += k
		}
	}
	return out
}

// spreadRun returns how many words at the beginning of words are single letters near each other.
func spreadRun(words []Word) int {
	n := 0
	for n < len(words) && aLetter(words[n]) {
		if n > 0 {
			if gap := spaceBetween(words[n-1], words[n]); gap < 0 || gap > spreadWhite*(words[n].Rect[3]-words[n].Rect[1]) {
				break
			}
		}
		n++
	}
	return n
}

// spreadNumber returns the number of words after words[0] that form a number printed letter by letter: « 1 E R . »
// after « A R T I C L E ». words[0] ends a word printed in the same way. It returns 0 if there is no such number.
func spreadNumber(words []Word) int {
	n := 0
	for n+1 < len(words) {
		w := words[n+1]
		r, size := utf8.DecodeRuneInString(w.Text)
		if size != len(w.Text) || w.Turn != Upright {
			break
		}
		if gap := spaceBetween(words[n], w); gap < 0 || gap > spreadWhite*(w.Rect[3]-w.Rect[1]) {
			break
		}
		if digit := unicode.IsDigit(r); n == 0 && !digit || n > 0 && !digit && !strings.ContainsRune("ERer.", r) {
			break
		}
		if n++; r == '.' {
			break
		}
	}
	return n
}

// capitalsOnly reports whether all letters are capitals.
func capitalsOnly(letters []Word) bool {
	return !slices.ContainsFunc(letters, func(w Word) bool {
		r, _ := utf8.DecodeRuneInString(w.Text)
		return !unicode.IsUpper(r)
	})
}

// spreadWord returns the number of letters in the first word of a run.
func spreadWord(run []Word) int {
	spaces := make([]float64, 0, len(run))
	for i := 1; i < len(run); i++ {
		spaces = append(spaces, spaceBetween(run[i-1], run[i]))
	}
	if len(spaces) == 0 {
		return 1
	}
	sorted := slices.Sorted(slices.Values(spaces))
	usual := sorted[len(sorted)/2]
	for i, space := range spaces {
		if space > spreadEven*usual {
			return i + 1
		}
	}
	return len(run)
}

// aLetter reports whether a word is a single upright letter.
func aLetter(w Word) bool {
	r, n := utf8.DecodeRuneInString(w.Text)
	return n > 0 && n == len(w.Text) && unicode.IsLetter(r) && w.Turn == Upright
}

func spaceBetween(a, b Word) float64 { return b.Rect[0] - a.Rect[2] }

// joinLetters returns the word that letters spell.
func joinLetters(letters []Word) Word {
	w := letters[0]
	text := make([]byte, 0, 2*len(letters))
	for _, l := range letters {
		text = append(text, l.Text...)
		w.Rect = union(w.Rect, l.Rect)
	}
	w.Text = string(text)
	return w
}
