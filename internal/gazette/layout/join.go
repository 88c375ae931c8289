package layout

import (
	"strings"
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
	before, after, ok := brokenWord(t, next)
	switch {
	case !ok:
		return t, " "
	case hard || !mends(before, after):
		return t, ""
	}
	_, n := utf8.DecodeLastRuneInString(t)
	return t[:len(t)-n], ""
}

// brokenWord reports whether t ends in a hyphen that connects its last word with the first word of next. It
// returns both words as printed, without the hyphen.
func brokenWord(t, next string) (before, after string, ok bool) {
	r, n := utf8.DecodeLastRuneInString(t)
	if r != '-' && r != '\u2010' {
		return "", "", false
	}
	before = lastWord(t[:len(t)-n])
	after = firstWord(next)
	return before, after, before != "" && after != ""
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
