package law

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vigueur/internal/kit/lazyre"
)

// Fold returns a French text in the form in which titles, names and words are compared:
// without case, accents, ligatures and invisible characters, with plain apostrophes and
// hyphens, and with one blank for any white space.
func Fold(text string) string {
	f := folder{out: make([]byte, 0, len(text))}
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			f.ascii(byte(r))
		case Apostrophe(r) || Dash(r) || Blank(r):
			f.add(r)
		case Invisible(r):
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r):
			f.letter(r)
		default:
			for _, d := range norm.NFKD.String(string(r)) {
				f.add(unicode.ToLower(d))
			}
		}
	}
	return string(f.out)
}

// AppendLetter appends the folded form of a letter, mark or number: in lower case, without
// accents and compatibility forms.
func AppendLetter(out []byte, r rune) []byte {
	if r >= utf8.RuneSelf && r < foldedEnd {
		return append(out, folded[r-utf8.RuneSelf]...)
	}
	return append(out, plainLetters(r)...)
}

// foldedEnd is the end of the characters whose folded forms are stored in a table: the
// letters of European languages. Gazettes have hardly any others.
const foldedEnd = 0x180

var folded = func() (table [foldedEnd - utf8.RuneSelf]string) {
	for i := range table {
		table[i] = plainLetters(utf8.RuneSelf + rune(i))
	}
	return table
}()

// twoLetters maps letters that Unicode does not decompose to the plain letters that replace
// them.
var twoLetters = map[rune]string{'œ': "oe", 'æ': "ae", 'ß': "ss", 'ø': "o", 'ð': "d", 'þ': "t"}

// plainLetters returns the plain lower-case letters that replace a letter.
func plainLetters(r rune) string {
	var out strings.Builder
	for _, d := range norm.NFKD.String(string(r)) {
		d = unicode.ToLower(d)
		switch written, ok := twoLetters[d]; {
		case ok:
			out.WriteString(written)
		case (unicode.IsLetter(d) || unicode.IsNumber(d)) && !Apostrophe(d):
			out.WriteRune(d)
		}
	}
	return out.String()
}

// folder builds the result of Fold.
type folder struct {
	out   []byte
	blank bool
}

// gap writes the pending blank, if any.
func (f *folder) gap() {
	if f.blank {
		f.out, f.blank = append(f.out, ' '), false
	}
}

// asciiBlank stands in foldedASCII for white space.
const asciiBlank = ' '

// foldedASCII holds what add appends for each ASCII character in lower case.
var foldedASCII = func() (table [utf8.RuneSelf]byte) {
	for c := range table {
		var one folder
		if one.add(unicode.ToLower(rune(c))); len(one.out) == 1 {
			table[c] = one.out[0]
		} else {
			table[c] = asciiBlank
		}
	}
	return table
}()

// ascii adds an ASCII character. Most characters of a text are ASCII, and every text is folded.
func (f *folder) ascii(c byte) {
	if c = foldedASCII[c]; c == asciiBlank {
		f.blank = len(f.out) > 0
		return
	}
	f.gap()
	f.out = append(f.out, c)
}

func (f *folder) letter(r rune) {
	if unicode.Is(unicode.Mn, r) {
		return
	}
	f.gap()
	f.out = AppendLetter(f.out, r)
}

func (f *folder) add(r rune) {
	switch {
	case Blank(r):
		f.blank = len(f.out) > 0
		return
	case r >= utf8.RuneSelf && unicode.Is(unicode.Mn, r):
		return
	}
	f.gap()
	switch {
	case Apostrophe(r):
		f.out = append(f.out, '\'')
	case Dash(r):
		f.out = append(f.out, '-')
	default:
		f.out = utf8.AppendRune(f.out, r)
	}
}

// signs maps each placeholder of a Pattern to the characters that it stands for.
var signs = map[rune]string{' ': `\s\x{00a0}\x{2007}\x{202f}`, '~': `\-‐‑–—`, '\'': `'’`}

// Pattern returns a regular expression for printed French. In expr, also in character
// classes, a blank stands for any white space, « ~ » for any hyphen or dash and « ' » for
// any apostrophe. Pattern is meant for package variables: it compiles expr when the
// expression is first used, and panics then if expr is invalid.
func Pattern(expr string) *lazyre.Regexp { return lazyre.Of(func() string { return translate(expr) }) }

// translate returns the Go expression for the expression of a Pattern.
func translate(expr string) string {
	var b strings.Builder
	class, escaped := false, false
	for _, r := range expr {
		set, known := signs[r]
		switch {
		case known && class:
			b.WriteString(set)
		case known:
			b.WriteString("[" + set + "]")
		default:
			b.WriteRune(r)
		}
		if !escaped && (r == '[' || r == ']') {
			class = r == '['
		}
		escaped = r == '\\' && !escaped
	}
	return b.String()
}

// pattern returns a Pattern that ignores case.
func pattern(expr string) *lazyre.Regexp { return Pattern(`(?i)` + expr) }

// Hyphen reports whether r is a hyphen: « - », or one of Unicode's hyphens, including the
// no-break hyphen.
func Hyphen(r rune) bool { return r == '-' || r == '‐' || r == '‑' }

// Dash reports whether r is a hyphen or a longer dash, which printers use in its place.
func Dash(r rune) bool { return Hyphen(r) || r == '–' || r == '—' }

// Apostrophe reports whether r is an apostrophe or a character that people type instead of
// one.
func Apostrophe(r rune) bool {
	switch r {
	case '\'', '’', 'ʼ', '`', '´', '′', '＇', '‘':
		return true
	}
	return false
}

// Invisible reports whether r is a character that readers do not see: a soft hyphen, a joiner, a
// mark of direction or of a variant (categories Cf and variation selectors of Unicode).
func Invisible(r rune) bool {
	return r >= '\u00ad' && (unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r))
}

// Blank reports whether r is white space of any width.
func Blank(r rune) bool { return unicode.IsSpace(r) }

// Opening and Closing report whether r is a quotation mark that opens or closes. A straight mark does both.
func Opening(r rune) bool { return r == '«' || r == '“' || r == '„' || r == '"' }

// Closing is described with Opening.
func Closing(r rune) bool { return r == '»' || r == '”' || r == '"' }

// Quotation is what stands between outermost quotation marks.
type Quotation struct {
	Start, End int    // bytes of the text, with the marks
	Words      string // without the marks and the blanks inside them
	Open       bool   // the closing mark is missing: it goes on to the end of the text
}

// Quotations returns the quotations of a text. Guillemets may stand within others; a straight mark closes only a straight one.
func Quotations(text string) (out []Quotation) {
	depth, start, straight := 0, 0, false
	add := func(end, mark int, open bool) {
		_, size := utf8.DecodeRuneInString(text[start:])
		words := strings.TrimFunc(text[start+size:end-mark], func(r rune) bool { return Blank(r) || Invisible(r) })
		out = append(out, Quotation{start, end, words, open})
	}
	for i, r := range text {
		switch {
		case depth == 0 && Opening(r):
			depth, start, straight = 1, i, r == '"'
		case depth > 0 && Closing(r) && straight == (r == '"'):
			if depth--; depth == 0 {
				add(i+utf8.RuneLen(r), utf8.RuneLen(r), false)
			}
		case depth > 0 && !straight && r != '"' && Opening(r):
			depth++
		}
	}
	if depth > 0 {
		add(len(text), 0, true)
	}
	return out
}

// OutsideQuotations returns a text without its quotations. A straight mark that nothing closes is a speck.
func OutsideQuotations(text string) string {
	var out strings.Builder
	start := 0
	for _, q := range Quotations(text) {
		if q.Open && text[q.Start] == '"' {
			continue
		}
		out.WriteString(text[start:q.Start])
		start = q.End
	}
	return out.String() + text[start:]
}

// Distance returns the number of bytes to change, insert or leave out to make one word of another (the Levenshtein
// distance). For folded words these are letters.
func Distance(a, b string) int { return distance([]byte(a), []byte(b)) }

// RuneDistance is Distance for letters of any alphabet.
func RuneDistance(a, b []rune) int { return distance(a, b) }

func distance[T comparable](a, b []T) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal, row[j+1] = row[j+1], min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// Rect is left, top, right and bottom in PDF points, from the top left corner of the
// displayed page.
type Rect [4]float64

// Span assigns the bytes [Start,End) of a text to a place on a page: to a printed line, or
// to some words of it.
type Span struct {
	Start int   `json:"s"`
	End   int   `json:"e"`
	Page  int   `json:"p"`
	Rect  Rect  `json:"r"`
	Words Words `json:"w,omitempty"`
}

// Region is a highlighted place of a citation on a page.
type Region struct {
	Page int  `json:"page"`
	Rect Rect `json:"rect"`
}

// Regions returns the places of the bytes [start,end) of a text, in order. Of a line that
// they cover in part, only the covered words are included.
func Regions(spans []Span, start, end int) []Region {
	out := []Region{}
	for _, s := range spans {
		if part, ok := s.Within(start, end); ok {
			out = append(out, Region{Page: part.Page, Rect: part.Rect})
		}
	}
	return out
}

// Within returns the part of a span that the bytes [start,end) of its text cover. A word
// that is partly covered is included completely. ok is false if the bytes cover no word. If
// the places of the words are unknown, the part has the place of the whole span.
func (s Span) Within(start, end int) (Span, bool) {
	if start >= end || s.Start >= end || s.End <= start {
		return Span{}, false
	}
	if start <= s.Start && s.End <= end {
		return s, true
	}
	part := Span{Start: max(start, s.Start), End: min(end, s.End), Page: s.Page, Rect: s.Rect}
	words, down, ok := s.Words.unpack(s.Rect)
	if !ok {
		return part, true
	}
	var kept []SetWord
	first, last, pos := 0, 0, s.Start
	for _, w := range words {
		begin, stop := max(pos, part.Start), min(pos+w.Bytes, part.End)
		pos += w.Bytes + 1
		if begin >= stop {
			continue
		}
		if len(kept) == 0 {
			first = begin
		}
		last = stop
		kept = append(kept, SetWord{Bytes: stop - begin, From: w.From, To: w.To})
	}
	if len(kept) == 0 {
		return Span{}, false
	}
	part.Start, part.End = first, last
	axis := axisOf(down)
	low, high := kept[0].From, kept[0].To
	for _, w := range kept[1:] {
		low, high = min(low, w.From), max(high, w.To)
	}
	part.Rect[axis], part.Rect[axis+2] = max(low, s.Rect[axis]), min(high, s.Rect[axis+2])
	part.Words = PackWords(part.Rect, down, kept)
	return part, true
}

// SetWord is a word of a printed line: its length in bytes, and its beginning and end along
// the line, in points of the page.
type SetWord struct {
	Bytes    int
	From, To float64
}

// Words holds the places of a line's words along the line, whose text has one space
// between two words; "" if the places are unknown. It is the base64 of variable-length
// integers: the direction of the line, then for each word its length in bytes, the gap
// before it and its width, both in quarters of a point. It is about as long as the text.
type Words string

// grain is the number of steps per point, which is finer than the eye can see.
const grain = 4

// PackWords packs the places of the words of a line in rect, in the order of the text. down
// means that the line runs vertically on the page. For a single word it returns "", because
// the word has the place of the line.
func PackWords(rect Rect, down bool, words []SetWord) Words {
	if len(words) < 2 {
		return ""
	}
	way := byte(0)
	if down {
		way = 1
	}
	packed := append(make([]byte, 0, 1+4*len(words)), way)
	offset := grains(rect[axisOf(down)])
	for _, w := range words {
		start, end := grains(w.From), grains(w.To)
		packed = binary.AppendUvarint(packed, uint64(max(w.Bytes, 0)))
		packed = binary.AppendVarint(packed, start-offset)
		packed = binary.AppendVarint(packed, end-start)
		offset = end
	}
	return Words(base64.RawStdEncoding.EncodeToString(packed))
}

// unpack returns the words of a line in rect. ok is false if the places are unknown, or if
// w is not in the format of PackWords.
func (w Words) unpack(rect Rect) (words []SetWord, down, ok bool) {
	packed, err := base64.RawStdEncoding.DecodeString(string(w))
	if err != nil || len(packed) == 0 || packed[0] > 1 {
		return nil, false, false
	}
	down, packed = packed[0] == 1, packed[1:]
	offset := grains(rect[axisOf(down)])
	for len(packed) > 0 {
		bytes, n := binary.Uvarint(packed)
		gap, m := binary.Varint(packed[max(n, 0):])
		if n <= 0 || m <= 0 || bytes > math.MaxInt32 {
			return nil, false, false
		}
		width, o := binary.Varint(packed[n+m:])
		if o <= 0 {
			return nil, false, false
		}
		packed = packed[n+m+o:]
		words = append(words, SetWord{Bytes: int(bytes), From: float64(offset+gap) / grain, To: float64(offset+gap+width) / grain})
		offset += gap + width
	}
	return words, down, true
}

func grains(points float64) int64 { return int64(math.Round(points * grain)) }

// axisOf returns the index in a Rect of the coordinate at which a line begins: 0 for a
// horizontal line, 1 for a vertical one (down).
func axisOf(down bool) int {
	if down {
		return 1
	}
	return 0
}

// SpansWithin returns the parts of spans that lie in bytes [start,end) of a text, relative to start.
func SpansWithin(spans []Span, start, end int) []Span {
	var out []Span
	for _, s := range spans {
		part, ok := s.Within(start, end)
		if !ok {
			continue
		}
		part.Start -= start
		part.End -= start
		out = append(out, part)
	}
	return out
}

// Part is a run of words in two wordings of a text.
type Part struct {
	Kind string `json:"type" enum:"egal,retire,ajoute"` // « egal », « retire » or « ajoute »
	Text string `json:"text"`
}

// The kinds of parts.
const (
	Same    = "egal"
	Removed = "retire"
	Added   = "ajoute"
)

// differencesMost bounds the table of common words: wordings whose changed middles are larger
// are shown as replaced.
const differencesMost = 4_000_000

// Differences compares two wordings word by word. Parts that are not added make up the old
// wording, those that are not removed the new one. The common words are a longest common
// subsequence, and cost at most differencesMost steps.
func Differences(left, right string) []Part {
	x, y := wordsWithBlanks(left), wordsWithBlanks(right)
	head := 0
	for head < len(x) && head < len(y) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	parts := addPart([]Part{}, Same, x[:head]...)
	parts = middle(parts, x[head:len(x)-tail], y[head:len(y)-tail])
	return addPart(parts, Same, x[len(x)-tail:]...)
}

// middle compares words that differ at both ends.
func middle(parts []Part, x, y []string) []Part {
	if len(x)*len(y) > differencesMost {
		return addPart(addPart(parts, Removed, x...), Added, y...)
	}
	common := make([][]int32, len(x)+1) // of the words from i and j on
	for i := range common {
		common[i] = make([]int32, len(y)+1)
	}
	for i := range slices.Backward(x) {
		for j := range slices.Backward(y) {
			if x[i] == y[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(x) && j < len(y) {
		switch {
		case x[i] == y[j]:
			parts = addPart(parts, Same, x[i])
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			parts = addPart(parts, Removed, x[i])
			i++
		default:
			parts = addPart(parts, Added, y[j])
			j++
		}
	}
	return addPart(addPart(parts, Removed, x[i:]...), Added, y[j:]...)
}

func addPart(parts []Part, kind string, words ...string) []Part {
	text := strings.Join(words, "")
	if text == "" {
		return parts
	}
	if n := len(parts); n > 0 && parts[n-1].Kind == kind {
		parts[n-1].Text += text
		return parts
	}
	return append(parts, Part{kind, text})
}

// wordsWithBlanks splits a text into words, each with the blanks after it.
func wordsWithBlanks(text string) (words []string) {
	start, blank := 0, false
	for i, r := range text {
		if space := unicode.IsSpace(r); !space && blank {
			words, start = append(words, text[start:i]), i
			blank = false
		} else {
			blank = space
		}
	}
	if start < len(text) {
		words = append(words, text[start:])
	}
	return words
}

// Beginning returns the beginning of a text, at most n bytes long, without a part of a word.
func Beginning(text string, n int) string {
	if len(text) <= n {
		return text
	}
	if pos := strings.LastIndexAny(text[:n+1], " \n"); pos > 0 {
		return text[:pos]
	}
	return strings.ToValidUTF8(text[:n], "")
}

// Shortened returns a text, or its Beginning and « … ».
func Shortened(text string, n int) string {
	if kept := Beginning(text, n); kept != text {
		return kept + "…"
	}
	return text
}
