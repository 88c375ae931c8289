// Package line reads single lines of a gazette. The lines of a page, as package layout has arranged
// them, go in. Lines come out that say where paragraphs begin, which lines are set apart or in
// quotation marks, and which read as the head of an article or of a division.
package line

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
)

// Line is a printed line, with what its place on the page shows.
type Line struct {
	layout.Line
	Text     string
	Opens    bool    // it begins a paragraph
	Centered bool    // it is centered in its column, away from both edges
	Scale    float64 // size of type, or height of a recognized line
	Spaced   bool    // its words are as far apart as the cells of a table row

	Scanned bool // recognized on an image

	// Set by package prepare on a misread head.
	Repaired heads.Head // the head of an article; without a number if there is none
	Division string     // the word of a division: « chapitre »
}

// PageRange returns the first and the last page of lines.
func PageRange(lines []Line) (first, last int) {
	for i, l := range lines {
		if i == 0 {
			first, last = l.Page, l.Page
		}
		first, last = min(first, l.Page), max(last, l.Page)
	}
	return first, last
}

// Flatten returns the lines of all pages, and decides where paragraphs begin.
func Flatten(pages []layout.Page) []Line {
	n := 0
	for i := range pages {
		n += len(pages[i].Lines)
	}
	out := make([]Line, 0, n) // appending without a capacity would copy it many times
	for _, p := range pages {
		usual := usualGap(p.Lines)
		for _, l := range p.Lines {
			if len(l.Words) == 0 {
				continue
			}
			cur := measure(l)
			cur.Scanned = p.Source == layout.OCR
			cur.Opens = len(out) == 0 || Opens(out[len(out)-1], cur, usual)
			out = append(out, cur)
		}
	}
	return out
}

// measure computes what depends on the line alone.
func measure(l layout.Line) Line {
	out := Line{Line: l, Text: l.Text(), Scale: l.Size}
	if l.Size == 0 { // recognized on an image
		out.Scale = l.Rect[3] - l.Rect[1]
	}
	width := l.Rect[2] - l.Rect[0] + l.Indent + l.Slack
	distance := max(l.Indent-l.Slack, l.Slack-l.Indent)
	out.Centered = l.Indent >= 15 && l.Slack >= 15 && distance <= 0.12*width || l.Indent >= 8 && l.Slack >= 8 && distance <= 1
	for i := 1; i < len(l.Words); i++ {
		if l.Words[i].Rect[0]-l.Words[i-1].Rect[2] > max(2*out.Scale, 14) {
			out.Spaced = true
		}
	}
	return out
}

// usualGap returns the usual white space between the lines of a paragraph on a page: the 20th percentile of
// the gaps, because a page may have more paragraphs than wrapped lines.
func usualGap(lines []layout.Line) float64 {
	var gaps []float64
	for i := range lines {
		if i > 0 && lines[i].Column == lines[i-1].Column {
			gaps = append(gaps, lines[i].Gap)
		}
	}
	if len(gaps) == 0 {
		return 0
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/5]
}

// GoesOn reports whether next continues the sentence of prev, in one block with it: it begins with a lower-case letter, no
// paragraph begins there, or both lines are in centered capitals.
func GoesOn(prev, next Line) bool {
	if Ends(prev.Text) || next.Gap >= next.Scale {
		return false
	}
	alike := next.Bold == prev.Bold && next.Size == prev.Size
	capitals := next.Centered && prev.Centered && AllCaps(next.Text) && AllCaps(prev.Text)
	return StartsLower(next.Text) || alike && (!next.Opens || capitals)
}

// ListItem matches the beginning of a list item: « - », « 1° », « a) », « 2) », « (3) », « I. ».
var ListItem = law.Pattern(`^(?:(?:~|[•·▪●◦►§*o]) |(?:~|[•·▪●])\p{L}|\d{1,2} ?°|\d{1,2} ?\)|[a-z] ?\)|[ivx]{1,4} ?\)|\(\w{1,4}\) |\d{1,2}\. ?~ )`)

// Visa matches the beginning of a visa, which is a paragraph of its own even if the line before is full.
var Visa = law.Pattern(`^(?:Vu|VU|Considérant|CONSID[ÉE]RANT) `)

// Opens reports whether cur begins a paragraph after prev. It considers the white space above, an indent, a
// short line before, and how the words end and begin. No sign is enough alone, because texts are set in many
// ways.
func Opens(prev, cur Line, usual float64) bool {
	size := max(cur.Scale, 6)
	done := Ends(prev.Text)
	switch {
	case cur.Spaced || prev.Spaced:
		return true
	case cur.Centered != prev.Centered && !(prev.Centered && StartsLower(cur.Text)):
		return true
	case Visa.MatchString(cur.Text) && done:
		return true
	case DateContinues(prev.Text, cur.Text): // « le 1er février / 2026. »
		return false
	case ListItem.MatchString(cur.Text) && (done || strings.HasSuffix(prev.Text, ",") || IsShort(prev)):
		return true
	case StartsLower(cur.Text) && !done:
		return false
	}
	broken := cur.Page != prev.Page || cur.Column != prev.Column
	indented := cur.Indent > 4 && (broken || cur.Indent-prev.Indent > 4)
	apart := !broken && cur.Gap > usual+0.15*size
	switch {
	case cur.Centered: // both in the middle: a title's lines, or one title after another
		return done || cur.Bold != prev.Bold || cur.Gap > usual+0.6*size
	case !broken && (cur.Gap > usual+0.6*size || max(cur.Size-prev.Size, prev.Size-cur.Size) >= 1):
		return true
	case StartsLower(cur.Text):
		return indented && (apart || IsShort(prev))
	case done:
		return indented || apart || IsShort(prev)
	default:
		return (indented || apart) && (IsShort(prev) || strings.HasSuffix(prev.Text, ",")) || apart && indented ||
			cur.Bold != prev.Bold && (IsShort(prev) || IsShort(cur)) && !broken
	}
}

// DateContinues reports whether a date begins in a line and ends in the next one.
func DateContinues(line, next string) bool {
	if next == "" || next[0] < '0' || next[0] > '9' {
		return false
	}
	words := strings.Fields(line)
	tail := strings.Join(words[max(0, len(words)-2):], " ") // « 1er février »
	year, _, _ := strings.Cut(next, " ")
	_, start, end, ok := law.FindDate(tail + " " + year)
	return ok && start < len(tail) && end > len(tail)+1
}

// MayHead reports whether cur may be a heading or an article's head after prev. It needs fewer signs than the
// beginning of a paragraph, because the words of a head are a sign too.
func MayHead(prev *Line, cur Line) bool {
	return cur.Opens || cur.Centered || prev == nil || Ends(prev.Text) || IsShort(*prev) || cur.Bold != prev.Bold ||
		cur.Page != prev.Page || cur.Column != prev.Column || strings.HasSuffix(prev.Text, ")") && heads.Closed(cur.Text)
}

// Before returns the line before line i, nil for the first line.
func Before(lines []Line, i int) *Line {
	if i == 0 {
		return nil
	}
	return &lines[i-1]
}

// IsShort reports whether a line ends well before the edge of its column.
func IsShort(l Line) bool {
	width := l.Rect[2] - l.Rect[0] + l.Indent + l.Slack
	return l.Slack > max(0.08*width, 1.5*l.Scale)
}

// From returns the part of a line that begins at byte off of its text. If this byte is within a word, the word is
// split, and its rectangle is divided in proportion to the letters.
func (l Line) From(offset int) Line {
	rest, pos := l, 0
	rest.Words, rest.Repaired, rest.Division = nil, heads.Head{}, ""
	for _, w := range l.Words {
		end := pos + len(w.Text)
		switch {
		case pos >= offset:
			rest.Words = append(rest.Words, w)
		case end > offset:
			part := w
			part.Text = w.Text[offset-pos:]
			part.Rect[0] += (w.Rect[2] - w.Rect[0]) * float64(offset-pos) / float64(len(w.Text))
			rest.Words = append(rest.Words, part)
		}
		pos = end + 1
	}
	rest.Text = rest.Line.Text()
	if len(rest.Words) > 0 {
		left := rest.Rect[0]
		rest.Rect = BoundsOf(rest.Words)
		rest.Indent += rest.Rect[0] - left
	}
	return rest
}

// BoundsOf returns the smallest rectangle that contains the words.
func BoundsOf(words []layout.Word) law.Rect {
	r := words[0].Rect
	for _, w := range words[1:] {
		r = law.Rect{min(r[0], w.Rect[0]), min(r[1], w.Rect[1]), max(r[2], w.Rect[2]), max(r[3], w.Rect[3])}
	}
	return r
}

// Join returns the text of lines, read as one paragraph.
func Join(lines []Line) string {
	text, _ := layout.Join(LayoutOf(lines))
	return text
}

// LayoutOf returns lines as package layout has arranged them.
func LayoutOf(lines []Line) []layout.Line {
	out := make([]layout.Line, len(lines))
	for i := range lines {
		out[i] = lines[i].Line
	}
	return out
}

// HeadLine returns line i as the search for misread heads sees it. Taken is not set, because the line has not been read
// as anything yet.
func HeadLine(lines []Line, i int) heads.Line {
	l := &lines[i]
	return heads.Line{Text: l.Text, Apart: MayHead(Before(lines, i), *l), Opens: l.Opens, Scan: l.Scanned}
}

// Spot is a rectangle on a page.
type Spot struct {
	Page int
	Rect law.Rect
}

// SpotOf identifies a line by its page and its last word, which stay the same if its beginning is cut off.
func SpotOf(l layout.Line) Spot {
	return Spot{l.Page, l.Words[len(l.Words)-1].Rect}
}

// JoinAlineas joins the lines of an article into its text, one paragraph per line, and returns the span of each
// printed line in that text.
func JoinAlineas(lines []Line) (string, []law.Span) {
	var b strings.Builder
	var spans []law.Span
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && !lines[n].Opens {
			n++
		}
		text, at := layout.Join(LayoutOf(lines[:n]))
		lines = lines[n:]
		if text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		for _, s := range at {
			s.Start += b.Len()
			s.End += b.Len()
			spans = append(spans, s)
		}
		b.WriteString(text)
	}
	return b.String(), spans
}

// Ends reports whether a text ends with a sign that ends a sentence or a clause of a list.
func Ends(text string) bool {
	text = strings.TrimRight(text, " »\"”)]")
	r, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".;:!?…", r)
}

// StartsLower reports whether a text begins with a lower-case letter, as a line within a sentence does.
func StartsLower(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(r)
}

// AllCaps reports whether a text has at least two capitals and no lower-case letter.
func AllCaps(text string) bool {
	n := 0
	for _, r := range text {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			n++
		}
	}
	return n >= 2
}

// FirstWord returns the text up to its first blank.
func FirstWord(text string) string {
	for i, r := range text {
		if r == ' ' || r == '\u00a0' {
			return text[:i]
		}
	}
	return text
}

// LastWord returns the last word of a text.
func LastWord(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// WordSet returns the set of the given words, which blanks separate.
func WordSet(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

var plainLetters = strings.NewReplacer("é", "[ée]", "è", "[èe]", "ê", "[êe]", "à", "[àa]", "â", "[âa]", "î", "[îi]", "ô", "[ôo]", "û", "[ûu]", "ç", "[çc]")

// OptionalAccents is law.Pattern for an expression whose accents are optional, as many recognized texts lack them.
// Letters with accents must not occur in its character classes.
func OptionalAccents(expr string) *lazyre.Regexp { return law.Pattern(plainLetters.Replace(expr)) }

// Parts of several expressions.
const (
	DateText = `(?i:` + law.Day + `) +(?i:` + law.Months + `),? +\d{4}`
)

// Leader matches the dots between an entry of a table of contents and its page number.
var Leader = law.Pattern(`(?:\.{4,}|…{2,}|(?:\. ){4,}|_{5,})`)

// Joint signatories are printed side by side: « Le Ministre de l'Économie » and « Le Ministre du Commerce »
// on one line, their names on another. Two or more such lines form blocks, which are read one after the
// other.

// blockGap is the minimum width of the white space between two blocks, in heights of a line.
const blockGap = 1.5

// UnfoldBlocks puts lines of signatures that are printed side by side into reading order: the words left of the
// widest white space, then those right of it. Both halves may again consist of blocks.
func UnfoldBlocks(lines []Line) []Line {
	out := make([]Line, 0, len(lines))
	for i := 0; i < len(lines); {
		n, height := sideBySide(lines[i:])
		if n == 0 {
			out = append(out, lines[i])
			i++
			continue
		}
		var left, right []Line
		for _, l := range lines[i : i+n] {
			a, b := l.splitAt(height)
			left, right = append(left, a...), append(right, b...)
		}
		out = append(append(out, UnfoldBlocks(left)...), UnfoldBlocks(right)...)
		i += n
	}
	return out
}

// sideBySide returns the number of lines, from the first on, that form two blocks, and the x at which the blocks
// are separated. The number is 0 if fewer than two lines do.
func sideBySide(lines []Line) (n int, height float64) {
	white, ok := lines[0].white(0, lines[0].Rect[2])
	if !ok {
		return 0, 0
	}
	both, last := 1, 1
	for i := 1; i < len(lines); i++ {
		l := lines[i]
		if l.Page != lines[0].Page || l.Column != lines[0].Column || l.Gap > 6*max(l.Scale, 10) {
			break
		}
		if narrower, ok := l.white(white[0], white[1]); ok {
			white, last = narrower, i+1
			both++
			continue
		}
		if l.Rect[2] > white[0] && l.Rect[0] < white[1] || l.Gap > l.Scale {
			break
		}
		last = i + 1 // one block is longer than the other
	}
	if both < 2 {
		return 0, 0
	}
	return last, (white[0] + white[1]) / 2
}

// white returns the widest white space between two words of a line, within [start, to]. ok is false if none is
// as wide as blockGap.
func (l Line) white(start, end float64) (space [2]float64, ok bool) {
	for i := 1; i < len(l.Words); i++ {
		prev, next := l.Words[i-1].Rect, l.Words[i].Rect
		a, b := max(start, prev[2]), min(end, next[0])
		high := min(prev[3]-prev[1], next[3]-next[1]) // a signature written over a word makes its rectangle higher
		if b-a > blockGap*max(high, 6) && b-a > space[1]-space[0] {
			space, ok = [2]float64{a, b}, true
		}
	}
	return space, ok
}

func (l Line) splitAt(x float64) (left, right []Line) {
	pos := slices.IndexFunc(l.Words, func(w layout.Word) bool { return w.Rect[0] >= x })
	switch pos {
	case -1:
		return []Line{l}, nil
	case 0:
		return nil, []Line{l}
	}
	a, b := l, l
	a.Words, b.Words = l.Words[:pos:pos], l.Words[pos:]
	for _, part := range []*Line{&a, &b} {
		part.Rect, part.Text = BoundsOf(part.Words), part.Line.Text()
		part.Opens, part.Centered, part.Spaced = true, false, false
	}
	a.Slack, b.Indent = l.Slack+l.Rect[2]-a.Rect[2], l.Indent+b.Rect[0]-l.Rect[0]
	return []Line{a}, []Line{b}
}
