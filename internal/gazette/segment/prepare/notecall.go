package prepare

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/line"
)

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
		if m := noteMark.FindStringSubmatch(notes[i].Text); m != nil {
			marks = append(marks, strings.Join(strings.Fields(m[1]+m[2]+m[3]), ""))
		}
	}
	return slices.DeleteFunc(marks, func(m string) bool { return m == "" })
}

func takeLineCalls(l *line.Line, marks []string) {
	var words []layout.Word // the line's words without calls, nil if it has none
	for i, w := range l.Words {
		kept := withoutCall(w.Text, marks)
		if kept == w.Text {
			continue
		}
		if words == nil {
			words = slices.Clone(l.Words)
		}
		words[i].Text = kept
	}
	if words == nil {
		return
	}
	l.Words = words
	l.Text = l.Line.Text()
}

// withoutCall returns the word without the call at its end, if it has one.
func withoutCall(word string, marks []string) string {
	kept := strings.TrimRight(word, ".,;:»”\"") // « révolus19. »
	for _, m := range marks {
		for _, end := range []int{len(word), len(kept)} {
			before, ok := strings.CutSuffix(word[:end], m)
			if ok && callable(before, m) {
				return before + word[end:]
			}
		}
	}
	return word
}

// callable reports whether a note's mark, right after these letters, is the note's call.
func callable(before, mark string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case before == "":
		return false
	case !unicode.IsDigit(rune(mark[0])):
		return unicode.IsLetter(r) || strings.ContainsRune("»”\"’)", r)
	}
	letters := strings.TrimLeftFunc(before, func(r rune) bool { return !unicode.IsLetter(r) })
	return utf8.RuneCountInString(letters) > longestUnit && unicode.IsLower(r)
}
