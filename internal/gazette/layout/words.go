package layout

import (
	_ "embed"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// Join concatenates the lines of a paragraph, which may be on several pages. Lines are separated by a space.
// A word that is divided at the end of a line is put together (« tra- » « vail » gives « travail ») unless
// its hyphen belongs to it, as in « peut-être », in « 2010-05 », or in a word that occurs with its hyphen
// elsewhere in the file (Line.Hard). Join returns one span for each line that has text, with the position of
// its bytes and words. The spans are in order, do not overlap, and leave out only the spaces between lines.
func Join(lines []Line) (string, []law.Span) {
	var b strings.Builder
	spans := make([]law.Span, 0, len(lines))
	glue := ""
	for i := range lines {
		t := lines[i].Text()
		if t == "" {
			continue
		}
		b.WriteString(glue)
		glue = " "
		if next := nextText(lines[i+1:]); next != "" {
			t, glue = breakOf(t, next, lines[i].Hard)
		}
		s := law.Span{Start: b.Len(), Page: lines[i].Page, Rect: lines[i].Rect, Words: wordPlaces(lines[i])}
		b.WriteString(t)
		s.End = b.Len()
		spans = append(spans, s)
	}
	return b.String(), spans
}

// wordPlaces returns the positions of the words of a line along the line. It returns "" if they have different
// turns, or extend past the line.
func wordPlaces(l Line) law.Words {
	if len(l.Words) == 0 || l.Words[0].Turn >= Askew {
		return ""
	}
	turn := l.Words[0].Turn
	down := turn == Down || turn == Up
	axis := 0
	if down {
		axis = 1
	}
	words := make([]law.SetWord, len(l.Words))
	for i := range l.Words {
		w := &l.Words[i]
		r := tidy(w.Rect)
		if w.Turn != turn || r[axis] < l.Rect[axis]-1 || r[axis+2] > l.Rect[axis+2]+1 {
			return ""
		}
		words[i] = law.SetWord{Bytes: len(w.Text), From: r[axis], To: r[axis+2]}
	}
	return law.PackWords(l.Rect, down, words)
}

// nextText returns the text of the first line that is not empty.
func nextText(lines []Line) string {
	for i := range lines {
		if t := lines[i].Text(); t != "" {
			return t
		}
	}
	return ""
}

// breakOf returns the line t, without its final hyphen if the hyphen only divides a word, and the separator between
// the line and next: a space, or nothing after a divided word. hard is Line.Hard of the line.
func breakOf(t, next string, hard bool) (kept, glue string) {
	left, right, ok := brokenWord(t, next)
	switch {
	case !ok:
		return t, " "
	case hard || !mends(left, right):
		return t, ""
	}
	_, n := utf8.DecodeLastRuneInString(t)
	return t[:len(t)-n], ""
}

// brokenWord reports whether t ends in a hyphen that connects its last word with the first word of next. It
// returns both words as printed, without the hyphen.
func brokenWord(t, next string) (left, right string, ok bool) {
	r, n := utf8.DecodeLastRuneInString(t)
	if r != '-' && r != '\u2010' {
		return "", "", false
	}
	left = lastWord(t[:len(t)-n])
	right = firstWord(next)
	return left, right, left != "" && right != ""
}

// lastWord returns the run of letters, digits, hyphens and apostrophes that ends t.
func lastWord(t string) string {
	i := len(t)
	for i > 0 {
		r, n := utf8.DecodeLastRuneInString(t[:i])
		if !inWord(r) {
			break
		}
		i -= n
	}
	return strings.TrimLeft(t[i:], "-'’")
}

// firstWord returns the run of letters, digits, hyphens and apostrophes that begins t, "" if t begins with
// anything else or with a hyphen.
func firstWord(t string) string {
	i := strings.IndexFunc(t, func(r rune) bool { return !inWord(r) })
	if i < 0 {
		i = len(t)
	}
	w := strings.TrimRight(t[:i], "-'’")
	if w == "" || strings.ContainsAny(w[:1], "-'") || strings.HasPrefix(w, "’") {
		return ""
	}
	return w
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '\'' || r == '’'
}

// mends reports whether a hyphen at the end of a line only divides a word, so that it must be removed. left is the
// word before the hyphen, and after the first word of the next line. mends considers only these two words; Line.Hard,
// which considers the whole file, takes precedence.
func mends(left, right string) bool {
	last, _ := utf8.DecodeLastRuneInString(left)
	first, _ := utf8.DecodeRuneInString(right)
	if !unicode.IsLetter(last) || !unicode.IsLetter(first) {
		return false // « 2010-/05 », « L. 12-/1 »
	}
	if unicode.IsUpper(first) && !unicode.IsUpper(last) {
		return false // « Saint-/Louis », « États-/Unis »
	}
	return !Compound(learnedWords(), strings.ToLower(left), strings.ToLower(right))
}

// tail returns the part of w after its last hyphen or apostrophe.
func tail(w string) string {
	if i := strings.LastIndexAny(w, "-'’"); i >= 0 {
		_, n := utf8.DecodeRuneInString(w[i:])
		return w[i+n:]
	}
	return w
}

// wordsFile holds the words and compounds of French law, one a line. scripts/train hyphens learned them from the 75 codes of
// France and the sheets of service-public.fr (DILA, Open License 2.0 of Etalab, by way of etalab/codes-juridiques-francais), and judges
// them on the gazettes of other countries.
//
//go:embed words.txt
var wordsFile string

var learnedWords = sync.OnceValue(func() map[string]bool { return wordSet(wordsFile) })

// Compound reports whether the folded words left and right, with a hyphen between them at the end of a line, are one word that has
// this hyphen: known as such, or two words that as one are none. known has words and compounds.
func Compound(known map[string]bool, left, right string) bool {
	last := tail(left)
	head, rest, _ := strings.Cut(strings.NewReplacer("’", " ", "'", " ", "-", " ").Replace(right), " ")
	switch {
	case utf8.RuneCountInString(head) == 1 && rest != "", known[last+"-"+head]: // « main-d’œuvre », « a-t-il »
		return true
	case known[last+head]:
		return false
	}
	return known[head] && (known[last] || strings.Contains(left, "-") && smallFrench[last]) // « c’est-à-dire »
}

// joining are the short words that join others in any sentence. A word of up to two letters is one of them.
var joining = wordSet(`à au aux ce ces de des du en est et il la le les leur ne ni on ou où par pour qui que sa se ses si son sur un une`)

const (
	longPart = 5 // letters of the shortest part that says something
	// How often a file prints a word that is known from it alone. A title stands in the summary and above its text, and so do
	// words in it that have no blanks between them.
	seenOften = 3

	longestWord = 40 // in bytes
)

// partWords divides words that have no blanks between them, as « Loidu28décembre1990 ». seen counts the words of the file.
func partWords(seen map[string]int, words []Word) []Word {
	for i := len(words) - 1; i >= 0; i-- {
		w := words[i]
		if utf8.RuneCountInString(w.Text) < longPart+2 || w.Turn != Upright { // three parts, of which one is long
			continue
		}
		var parts []Word
		for _, part := range glued(seen, w.Text) {
			p := w
			p.Text = part
			p.Rect[2] = p.Rect[0] + (w.Rect[2]-w.Rect[0])*float64(utf8.RuneCountInString(part))/float64(utf8.RuneCountInString(w.Text))
			if n := len(parts); n > 0 {
				shift := parts[n-1].Rect[2] - p.Rect[0]
				p.Rect[0], p.Rect[2] = p.Rect[0]+shift, p.Rect[2]+shift
			}
			parts = append(parts, p)
		}
		if len(parts) > 0 {
			words = slices.Replace(words, i, i+1, parts...)
		}
	}
	return words
}

// glued returns the words of which a text without blanks consists, nil if it is one word: three or more, with a word that
// joins the others, or with a capital or a figure where one of them ends.
func glued(seen map[string]int, text string) []string {
	core := strings.TrimFunc(text, func(r rune) bool { return !inWord(r) })
	if learnedWords()[strings.ToLower(core)] || seen[strings.ToLower(core)] >= seenOften {
		return nil
	}
	parts := fewestWords(seen, core)
	long, joined, mixed := 0, false, false
	for i, p := range parts {
		long += oneIf(utf8.RuneCountInString(p) >= longPart)
		joined = joined || i+1 < len(parts) && joining[strings.ToLower(p)]
		if i > 0 {
			last, _ := utf8.DecodeLastRuneInString(parts[i-1])
			first, _ := utf8.DecodeRuneInString(p)
			mixed = mixed || unicode.IsLower(last) && unicode.IsUpper(first) || unicode.IsDigit(last) != unicode.IsDigit(first)
		}
	}
	if len(parts) < 3 || !(joined && long >= 2 || mixed && long >= 1) {
		return nil
	}
	start := strings.Index(text, core)
	parts[0], parts[len(parts)-1] = text[:start]+parts[0], parts[len(parts)-1]+text[start+len(core):]
	return parts
}

// fewestWords divides a text without blanks into as few known words as possible, nil if it does not consist of such words.
func fewestWords(seen map[string]int, text string) []string {
	type end struct{ words, from int }
	ends := map[int]end{0: {}}
	for i := range text {
		at, ok := ends[i]
		if !ok {
			continue
		}
		for j := i + 1; j <= min(len(text), i+longestWord); j++ {
			if j < len(text) && (!utf8.RuneStart(text[j]) || isDigit(text[j-1]) && isDigit(text[j])) || !knownWord(seen, text[i:j]) {
				continue
			}
			if e, ok := ends[j]; !ok || at.words+1 < e.words {
				ends[j] = end{at.words + 1, i}
			}
		}
	}
	var out []string
	for j := len(text); j > 0; j = ends[j].from {
		if _, ok := ends[j]; !ok {
			return nil
		}
		out = append(out, text[ends[j].from:j])
	}
	slices.Reverse(out)
	return out
}

// knownWord reports whether a text is a French word, a word of the file, or a number of up to four figures.
func knownWord(seen map[string]int, text string) bool {
	word := strings.ToLower(text)
	if isDigit(word[0]) {
		n := len(strings.TrimLeft(word, "0123456789"))
		return len(word)-n <= 4 && (n == 0 || word[len(word)-n:] == "er")
	}
	for _, mark := range []string{"'", "’"} {
		if elided, rest, ok := strings.Cut(word, mark); ok {
			return (elided == "qu" || len(elided) == 1 && strings.IndexByte("dlnscjmt", elided[0]) >= 0) && len(rest) > 2 && knownWord(seen, rest)
		}
	}
	switch n := utf8.RuneCountInString(word); {
	case n <= 2:
		return joining[word]
	case n == 3:
		return smallFrench[word]
	}
	return learnedWords()[word] || seen[word] >= seenOften
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// The sign of a number as it is printed or read before the number: « no 5 », « N0 2010-05 », « N 2010-05 », « no5 ».
var (
	signAlone    = regexp.MustCompile(`^([nN])[oO0°ºᵒ˚]\.?$`)
	signLost     = regexp.MustCompile(`^[nN]$`)
	signAttached = regexp.MustCompile(`^([nN])[oOºᵒ˚](\d)`)
	numberParted = regexp.MustCompile(`^\d{1,4}[-/]\d`)
)

// signNumbers writes the signs of numbers in a line as « n° ».
func signNumbers(words []Word) []Word {
	for i := range words {
		w := &words[i]
		if w.Text == "" || w.Text[0] != 'n' && w.Text[0] != 'N' {
			continue
		}
		number := i+1 < len(words) && words[i+1].Text != "" && words[i+1].Text[0] >= '0' && words[i+1].Text[0] <= '9'
		switch {
		case number && signAlone.MatchString(w.Text), number && signLost.MatchString(w.Text) && numberParted.MatchString(words[i+1].Text):
			w.Text = w.Text[:1] + "°"
		default:
			w.Text = signAttached.ReplaceAllString(w.Text, "$1°$2")
		}
	}
	return words
}

// units are the lengths whose squares and cubes are printed with a raised digit.
var units = wordSet("m km hm dam dm cm mm µm μm")

// Unit reports whether a word ends in the name of a length, whose raised digit is a power and no mark of a note.
func Unit(word string) bool { return units[strings.TrimLeft(word, "0123456789.,/")] }

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// How many pages before and after a page may provide its columns.
const (
	columnsReach = 2 // the facing page, and the page on the same side of the next sheet
	sharedReach  = 4 // where two pages must agree: two on each side of a sheet
)

// nearbyColumns returns the columns of the pages within reach of page i, the nearest first.
func nearbyColumns(sheets []*sheet, i, reach int) []gutters {
	var out []gutters
	for d := 1; d <= reach; d++ {
		for _, k := range []int{i - d, i + d} {
			if k >= 0 && k < len(sheets) && sheets[k].parted && sheets[k].width == sheets[i].width {
				out = append(out, sheets[k].columns)
			}
		}
	}
	return out
}

// flowBands puts the chunks of a page without columns into reading order, if the page contains a band with
// running text on both sides of the gutter g of a nearby page. Such a band is, for example, the end of a text above
// an annex over the whole page: the band is too short to show a gutter. All other bands are read across. If there
// is no band with running text on both sides, flowBands returns false and does not call give.
func flowBands(g gutters, chunks []chunk, give func(cells []cell, column int)) bool {
	if len(chunks) == 0 {
		return false
	}
	region := chunks[0].r
	for _, c := range chunks[1:] {
		region = union(region, c.r)
	}
	if g.at <= region[0] || g.at >= region[2] {
		return false
	}
	chunks = g.cutChunks(chunks)
	all := bands(chunks, g)
	set := make([]bool, len(all))
	some := false
	for i, b := range all {
		set[i] = b.columns && running(b.chunks, g.at, region, 0.5) && !marginNumbers(b.chunks, g.at)
		some = some || set[i]
	}
	if !some {
		return false
	}
	for i, b := range all {
		if !set[i] {
			flow(b.chunks, -1, maxDepth, give)
			continue
		}
		left, right := sides(b.chunks, g.at)
		flow(left, 0, maxDepth, give)
		flow(right, 1, maxDepth, give)
	}
	return true
}

// all returns the places of all gutters, from left to right.
func (g gutters) all() []float64 {
	out := append([]float64{g.at}, g.others...)
	slices.Sort(out)
	return out
}

// sharedColumns returns the gutters of more than two columns that two of the nearby pages have at the same places, and that
// the chunks of a page keep clear, nil if there are none. Facing pages have margins, and so gutters, of their own.
func sharedColumns(near []gutters, chunks []chunk) []float64 {
	for i, g := range near {
		columns := g.all()
		for _, o := range near[i+1:] {
			if same := o.all(); len(columns) > 1 && slices.EqualFunc(columns, same, func(a, b float64) bool { return math.Abs(a-b) <= 2*overhang }) && clearOf(columns, chunks) {
				return columns
			}
		}
	}
	return nil
}

// clearOf reports whether a page can have the given columns: fewer chunks extend over a gutter than are in any of the
// columns.
func clearOf(columns []float64, chunks []chunk) bool {
	input, crossing := make([]int, len(columns)+1), 0
	for _, c := range chunks {
		exceeded := false
		for _, part := range cutAt(columns, c) {
			input[columnOf(columns, part)]++
			exceeded = exceeded || slices.ContainsFunc(columns, func(x float64) bool { return crosses(part.r, x) })
		}
		crossing += oneIf(exceeded)
	}
	return crossing < slices.Min(input)
}

// columnOf returns the index of the column that contains the middle of a chunk.
func columnOf(columns []float64, c chunk) int {
	n := 0
	for n < len(columns) && (c.r[0]+c.r[2])/2 > columns[n] {
		n++
	}
	return n
}

// cutAt splits a chunk at its spaces over gutters.
func cutAt(columns []float64, c chunk) []chunk {
	var out []chunk
	start := 0
	for k := 1; k < len(c.cells); k++ {
		if slices.ContainsFunc(columns, func(x float64) bool { return c.cells[k-1].r[2] <= x && x <= c.cells[k].r[0] }) {
			out, start = append(out, chunk{c.cells[start:k:k], bounds(c.cells[start:k])}), k
		}
	}
	return append(out, chunk{c.cells[start:], bounds(c.cells[start:])})
}

// flowAmong puts the chunks of a page into reading order, between the given gutters. A line across a gutter ends the
// columns above it.
func flowAmong(columns []float64, chunks []chunk, give func(cells []cell, column int)) {
	parts := make([][]chunk, len(columns)+1)
	end := func() {
		for i, part := range parts {
			for _, r := range rowsOf(part) {
				give(r.cells, i)
			}
			parts[i] = nil
		}
	}
	for _, r := range rowsOf(chunks) {
		var cut []chunk
		for _, c := range r.chunks {
			cut = append(cut, cutAt(columns, c)...)
		}
		if slices.ContainsFunc(cut, func(c chunk) bool {
			return slices.ContainsFunc(columns, func(x float64) bool { return crosses(c.r, x) })
		}) {
			end()
			give(r.cells, -1)
			continue
		}
		for _, c := range cut {
			i := columnOf(columns, c)
			parts[i] = append(parts[i], c)
		}
	}
	end()
}
