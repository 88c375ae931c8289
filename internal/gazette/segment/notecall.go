package segment

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/gazette/layout"
)

// The call of a foot note stands raised behind a word, and in a PDF's text as if it
// were part of it: « révolus19 », « réserves(2) ». It is none of the law's words,
// would be quoted with them, and keeps the word from being found. It is known by its
// note: only what is the mark of a note under the same column is taken for a call.

// longestUnit is how many letters a unit or formula has that ends in a raised or
// lowered figure (« km2 », « SO2 »): behind so few a figure is not taken for a call.
const longestUnit = 3

// takeCalls takes the calls of the notes out of the words of a column's lines. The
// lines are changed, the words of the pages they come from are not.
func takeCalls(column, notes []line) {
	marks := noteMarks(notes)
	if len(marks) == 0 {
		return
	}
	for i := range column {
		takeLineCalls(&column[i], marks)
	}
}

// noteMarks returns the marks that notes begin with, without blanks: « (2) », « 19 ».
func noteMarks(notes []line) []string {
	var marks []string
	for i := range notes {
		if m := noteMark.FindStringSubmatch(notes[i].text); m != nil {
			marks = append(marks, strings.Join(strings.Fields(m[1]+m[2]+m[3]), ""))
		}
	}
	return slices.DeleteFunc(marks, func(m string) bool { return m == "" })
}

func takeLineCalls(l *line, marks []string) {
	var words []layout.Word // of the line without calls, nil while it has none
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
	l.text = l.Text()
}

// withoutCall is a word without the call at its end, or the word.
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

// callable reports whether a note's mark right behind these letters is its call.
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
