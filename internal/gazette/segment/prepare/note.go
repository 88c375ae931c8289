package prepare

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// Footnotes are printed between two lines of an article, and do not belong to it. They are recognized by the
// rule that separates them from the text, or by their smaller type and the mark with which they begin.

var (
	noteRule = law.Pattern(`^(?:_ ?){5,}$|^(?:~ ?){8,}$`)
	noteMark = law.Pattern(`^(?:(\( ?\d{1,3} ?\))|(\d{1,3})(?: ?[~.)]| +~)|(\(?\*{1,3}\)?)) *["«(]?\p{L}`)
)

const (
	noteType  = 0.9 // maximum type size of a note, relative to the text above it
	noteShare = 0.6 // maximum share of the lines of a column that are notes
)

// setNotesAside separates the footnotes of all pages from the text, and removes, from the words of the text, the marks
// that refer to footnotes.
func setNotesAside(lines []line.Line) (text, notes []line.Line) {
	text = make([]line.Line, 0, len(lines))
	usual := usualSize(lines)
	broken := false // the previous notes end within a sentence
	for start := 0; start < len(lines); {
		end := start
		for end < len(lines) && lines[end].Page == lines[start].Page && lines[end].Column == lines[start].Column {
			end++
		}
		n := start + noteAt(lines[start:end], usual, broken)
		broken = n < end && !line.Ends(lines[end-1].Text)
		takeCalls(lines[start:n], lines[n:end])
		text = append(text, lines[start:n]...)
		notes = append(notes, lines[n:end]...)
		start = end
	}
	return text, notes
}

// noteAt returns the index of the first line of the notes at the end of a column, len(column) if there are
// none. Notes are set in smaller type than the text above them, and in smaller type than most of the column
// or, if notes fill most of it, most of the file (usual). A note that continues from the column before
// (goesOn) begins without a mark, so its smaller type is enough.
func noteAt(column []line.Line, usual float64, goesOn bool) int {
	n := len(column)
	least := n - int(noteShare*float64(n))
	for i := n - 1; i >= least; i-- {
		if i+1 < n && markOf(column[i+1]) != "" && noteRule.MatchString(column[i].Text) {
			return i
		}
	}
	usual = max(usual, usualSize(column))
	first, largest := n, 0.0
	for i := n - 1; i >= max(least, 1); i-- {
		largest = max(largest, column[i].Size)
		if !goesOn && markOf(column[i]) == "" {
			continue
		}
		if column[i].Size > 0 && largest <= noteType*min(usual, usualSize(column[:i])) { // scans have no type size
			first = i
		}
	}
	return first
}

// usualSize returns the type size of most letters, 0 if it is unknown.
func usualSize(lines []line.Line) float64 {
	letters := map[float64]int{}
	var sizes []float64
	for _, l := range lines {
		if letters[l.Size] == 0 {
			sizes = append(sizes, l.Size)
		}
		letters[l.Size] += len(l.Text)
	}
	slices.Sort(sizes)
	best := 0.0
	for _, z := range sizes {
		if letters[z] > letters[best] || best == 0 {
			best = z
		}
	}
	return best
}

// The call of a footnote is raised after a word, and in a PDF's text it seems part of this word: « révolus19 »,
// « réserves(2) ». The call does not belong to the law: if it stayed, it would be quoted with the law, and searches would
// not find the word. Only a mark with which a note under the same column begins counts as a call.

// longestUnit is the maximum number of letters of a unit or a formula that ends in a raised or lowered digit (« km2 »,
// « SO2 »). After so few letters a digit is part of the unit, not a call.
const longestUnit = 3

// takeCalls removes the calls of the notes from the words of a column's lines. It does not change the words
// of the pages that the lines come from.
func takeCalls(column, notes []line.Line) {
	marks := noteMarks(notes)
	if len(marks) == 0 {
		return
	}
	for i := range column {
		takeLineCalls(&column[i], marks)
	}
}

// noteMarks returns the marks that notes begin with, without blanks: « (2) », « 19 ».
func noteMarks(notes []line.Line) []string {
	var marks []string
	for i := range notes {
		marks = append(marks, markOf(notes[i]))
	}
	return slices.DeleteFunc(marks, func(m string) bool { return m == "" })
}

// markOf returns the mark with which a note begins, "" if the line begins with none: raised, or with a sign behind it.
func markOf(l line.Line) string {
	if len(l.Words) > 1 && l.Words[0].Raised {
		return l.Words[0].Text
	}
	m := noteMark.FindStringSubmatch(l.Text)
	if m == nil {
		return ""
	}
	return strings.Join(strings.Fields(m[1]+m[2]+m[3]), "")
}

func takeLineCalls(l *line.Line, marks []string) {
	words := make([]layout.Word, 0, len(l.Words)) // the line's words without calls
	changed := false
	for _, w := range l.Words {
		kept := withoutCall(w.Text, marks)
		if n := len(words) - 1; w.Raised && n >= 0 && !layout.Unit(words[n].Text) {
			if punctuation, ok := raisedCall(w.Text, marks); ok {
				words[n].Text += punctuation
				changed = true
				continue
			}
		}
		changed = changed || kept != w.Text
		w.Text = kept
		words = append(words, w)
	}
	if changed {
		l.Words = words
		l.Text = l.Line.Text()
	}
}

// raisedCall reports whether a raised word is the call of a note, in brackets or not, and returns what follows it in the word.
func raisedCall(word string, marks []string) (punctuation string, ok bool) {
	mark := strings.TrimRight(word, ".,;:")
	number := strings.Trim(mark, "()")
	return word[len(mark):], slices.ContainsFunc(marks, func(m string) bool { return strings.Trim(m, "()") == number })
}

// withoutCall returns the word without the call at its end, if it has one.
func withoutCall(word string, marks []string) string {
	kept := strings.TrimRight(word, ".,;:»”\"") // « révolus19. »
	for _, m := range marks {
		for _, end := range []int{len(word), len(kept)} {
			left, ok := strings.CutSuffix(word[:end], m)
			if ok && callable(left, m) {
				return left + word[end:]
			}
		}
	}
	return word
}

// callable reports whether a note's mark, right after these letters, is the note's call.
func callable(left, mark string) bool {
	r, _ := utf8.DecodeLastRuneInString(left)
	switch {
	case left == "":
		return false
	case !unicode.IsDigit(rune(mark[0])):
		return unicode.IsLetter(r) || strings.ContainsRune("»”\"’)", r)
	}
	letters := strings.TrimLeftFunc(left, func(r rune) bool { return !unicode.IsLetter(r) })
	return utf8.RuneCountInString(letters) > longestUnit && unicode.IsLower(r)
}
