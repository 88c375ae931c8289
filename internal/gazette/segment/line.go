package segment

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// line is a printed line, with what its place on the page shows.
type line struct {
	layout.Line
	text  string
	opens bool    // it begins a paragraph
	mid   bool    // it is centered in its column, away from both edges
	scale float64 // size of type, or height of a recognized line
	wide  bool    // its words are as far apart as the cells of a table row

	scan bool // recognized on an image

	// Set by mendHeads on a misread head.
	mended   heads.Head // the head of an article; without a number if the line is no such head
	division string     // the word of a division: « chapitre »
}

// flatten returns the lines of all pages, and decides where paragraphs begin.
func flatten(pages []layout.Page) []line {
	n := 0
	for i := range pages {
		n += len(pages[i].Lines)
	}
	out := make([]line, 0, n) // appending without a capacity would copy it many times
	for _, p := range pages {
		usual := usualGap(p.Lines)
		for _, l := range p.Lines {
			if len(l.Words) == 0 {
				continue
			}
			cur := measured(l)
			cur.scan = p.Source == layout.OCR
			cur.opens = len(out) == 0 || opens(out[len(out)-1], cur, usual)
			out = append(out, cur)
		}
	}
	return out
}

// measured computes what depends on the line alone.
func measured(l layout.Line) line {
	out := line{Line: l, text: l.Text(), scale: l.Size}
	if l.Size == 0 { // recognized on an image
		out.scale = l.Rect[3] - l.Rect[1]
	}
	width := l.Rect[2] - l.Rect[0] + l.Indent + l.Slack
	off := max(l.Indent-l.Slack, l.Slack-l.Indent)
	out.mid = l.Indent >= 15 && l.Slack >= 15 && off <= 0.12*width || l.Indent >= 8 && l.Slack >= 8 && off <= 1
	for i := 1; i < len(l.Words); i++ {
		if l.Words[i].Rect[0]-l.Words[i-1].Rect[2] > max(2*out.scale, 14) {
			out.wide = true
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

// item matches the beginning of a list item: « - », « 1° », « a) », « 2) », « (3) », « I. ».
var item = law.Pattern(`^(?:(?:~|[•·▪●◦►§*o]) |(?:~|[•·▪●])\p{L}|\d{1,2} ?[°º]|\d{1,2} ?\)|[a-z] ?\)|[ivx]{1,4} ?\)|\(\w{1,4}\) |\d{1,2}\. ?~ )`)

// visa matches the beginning of a visa, which is a paragraph of its own even if the line before is full.
var visa = law.Pattern(`^(?:Vu|VU|Considérant|CONSID[ÉE]RANT) `)

// opens reports whether cur begins a paragraph after prev. It considers the white space above, an indent, a
// short line before, and how the words end and begin. No sign is enough alone, because texts are set in many
// ways.
func opens(prev, cur line, usual float64) bool {
	size := max(cur.scale, 6)
	done := ended(prev.text)
	switch {
	case cur.wide || prev.wide:
		return true
	case cur.mid != prev.mid && !(prev.mid && beginsSmall(cur.text)):
		return true
	case visa.MatchString(cur.text) && done:
		return true
	case dateGoesOn(prev.text, cur.text): // « le 1er février / 2026. »
		return false
	case item.MatchString(cur.text) && (done || strings.HasSuffix(prev.text, ",") || short(prev)):
		return true
	case beginsSmall(cur.text) && !done:
		return false
	}
	broken := cur.Page != prev.Page || cur.Column != prev.Column
	indented := cur.Indent > 4 && (broken || cur.Indent-prev.Indent > 4)
	apart := !broken && cur.Gap > usual+0.15*size
	switch {
	case cur.mid: // both in the middle: a title's lines, or one title after another
		return done || cur.Bold != prev.Bold || cur.Gap > usual+0.6*size
	case !broken && (cur.Gap > usual+0.6*size || max(cur.Size-prev.Size, prev.Size-cur.Size) >= 1):
		return true
	case beginsSmall(cur.text):
		return indented && (apart || short(prev))
	case done:
		return indented || apart || short(prev)
	default:
		return (indented || apart) && (short(prev) || strings.HasSuffix(prev.text, ",")) || apart && indented ||
			cur.Bold != prev.Bold && (short(prev) || short(cur)) && !broken
	}
}

// dateGoesOn reports whether a date begins in a line and ends in the next one.
func dateGoesOn(line, next string) bool {
	if next == "" || next[0] < '0' || next[0] > '9' {
		return false
	}
	words := strings.Fields(line)
	tail := strings.Join(words[max(0, len(words)-2):], " ") // « 1er février »
	year, _, _ := strings.Cut(next, " ")
	_, start, end, ok := law.FindDate(tail + " " + year)
	return ok && start < len(tail) && end > len(tail)+1
}

// mayHead reports whether cur may be a heading or an article's head after prev. It needs fewer signs than the
// beginning of a paragraph, because the words of a head are a sign too.
func mayHead(prev *line, cur line) bool {
	return cur.opens || cur.mid || prev == nil || ended(prev.text) || short(*prev) || cur.Bold != prev.Bold ||
		cur.Page != prev.Page || cur.Column != prev.Column || strings.HasSuffix(prev.text, ")") && heads.Closed(cur.text)
}

// before returns the line before line i, nil for the first line.
func before(lines []line, i int) *line {
	if i == 0 {
		return nil
	}
	return &lines[i-1]
}

// short reports whether a line ends well before the edge of its column.
func short(l line) bool {
	width := l.Rect[2] - l.Rect[0] + l.Indent + l.Slack
	return l.Slack > max(0.08*width, 1.5*l.scale)
}

// ended reports whether a text ends with a sign that ends a sentence or a clause of a list.
func ended(text string) bool {
	text = strings.TrimRight(text, " »\"”)]")
	r, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".;:!?…", r)
}

// beginsSmall reports whether a text begins with a lower-case letter, as a line within a sentence does.
func beginsSmall(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(r)
}

// capitals reports whether a text has at least two capitals and no lower-case letter.
func capitals(text string) bool {
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

// after returns the part of a line that begins at byte off of its text. If this byte is within a word, the word is
// split, and its rectangle is divided in proportion to the letters.
func (l line) after(off int) line {
	rest, at := l, 0
	rest.Words, rest.mended, rest.division = nil, heads.Head{}, ""
	for _, w := range l.Words {
		end := at + len(w.Text)
		switch {
		case at >= off:
			rest.Words = append(rest.Words, w)
		case end > off:
			part := w
			part.Text = w.Text[off-at:]
			part.Rect[0] += (w.Rect[2] - w.Rect[0]) * float64(off-at) / float64(len(w.Text))
			rest.Words = append(rest.Words, part)
		}
		at = end + 1
	}
	rest.text = rest.Line.Text()
	if len(rest.Words) > 0 {
		left := rest.Rect[0]
		rest.Rect = around(rest.Words)
		rest.Indent += rest.Rect[0] - left
	}
	return rest
}

// around returns the smallest rectangle that contains the words.
func around(words []layout.Word) law.Rect {
	r := words[0].Rect
	for _, w := range words[1:] {
		r = law.Rect{min(r[0], w.Rect[0]), min(r[1], w.Rect[1]), max(r[2], w.Rect[2]), max(r[3], w.Rect[3])}
	}
	return r
}

// joined returns the text of lines, read as one paragraph.
func joined(lines []line) string {
	text, _ := layout.Join(printed(lines))
	return text
}

func printed(lines []line) []layout.Line {
	out := make([]layout.Line, len(lines))
	for i := range lines {
		out[i] = lines[i].Line
	}
	return out
}

// seenLine returns what the search for misread heads sees of line i. Taken is never set, because no line has been read
// as anything else yet.
func seenLine(lines []line, i int) heads.Line {
	l, prev := &lines[i], before(lines, i)
	return heads.Line{Text: l.text, Apart: mayHead(prev, *l), Opens: l.opens, Mid: l.mid, Scan: l.scan,
		After: prev != nil && (ended(prev.text) || short(*prev) || prev.Page != l.Page || prev.Column != l.Column)}
}

func firstWord(text string) string {
	for i, r := range text {
		if r == ' ' || r == '\u00a0' {
			return text[:i]
		}
	}
	return text
}
