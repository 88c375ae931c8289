package fulltext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// Beginnings splits what a person has typed into folded beginnings of words, which consist
// of letters and digits.
func Beginnings(typed string) []string {
	return strings.FieldsFunc(law.Fold(typed), func(r rune) bool { return !isOfWord(r) })
}

func isOfWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// MarkBeginnings returns the places of the words in text that start with one of the
// beginnings.
func MarkBeginnings(text string, beginnings []string) []Mark {
	marks := []Mark{}
	characters, at := 0, 0
	for at < len(text) {
		size := strings.IndexFunc(text[at:], func(r rune) bool { return !isOfWord(r) && !unicode.Is(unicode.Mn, r) })
		switch {
		case size < 0:
			size = len(text) - at
		case size == 0: // between two words
			_, size = utf8.DecodeRuneInString(text[at:])
			at, characters = at+size, characters+1
			continue
		}
		word := text[at : at+size]
		n := utf8.RuneCountInString(word)
		if begins(law.Fold(word), beginnings) {
			marks = append(marks, Mark{characters, characters + n})
		}
		at, characters = at+size, characters+n
	}
	return marks
}

func begins(word string, beginnings []string) bool {
	for _, b := range beginnings {
		if strings.HasPrefix(word, b) {
			return true
		}
	}
	return false
}
