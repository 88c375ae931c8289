package layout

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// edge is how many lines at the top and at the bottom of a page may be running
// heads and feet.
const edge = 4

// strip is one line at an edge of a sheet.
type strip struct {
	text   string  // small letters, numbers as #
	bag    string  // its words in alphabetical order: left pages mirror right ones
	nums   []int   // the numbers, sorted
	words  int     // how many words of letters
	at     float64 // from the top, or from the bottom when foot
	foot   bool
	rank   int   // 0 is the outermost
	chunks []int // of the sheet
	scan   bool  // recognized, thus not exact
	apart  bool  // more white above it than between lines
}

var (
	lone    = regexp.MustCompile(`^[\s\p{Pd}.|]*(?:page|p\.)?\s*(?:#|[ivxlc]{1,6})(?:\s*(?:/|sur|de)\s*#)?[\s\p{Pd}.|]*$`)
	gazette = regexp.MustCompile(`journal officiel|bulletin officiel|official gazette|r[ée]publique|republic of|\bj\.?o\.?r?\.?t?\b`)
	// What stands before a number that is none of a page: a month, « n° », a series.
	dated   = regexp.MustCompile(`^(?:` + law.Months + `|n[°ºo]?|num[ée]ro|ann[ée]e|du|le|tome|article|art\.|\pP+)$`)
	heading = regexp.MustCompile(`^(?:l['’])?(?:art\.|articles?)\s*#|^\(\s*#\s*\)|^art(?:\.|icle)?$`)
)

// findHeads gives, for each sheet, which of its chunks are running heads, feet
// or page numbers.
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
		next := map[bool]int{} // the rank that a further head must have, top and bottom
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

// strips are the outermost lines of the sheet, those nearest its edge first.
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
		case i < edge && r.r[3] < s.height/3:
		case len(rows)-1-i < edge && r.r[1] > s.height*2/3:
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

// newStrip takes the text of a row apart.
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

// numberStrip reports whether st is a page number and nothing else, at the very
// edge of the sheet. Scans of books are cut in many ways: theirs may stand higher,
// where it is set apart from the text.
func (s *sheet) numberStrip(st strip) bool {
	return st.rank == 0 && lone.MatchString(st.text) && (st.at < s.height*0.12 || st.scan && st.foot && st.apart && len(st.nums) == 1)
}

// folio reports whether st, at the very edge of the sheet, is a gazette's name beside
// a page number: that is a running head also on the only page of its kind.
func (s *sheet) folio(st strip) bool {
	fields := strings.Fields(st.text)
	if st.rank != 0 || st.at > s.height*0.12 || len(fields) < 3 || st.words > 14 || !gazette.MatchString(st.text) {
		return false
	}
	last, before := fields[len(fields)-1], fields[len(fields)-2]
	return fields[0] == "#" && fields[1] != "#" || last == "#" && !dated.MatchString(before)
}

// dirt reports whether st is what recognition made of the rule under a running
// head: a scrap without sense, behind a head that was set aside.
func (st strip) dirt() bool {
	return st.scan && st.rank > 0 && !st.foot && len(st.nums) == 0 && utf8.RuneCountInString(st.text) <= 3
}

// repeats counts the pages around page i that have the same line at the same
// height.
func repeats(strips [][]strip, i int, st strip) int {
	const around = 6
	n := 0
	for j := max(0, i-around); j <= min(len(strips)-1, i+around); j++ {
		if j == i {
			continue
		}
		for _, o := range strips[j] {
			if st.same(o, j-i) {
				n++
				break
			}
		}
	}
	return n
}

// same reports whether o, so many pages later, is the same running line: at the
// same height, nearly the same words (recognized text errs), the same numbers
// or numbers that count the pages.
func (st strip) same(o strip, later int) bool {
	if st.foot != o.foot || math.Abs(st.at-o.at) > st.shake() || heading.MatchString(st.text) {
		return false
	}
	if st.bag == o.bag {
		return counts(st.nums, o.nums, later)
	}
	return st.scan && o.scan && st.words >= 2 && alike(st.text, o.text) >= 0.8
}

// shake is by how many points the line may stand higher or lower: scanned pages
// do not lie still.
func (st strip) shake() float64 {
	if st.scan {
		return 20
	}
	return 8
}

// counts reports whether each number stays or grows as the pages do.
func counts(a, b []int, later int) bool {
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

// alike is Dice's coefficient over pairs of letters, 0 to 1.
func alike(a, b string) float64 {
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
