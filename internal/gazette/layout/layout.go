// Package layout represents a printed page as positioned words, before anything is known about its content.
// Readers of PDF text and of scans produce Pages. Arrange groups the words into lines in reading order,
// column by column, and sets running heads, footers and page numbers aside; Join concatenates the lines of a
// paragraph and records the position of each part; Judge estimates the quality of a text layer.
//
// Nothing is lost: after Arrange every word of a page is exactly once in its Lines or its Aside, and letters
// that are printed apart from each other become the word that they spell, and the signs of numbers « n° ». All functions are pure and cannot
// fail; meaningless words give meaningless lines.
package layout

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// Source says where a page's words come from.
type Source string

// Where words come from.
const (
	Layer Source = "layer" // the PDF's own text
	OCR   Source = "ocr"   // recognized on an image
	None  Source = "none"  // no words could be read
)

// Word is one word as printed.
type Word struct {
	Text string   `json:"t"`
	Rect law.Rect `json:"r"`           // points from the top left corner of the page as displayed
	Size float64  `json:"z,omitempty"` // font size in points, 0 if unknown
	Bold bool     `json:"b,omitempty"`
	Ital bool     `json:"i,omitempty"`
	Turn Rotation `json:"u,omitempty"`
	// Covered is set if people do not see the whole word on the page, because something covers it or a part of it has no ink.
	Covered bool `json:"c,omitempty"`
	Raised  bool `json:"h,omitempty"` // a number that is smaller than the words beside it and raised, as the mark of a note
	Other   bool `json:"o,omitempty"` // recognition reads another word on the page
}

// Rotation is the direction of a word's text on the page as displayed, in quarter turns clockwise.
type Rotation uint8

// The turns. Askew is text at any other angle, such as a watermark.
const (
	Upright Rotation = iota
	Down             // reads downwards
	Over             // upside down
	Up               // reads upwards
	Askew
)

// Unturn returns the place of a rectangle after turning the page so that text of turn t is upright. The size
// is that of the page as displayed.
func Unturn(r law.Rect, t Rotation, width, height float64) law.Rect {
	switch t {
	case Down:
		return law.Rect{r[1], width - r[2], r[3], width - r[0]}
	case Over:
		return law.Rect{width - r[2], height - r[3], width - r[0], height - r[1]}
	case Up:
		return law.Rect{height - r[3], r[0], height - r[1], r[2]}
	}
	return r
}

// Rotate is the reverse of Unturn: it returns the place of a rectangle of the upright page on the page as
// displayed, which has the given size.
func Rotate(r law.Rect, t Rotation, width, height float64) law.Rect {
	switch t {
	case Down:
		return law.Rect{width - r[3], r[0], width - r[1], r[2]}
	case Over:
		return law.Rect{width - r[2], height - r[3], width - r[0], height - r[1]}
	case Up:
		return law.Rect{r[1], height - r[2], r[3], height - r[0]}
	}
	return r
}

// Lean returns the rectangle r moved as if the page, of the given size, were turned clockwise about its center
// by the given degrees. The width and height of r do not change.
func Lean(r law.Rect, degrees, width, height float64) law.Rect {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	dx, dy := (r[0]+r[2]-width)/2, (r[1]+r[3]-height)/2
	mx, my := dx*cos-dy*sin-dx, dx*sin+dy*cos-dy
	return law.Rect{r[0] + mx, r[1] + my, r[2] + mx, r[3] + my}
}

// Line holds the words on one base line within one column.
type Line struct {
	Page     int // the page's number in the file, from 1
	Words    []Word
	Rect     law.Rect
	Column   int     // from 0; -1 for a line across the columns
	Size     float64 // the most frequent font size
	Bold     bool    // most of the line is bold
	Gap      float64 // white space above the line, in points, within its column; 0 for the first line of a column
	Centered bool    // centered in its column
	Indent   float64 // distance from the left edge of the column, in points
	Slack    float64 // distance from the right edge of the column, in points: large at the end of a paragraph
	Hard     bool    // the hyphen at the end of the line belongs to the word, and Join keeps it
}

// Page is one page of a file.
type Page struct {
	Number int // in the file, from 1
	Width  float64
	Height float64
	Source Source
	Words  []Word  // as read, in no particular order; nil after DropWords
	Cover  float64 // the share of the page that its largest image covers, 0 to 1
	DPI    float64 // the resolution of this image, 0 if there is none
	Skew   float64 // for a scan, by how many degrees its text leans clockwise
	Drawn  bool    // something other than text is painted on the page
	Unseen int     `json:",omitempty"` // words of the text layer that nobody sees on the page, and that are not among Words
	Fault  string  // a French sentence that says why the page's words could not be read, "" if they were read
	Lines  []Line  // in reading order, set by Arrange
	Aside  []Line  // running heads, footers and page numbers, set by Arrange
}

// DropWords removes the Words of arranged pages, which are also in their Lines and Aside: in a file of
// hundreds of pages they take tens of megabytes. The pages cannot be arranged again.
func DropWords(pages []Page) {
	for i := range pages {
		pages[i].Words = nil
	}
}

// words returns the words of a page, from Words or else from Lines and Aside.
func (p *Page) words() iter.Seq[*Word] {
	return func(yield func(*Word) bool) {
		for i := range p.Words {
			if !yield(&p.Words[i]) {
				return
			}
		}
		if p.Words != nil {
			return
		}
		for _, lines := range [][]Line{p.Lines, p.Aside} {
			for i := range lines {
				for j := range lines[i].Words {
					if !yield(&lines[i].Words[j]) {
						return
					}
				}
			}
		}
	}
}

// Text returns the line's words, separated by spaces.
func (l Line) Text() string {
	n := 0
	for i := range l.Words {
		n += len(l.Words[i].Text) + 1
	}
	b := make([]byte, 0, n)
	for i := range l.Words {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, l.Words[i].Text...)
	}
	return string(b)
}

// face is the style of a word. Words of one font and size have the same face.
type face struct {
	bold, ital bool
	size       float64 // in whole points
}

func faceOf(w *Word) face { return face{w.Bold, w.Ital, math.Round(w.Size)} }

// faces measures how legible the words of each face of a page are. Pages have few faces; if a page has more than fit
// into the array, the words of further faces count as words of the last one.
type faces struct {
	face [16]face
	read [16]legible
	n    int
}

// indexOf returns the index of a face, which it adds if it is new.
func (s *faces) indexOf(f face) int {
	if i := slices.Index(s.face[:s.n], f); i >= 0 {
		return i
	}
	if s.n == len(s.face) {
		return s.n - 1
	}
	s.face[s.n] = f
	s.n++
	return s.n - 1
}

func (s *faces) measureWord(w *Word) { s.read[s.indexOf(faceOf(w))].measureWord(w.Text) }

// facesOf measures the words of a page, face by face.
func facesOf(words []Word) (s faces) {
	for i := range words {
		s.measureWord(&words[i])
	}
	return s
}

// brokenShare returns the share of the words, by length, that are in broken faces.
func (s *faces) brokenShare() float64 {
	broken, all := 0, 0
	for _, r := range s.read[:s.n] {
		all += r.bytes
		if r.broken() {
			broken += r.bytes
		}
	}
	return share(broken, all)
}

// illegible reports whether words contain a broken face.
func illegible(words []Word) bool {
	s := facesOf(words)
	return s.brokenShare() > 0
}

// markHard sets Hard on the lines whose final hyphen belongs to the word. This is so if, inside the lines of the file,
// the word occurs more often with its hyphen than without. seen counts the words of the file.
func markHard(seen map[string]int, pages []Page) {
	var last *Line
	for i := range pages {
		for j := range pages[i].Lines {
			l := &pages[i].Lines[j]
			if last != nil {
				last.Hard = keepsHyphen(seen, last.end(), l.begin())
			}
			last = l
		}
	}
}

// keepsHyphen reports whether the hyphen at the end of one line belongs to the word.
func keepsHyphen(seen map[string]int, end, begin string) bool {
	left, right, ok := brokenWord(end, begin)
	if !ok {
		return false
	}
	left, right = strings.ToLower(left), strings.ToLower(right)
	partner := seen[left+"-"+right]
	return partner > 0 && partner > seen[left+right]
}

// vocabulary counts the words inside lines.
func vocabulary(pages []Page) map[string]int {
	seen := map[string]int{}
	for i := range pages {
		for _, l := range pages[i].Lines {
			for j := range l.Words {
				w := strings.ToLower(l.Words[j].Text)
				if j == len(l.Words)-1 && strings.HasSuffix(w, "-") {
					continue
				}
				w = firstWord(strings.TrimLeftFunc(w, func(r rune) bool { return !inWord(r) }))
				if w != "" {
					seen[w]++
				}
			}
		}
	}
	return seen
}

func (l *Line) end() string {
	if len(l.Words) == 0 {
		return ""
	}
	return l.Words[len(l.Words)-1].Text
}

func (l *Line) begin() string {
	if len(l.Words) == 0 {
		return ""
	}
	return l.Words[0].Text
}

// smallFrench lists the words of up to three letters in legal French, elided words included. Such a list can be nearly
// complete, unlike a list of longer words, and nearly half of the words of any text are so short. So the list
// identifies bad recognition (« lo », « è », « qûe ») without a dictionary.
var smallFrench = wordSet(`a à y ô c d j l m n s t
	ad ai an as au ça ce ci de du dû en es ès et eu eû ex fi il je là la le lu ma me mi né ne ni nu on or ôt os ou où pu qu sa se si su ta te tu un us va vu
	âgé age âge agi aie air ait âme ami ans arc art aux axe bac ban bas bât bel bis bon bus but car cas cet clé cru cru des dès dit dix don dos dot duc due dur dus
	eau écu élu ère est été eue eus eut eux fax fer fil fin fit foi for fur fus fut fût gaz géo gré hui ici jet jeu jus kit lac las les lit lié loi lot lui lus
	mai mal mer mes met mil mis mot mue mur net née nés nom non nos nue nul off ont oté ôté oui out par pas peu pis pli pré pro pue put que qui quo ras roi rôt rue
	sac san sec sel ses six ski soi sol son sud sur sûr sus tas tel ter tir ton tôt tué tva une uni uns use usé van vie vif vin vis vit vol vos vue vus via`)

// smallWords returns the number of lower-case words of up to three letters within a printed word, and how
// many of them are not French. Numbers with their endings (« 1er »), marks of lists (« b) ») and addresses
// do not count as words.
func smallWords(text string) (small, odd int) {
	if strings.ContainsAny(text, "0123456789/@_=°%&+*") || itemMark.MatchString(text) || strings.Contains(strings.Trim(text, "."), ".") {
		return 0, 0
	}
	for w := range strings.FieldsFuncSeq(text, notLetter) {
		if utf8.RuneCountInString(w) > 3 || !smallLetters(w) {
			continue
		}
		small++
		odd += oneIf(!smallFrench[w])
	}
	return small, odd
}

// smallLetters reports whether w consists of lower-case Latin letters. Other scripts say nothing about
// French.
func smallLetters(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLower(r) || !unicode.Is(unicode.Latin, r) })
}

// span is the left and the right edge of a column.
type span struct{ left, right float64 }

// measure sets the fields of lines that depend on their column: indent, slack, centering, gap, size and
// weight.
func measure(sheets []*sheet) {
	usual := usualEdges(sheets)
	for _, s := range sheets {
		edges := s.edges()
		for c, e := range edges {
			edges[c] = widen(e, usual[c])
		}
		for i := range s.laid {
			s.laid[i].measure(edges[s.laid[i].column])
			s.laid[i].line.Gap = s.gapAbove(i)
		}
		s.uncenter()
	}
}

// measure sets the fields of a line in a column with edges e.
func (l *laid) measure(e span) {
	l.line.Size, l.line.Bold = setting(l.cells)
	l.line.Indent = max(0, l.r[0]-e.left)
	l.line.Slack = max(0, e.right-l.r[2])
	width := e.right - e.left
	distance := math.Abs(l.line.Indent - l.line.Slack)
	room := max(0.03*width, 4)
	l.line.Centered = l.line.Indent > room && l.line.Slack > room && distance < max(0.06*width, 6)
}

// uncenter clears Centered on indented lines that are not centered, but whose distance from the right edge equals
// their indent by chance. Such a line has an adjacent line with the same indent and another end.
func (s *sheet) uncenter() {
	var wrong []int
	for i, l := range s.laid {
		if l.line.Centered && (s.flush(i, i-1) || s.flush(i, i+1)) {
			wrong = append(wrong, i)
		}
	}
	for _, i := range wrong {
		s.laid[i].line.Centered = false
	}
}

// flush reports whether lines i and j are in the same column, begin at the same indent, and end at different
// places.
func (s *sheet) flush(i, j int) bool {
	if j < 0 || j >= len(s.laid) || s.laid[i].column != s.laid[j].column {
		return false
	}
	a, b := s.laid[i].line, s.laid[j].line
	return math.Abs(a.Indent-b.Indent) < 1.5 && math.Abs(a.Slack-b.Slack) > 4 ||
		math.Abs(a.Indent-b.Indent) < 0.2 && a.Slack != b.Slack
}

// gapAbove returns the white space between line i and the nearest line above it, in its column or across the
// columns.
func (s *sheet) gapAbove(i int) float64 {
	l := s.laid[i]
	gap := math.Inf(1)
	const back = 200 // in lines; no column has more
	for j := i - 1; j >= max(0, i-back); j-- {
		o := s.laid[j]
		if o.r[0] < l.r[2] && l.r[0] < o.r[2] || o.column == l.column {
			if d := l.r[1] - o.r[3]; (o.r[1]+o.r[3])/2 < (l.r[1]+l.r[3])/2 {
				gap = min(gap, d)
				if o.column == l.column {
					break
				}
			}
		}
	}
	if math.IsInf(gap, 1) {
		return 0
	}
	return max(0, gap)
}

// edges returns the edges of the columns, as the lines of the sheet show them. It ignores one line in twenty,
// because justified columns have lines that stick out. Lines across the columns have the edges of all text.
func (s *sheet) edges() map[int]span {
	left, right := map[int][]float64{}, map[int][]float64{}
	addEdges := func(c int, l laid) {
		left[c], right[c] = append(left[c], l.r[0]), append(right[c], l.r[2])
	}
	for _, l := range s.laid {
		addEdges(l.column, l)
		if l.column >= 0 {
			addEdges(-1, l)
		}
	}
	out := map[int]span{}
	for c, x := range left {
		slices.Sort(x)
		slices.Sort(right[c])
		skip := len(x) / 20
		out[c] = span{x[skip], right[c][len(x)-1-skip]}
	}
	return out
}

// usualEdges returns the median edges of each column over all pages.
func usualEdges(sheets []*sheet) map[int]span {
	left, right := map[int][]float64{}, map[int][]float64{}
	for _, s := range sheets {
		for c, e := range s.edges() {
			left[c], right[c] = append(left[c], e.left), append(right[c], e.right)
		}
	}
	out := map[int]span{}
	for c := range left {
		slices.Sort(left[c])
		slices.Sort(right[c])
		out[c] = span{left[c][len(left[c])/2], right[c][len(right[c])/2]}
	}
	return out
}

// widen corrects the edges of a page with little text, using the usual ones.
func widen(e, usual span) span {
	if e.right-e.left > 0.7*(usual.right-usual.left) {
		return e
	}
	if usual.left <= e.left+2 && usual.right >= e.right-2 {
		return span{min(e.left, usual.left), max(e.right, usual.right)}
	}
	return e
}

// Words are stored and sent as a sequence. A word is the length and the bytes of its text, its box and size
// in hundredths of a point as signed varints, and a byte for its style and turn. As JSON, words would take more
// time than everything else that is done with a page.
const (
	setBold    = 1 << 3
	setItalic  = 1 << 4
	setCovered = 1 << 5
	setRaised  = 1 << 6
	setOther   = 1 << 7
	turnMask   = setBold - 1
)

// leastWord is the minimum number of bytes of an encoded word. With it, ReadWords refuses a claimed number of words
// that cannot fit into the input, before it allocates memory for the words.
const leastWord = 8

// ErrWords reports bytes that AppendWords did not write.
var ErrWords = errors.New("invalid encoding of words")

// AppendWords appends words to b. Places and sizes are rounded to hundredths of a point.
func AppendWords(b []byte, words []Word) []byte {
	b = binary.AppendUvarint(b, uint64(len(words)))
	for _, w := range words {
		b = binary.AppendUvarint(b, uint64(len(w.Text)))
		b = append(b, w.Text...)
		for _, x := range [...]float64{w.Rect[0], w.Rect[1], w.Rect[2], w.Rect[3], w.Size} {
			b = binary.AppendVarint(b, int64(math.Round(x*100)))
		}
		set := byte(w.Turn) & turnMask
		if w.Bold {
			set |= setBold
		}
		if w.Ital {
			set |= setItalic
		}
		if w.Covered {
			set |= setCovered
		}
		if w.Raised {
			set |= setRaised
		}
		if w.Other {
			set |= setOther
		}
		b = append(b, set)
	}
	return b
}

// ReadWords reads what AppendWords wrote. It returns ErrWords for anything else.
func ReadWords(b []byte) ([]Word, error) {
	in := wire{rest: b, all: string(b)}
	n := in.uint()
	if n > uint64(len(b)/leastWord) {
		return nil, fmt.Errorf("%w: %d in %d bytes", ErrWords, n, len(b))
	}
	out := make([]Word, n)
	for i := range out {
		w := &out[i]
		w.Text = in.text(in.uint())
		for k := range w.Rect {
			w.Rect[k] = in.hundredths()
		}
		w.Size = in.hundredths()
		set := in.byte()
		w.Turn, w.Bold, w.Ital = Rotation(set&turnMask), set&setBold != 0, set&setItalic != 0
		w.Covered, w.Raised, w.Other = set&setCovered != 0, set&setRaised != 0, set&setOther != 0
		if w.Text == "" || !utf8.ValidString(w.Text) || w.Turn > Askew {
			in.bad = true
		}
	}
	if in.bad || len(in.rest) > 0 {
		return nil, ErrWords
	}
	return out, nil
}

// wire reads values from the front of bytes. When one is missing, it sets bad and returns zero values.
type wire struct {
	rest []byte
	all  string // the whole input; texts share its memory
	bad  bool
}

func (w *wire) text(n uint64) string {
	pos := len(w.all) - len(w.rest)
	return w.all[pos:][:len(w.bytes(n))]
}

func (w *wire) bytes(n uint64) []byte {
	if n > uint64(len(w.rest)) {
		w.rest, w.bad = nil, true
		return nil
	}
	b := w.rest[:n]
	w.rest = w.rest[n:]
	return b
}

func (w *wire) byte() byte {
	if b := w.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (w *wire) uint() uint64 {
	v, n := binary.Uvarint(w.rest)
	w.bytes(taken(n))
	return v
}

func (w *wire) hundredths() float64 {
	v, n := binary.Varint(w.rest)
	w.bytes(taken(n))
	return float64(v) / 100
}

// taken returns n, the number of bytes of a varint. If no varint could be read, it returns a number that is larger
// than any input, so that bytes sets bad.
func taken(n int) uint64 {
	if n <= 0 {
		return math.MaxUint64
	}
	return uint64(n)
}
