package layout

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// edgeLines is how many lines at the top and at the bottom of a page may be running heads and footers.
const edgeLines = 4

// strip is a line near the top or the bottom edge of a sheet.
type strip struct {
	text   string  // lower case, with numbers as #
	bag    string  // the words of text in alphabetical order, because left pages mirror right pages
	nums   []int   // the numbers, sorted
	words  int     // number of words that consist of letters
	at     float64 // distance from the top, or from the bottom if foot is set
	foot   bool
	rank   int   // 0 for the outermost line
	chunks []int // indexes of its chunks in the sheet
	scan   bool  // recognized on an image, so only approximate
	apart  bool  // the white space above the line is more than its height
}

var (
	pageNumberLine = regexp.MustCompile(`^[\s\p{Pd}.|]*(?:page|p\.)?\s*(?:#|[ivxlc]{1,6})(?:\s*(?:/|sur|de)\s*#)?[\s\p{Pd}.|]*$`)
	gazette        = regexp.MustCompile(`journal officiel|bulletin officiel|official gazette|r[ée]publique|republic of|\bj\.?o\.?r?\.?t?\b`)
	// Words before a number that is not a page number: a month, « n° », a series.
	dated   = regexp.MustCompile(`^(?:` + law.Months + `|n[°o]?|num[ée]ro|ann[ée]e|du|le|tome|article|art\.|\pP+)$`)
	heading = regexp.MustCompile(`^(?:l['’])?(?:art\.|articles?)\s*#|^\(\s*#\s*\)|^art(?:\.|icle)?$`)
)

// findHeads returns, for each sheet, the indexes of its chunks that are running heads, footers or page
// numbers.
func findHeads(sheets []*sheet) []map[int]bool {
	strips := make([][]strip, len(sheets))
	for i, s := range sheets {
		strips[i] = s.strips()
	}
	need := 3
	switch {
	case len(sheets) <= 4:
		need = 1
	case len(sheets) <= 8:
		need = 2
	}
	out := make([]map[int]bool, len(sheets))
	for i, s := range sheets {
		out[i] = map[int]bool{}
		next := map[bool]int{} // the rank that the next head must have, at the top and at the bottom
		for _, st := range strips[i] {
			if st.rank != next[st.foot] {
				continue
			}
			if !s.numberStrip(st) && !s.folio(st) && !st.dirt() && repeats(strips, i, st) < need {
				continue
			}
			next[st.foot]++
			for _, c := range st.chunks {
				out[i][c] = true
			}
		}
	}
	return out
}

// strips returns the outermost lines of the sheet, those nearest to its edges first.
func (s *sheet) strips() []strip {
	index := map[*Word]int{}
	for i, c := range s.chunks {
		index[c.cells[0].word] = i
	}
	rows := rowsOf(s.chunks)
	var out []strip
	for i, r := range rows {
		foot := false
		switch {
		case i < edgeLines && r.r[3] < s.height/3:
		case len(rows)-1-i < edgeLines && r.r[1] > s.height*2/3:
			foot = true
		default:
			continue
		}
		st := newStrip(r)
		st.foot, st.rank, st.at = foot, i, r.r[1]
		if foot {
			st.rank, st.at = len(rows)-1-i, s.height-r.r[3]
		}
		for _, c := range r.chunks {
			st.chunks = append(st.chunks, index[c.cells[0].word])
		}
		st.scan = s.page.Source == OCR
		st.apart = i > 0 && r.r[1]-rows[i-1].r[3] > r.r[3]-r.r[1]
		out = append(out, st)
	}
	slices.SortStableFunc(out, func(a, b strip) int { return a.rank - b.rank })
	return out
}

// newStrip returns a strip with the text of a row.
func newStrip(r row) strip {
	var st strip
	var b strings.Builder
	for i, c := range r.cells {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.ToLower(c.word.Text))
	}
	digits := ""
	var text strings.Builder
	flush := func() {
		if digits != "" {
			n, _ := strconv.Atoi(digits)
			st.nums = append(st.nums, n)
			text.WriteByte('#')
			digits = ""
		}
	}
	for _, r := range b.String() {
		if r >= '0' && r <= '9' && len(digits) < 9 {
			digits += string(r)
			continue
		}
		flush()
		text.WriteRune(r)
	}
	flush()
	st.text = text.String()
	bag := strings.Fields(st.text)
	slices.Sort(bag)
	slices.Sort(st.nums)
	st.bag = strings.Join(bag, " ")
	st.words = len(strings.FieldsFunc(st.text, func(r rune) bool { return !unicode.IsLetter(r) }))
	return st
}

// numberStrip reports whether st is the outermost line and nothing but a page number, near the edge of the
// sheet. In scans, which are trimmed in various ways, it may be further from the edge if it is set apart from
// the text.
func (s *sheet) numberStrip(st strip) bool {
	return st.rank == 0 && pageNumberLine.MatchString(st.text) && (st.at < s.height*0.12 || st.scan && st.foot && st.apart && len(st.nums) == 1)
}

// folio reports whether st is the outermost line, and the name of a gazette with a page number beside it.
// Such a line is a running head even if no other page repeats it.
func (s *sheet) folio(st strip) bool {
	fields := strings.Fields(st.text)
	if st.rank != 0 || st.at > s.height*0.12 || len(fields) < 3 || st.words > 14 || !gazette.MatchString(st.text) {
		return false
	}
	last, left := fields[len(fields)-1], fields[len(fields)-2]
	return fields[0] == "#" && fields[1] != "#" || last == "#" && !dated.MatchString(left)
}

// dirt reports whether st is a few characters that recognition read by mistake from the rule under a running head.
// The caller has checked that the line above was set aside.
func (st strip) dirt() bool {
	return st.scan && st.rank > 0 && !st.foot && len(st.nums) == 0 && utf8.RuneCountInString(st.text) <= 3
}

// repeats returns the number of pages around page i that have the same line at the same height.
func repeats(strips [][]strip, i int, st strip) int {
	const around = 6
	n := 0
	for j := max(0, i-around); j <= min(len(strips)-1, i+around); j++ {
		if j == i {
			continue
		}
		for _, o := range strips[j] {
			if st.sameStrip(o, j-i) {
				n++
				break
			}
		}
	}
	return n
}

// sameStrip reports whether o is the same running line as st. o is on a page whose number is higher by later. The same
// running line is at the same height, has the same words or, if both lines were recognized, nearly the same words,
// and has the same numbers or numbers that increase like page numbers.
func (st strip) sameStrip(o strip, later int) bool {
	if st.foot != o.foot || math.Abs(st.at-o.at) > st.shake() {
		return false
	}
	same := sameOrCounting(st.nums, o.nums, later)
	if st.bag != o.bag {
		same = st.scan && o.scan && st.words >= 2 && pairSimilarity(st.text, o.text) >= 0.8
	}
	return same && !heading.MatchString(st.text) // the expression last: it takes longer than all the rest
}

// shake returns by how many points the position of a running line may differ between pages. Scanned pages are not
// aligned, so it is more for them.
func (st strip) shake() float64 {
	if st.scan {
		return 20
	}
	return 8
}

// sameOrCounting reports whether each number of b equals that of a, or is higher by later, the number of pages between.
func sameOrCounting(a, b []int, later int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && b[i]-a[i] != later {
			return false
		}
	}
	return true
}

// pairSimilarity returns the Sørensen–Dice coefficient of the pairs of letters in a and b, 0 to 1.
func pairSimilarity(a, b string) float64 {
	x, y := pairs(a), pairs(b)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	both, n := 0, 0
	for p, k := range x {
		both += min(k, y[p])
		n += k
	}
	for _, k := range y {
		n += k
	}
	return 2 * float64(both) / float64(n)
}

func pairs(s string) map[[2]rune]int {
	out := map[[2]rune]int{}
	var last rune
	for _, r := range s {
		if !unicode.IsLetter(r) {
			continue
		}
		if last != 0 {
			out[[2]rune{last, r}]++
		}
		last = r
	}
	return out
}

// A letterhead is two blocks side by side at the top of a first page: on the left the state, its motto and
// the ministry, on the right the title of the text. If it were read across, the lines of the title would
// begin with the state.
const (
	letterheadRows  = 12 // more rows are a table, or columns of text
	letterheadBoth  = 2  // the minimum number of rows with text on both sides
	letterheadWhite = 2  // the minimum space between the blocks, in heights of a line
)

// letterhead separates the two blocks at the top of a page from the rest. If there are none, left and right
// are empty and rest is everything. The blocks end at white space below both, or else at a line that extends
// below both.
func letterhead(chunks []chunk) (left, right, rest []chunk) {
	rows := rowsOf(chunks)
	most := min(letterheadRows, len(rows)-1)
	values := make([]float64, most+1) // where the first n rows are separated, 0 if nowhere
	for n := letterheadBoth; n <= most; n++ {
		if g, ok := whiteBetween(rows[:n]); ok && !marginNumbers(chunks, g) {
			values[n] = g
		}
	}
	end := 0
	for n := most; n > 0; n-- {
		through := func(c chunk) bool { return crosses(c.r, values[n]) }
		if values[n] > 0 && (isSetApart(rows, n) || end == 0 && slices.ContainsFunc(rows[n].chunks, through)) {
			end = n
		}
	}
	if end == 0 {
		return nil, nil, chunks
	}
	left, right = sides(chunksIn(rows[:end]), values[end])
	return left, right, chunksIn(rows[end:])
}

// isSetApart reports whether the space above row n is more than the space above each earlier row, and more than the
// height of row n.
func isSetApart(rows []row, n int) bool {
	above := func(i int) float64 { return rows[i].r[1] - rows[i-1].r[3] }
	for i := 1; i < n; i++ {
		if above(i) >= above(n) {
			return false
		}
	}
	return above(n) > rows[n].r[3]-rows[n].r[1]
}

func chunksIn(rows []row) []chunk {
	var out []chunk
	for _, r := range rows {
		out = append(out, r.chunks...)
	}
	return out
}

// whiteBetween returns the middle of the widest white strip that separates all rows. ok is false if it is too
// narrow, or if too few rows have text on both of its sides.
func whiteBetween(rows []row) (float64, bool) {
	sorted := chunksIn(rows)
	slices.SortStableFunc(sorted, func(a, b chunk) int { return cmp.Compare(a.r[0], b.r[0]) })
	heights := make([]float64, 0, len(rows))
	for _, r := range rows {
		heights = append(heights, r.chunks[0].r[3]-r.chunks[0].r[1])
	}
	slices.Sort(heights)
	least := letterheadWhite * heights[len(heights)/2]
	best, height, end := least, 0.0, math.Inf(-1)
	for _, c := range sorted {
		if gap := c.r[0] - end; gap > best && !math.IsInf(end, -1) {
			best, height = gap, (c.r[0]+end)/2
		}
		end = max(end, c.r[2])
	}
	if best <= least {
		return 0, false
	}
	both := 0
	for _, r := range rows {
		if r.r[0] < height && r.r[2] > height {
			both++
		}
	}
	return height, both >= letterheadBoth
}
