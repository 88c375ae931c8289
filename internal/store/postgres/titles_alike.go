package postgres

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// twoSlips is the minimum number of letters of a word in which two typing errors are tolerated;
// from minTypoLength on it is one. These are the limits of the title index.
const twoSlips = 9

// alike reports whether a title has every word that was typed, apart from typing errors. The
// trigrams by which titles are found cannot tell: « congé » shares as many with each word that
// begins with « con » as with « conjé ». Words of fewer than minTypoLength letters do not count.
// Both are folded.
func alike(typed, title string) bool {
	words := wordsOf(title)
	for _, w := range wordsOf(typed) {
		if utf8.RuneCountInString(w) < minTypoLength {
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

// wordsOf returns the words of a folded text, which consist of letters and digits.
func wordsOf(text string) []string {
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
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
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
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// nearLetters is the maximum number of letters of a search for which nearForms lists forms: one
// for each letter, each of which is looked up.
const nearLetters = 200

// nearForms returns a condition on titles for the slip that trigrams are too coarse to find, and
// its argument $4: patterns of each typed word and of the forms that it has with two neighbors
// exchanged. An exchange destroys up to four of the trigrams of a word (« contarts » shares too few
// with « contrats »), but leaves few forms, and each of them is looked up by all of its trigrams.
// The condition is empty if no word may have slips, or if the words are too long. typed is folded;
// words consist of letters and digits, so no pattern needs an escape.
func nearForms(typed string) (condition string, patterns []string) {
	letters := 0
	var all []string
	for _, w := range wordsOf(typed) {
		n := utf8.RuneCountInString(w)
		if n < minTypoLength || !strings.ContainsFunc(w, unicode.IsLetter) {
			continue
		}
		if letters += n; letters > nearLetters {
			return "", nil
		}
		first := len(patterns) + 1
		patterns = append(patterns, "%"+w+"%")
		for _, form := range exchanged([]rune(w)) {
			patterns = append(patterns, "%"+form+"%")
		}
		all = append(all, fmt.Sprintf("d.title_folded LIKE ANY (($4::text[])[%d:%d])", first, len(patterns)))
	}
	return strings.Join(all, " AND "), patterns
}

// exchanged returns a word with each two neighbors exchanged that differ.
func exchanged(word []rune) (forms []string) {
	for i := 1; i < len(word); i++ {
		if word[i] != word[i-1] {
			forms = append(forms, string(word[:i-1])+string(word[i])+string(word[i-1])+string(word[i+1:]))
		}
	}
	return forms
}
