// Package spelling compares what a person typed with words of the catalogue, apart from typing errors. Texts are folded
// (law.Fold).
package spelling

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MinLetters is the minimum number of letters of a word in which typing errors are tolerated:
// shorter words resemble too many others.
const MinLetters = 5

// twoSlips is the minimum number of letters of a word in which two typing errors are tolerated;
// from MinLetters on it is one. These are the limits of the title index.
const twoSlips = 9

// Alike reports whether a title has every word that was typed, apart from typing errors. The
// trigrams by which titles are found cannot tell: « congé » shares as many with each word that
// begins with « con » as with « conjé ». Words of fewer than MinLetters letters do not count.
// Both are folded.
func Alike(typed, title string) bool {
	words := Words(title)
	for _, w := range Words(typed) {
		if utf8.RuneCountInString(w) < MinLetters {
			continue
		}
		found := false
		for _, other := range words {
			if found = within(w, other); found {
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// Words returns the words of a folded text, which consist of letters and digits.
func Words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// within reports whether other is word apart from the typing errors that a word of this length
// may have. A number has none; « travai1 » is a word.
func within(word, other string) bool {
	if word == other {
		return true
	}
	if !strings.ContainsFunc(word, unicode.IsLetter) {
		return false
	}
	a, b := []rune(word), []rune(other)
	most := 1
	if len(a) >= twoSlips {
		most = 2
	}
	if d := len(a) - len(b); d > most || -d > most {
		return false
	}
	return slips(a, b) <= most
}

// slips returns how many letters are to be replaced, inserted, deleted, or exchanged with their
// neighbor, each letter at most once, to make a into b (optimal string alignment).
func slips(a, b []rune) int {
	previous, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i, letter := range a {
		row[0] = i + 1
		for j, other := range b {
			differs := 1
			if letter == other {
				differs = 0
			}
			row[j+1] = min(last[j]+differs, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && letter == b[j-1] && a[i-1] == other {
				row[j+1] = min(row[j+1], previous[j-1]+1)
			}
		}
		previous, last, row = last, row, previous
	}
	return last[len(b)]
}

// ExchangeNeighbors returns the forms of a word with two different neighbors exchanged.
func ExchangeNeighbors(text string) (forms []string) {
	word := []rune(text)
	for i := 1; i < len(word); i++ {
		if word[i] != word[i-1] {
			forms = append(forms, string(word[:i-1])+string(word[i])+string(word[i-1])+string(word[i+1:]))
		}
	}
	return forms
}

// Slips returns the forms of a folded word with two neighbors exchanged, one letter less, another one, or one more, in this
// order.
func Slips(text string) []string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	word := []rune(text)
	var less, other, more []string
	for i := range len(word) + 1 {
		left, right := string(word[:i]), string(word[i:])
		for _, l := range letters {
			more = append(more, left+string(l)+right)
			if i < len(word) && l != word[i] {
				other = append(other, left+string(l)+string(word[i+1:]))
			}
		}
		if i < len(word) {
			less = append(less, left+string(word[i+1:]))
		}
	}
	return slices.Concat(ExchangeNeighbors(text), less, other, more)
}
