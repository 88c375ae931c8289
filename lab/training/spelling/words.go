package main

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
	"vigueur/internal/search/question"
)

// elidable reports whether a folded word may follow an elided one, because it begins with a vowel or an h.
func elidable(word string) bool {
	return word == "y" || len(word) > 1 && strings.ContainsRune("aeiouyh", rune(word[0])) && strings.IndexFunc(word, notLetter) < 0
}

// elisions returns the words that may be elided before a word that is elidable, without their apostrophes.
func elisions(word string) (out []string) {
	for _, e := range []string{"d", "j", "l", "m", "n", "s", "t", "c", "qu", "k"} {
		if question.Elides(e, word) {
			out = append(out, e)
		}
	}
	return out
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// typedWords returns the folded words of a text: « l'usure » is one, « 12 » is none.
func typedWords(text string) (out []string) {
	elision := ""
	for start, rest := 0, law.Fold(text); rest != ""; rest = rest[start:] {
		end := strings.IndexFunc(rest, notLetter)
		if end < 0 {
			end = len(rest)
		}
		r, size := utf8.DecodeRuneInString(rest[end:])
		start = end + size
		switch word := rest[:end]; {
		case word == "":
		case law.Apostrophe(r) && wordFollows(rest[start:]) && len(word) <= 2 && question.Elides(word, rest[start:]):
			elision = word + "'"
			continue
		default:
			out = append(out, elision+word)
		}
		elision = ""
	}
	return out
}

func wordFollows(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r)
}
