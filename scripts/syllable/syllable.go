// Package syllable finds where French printers may break a word at the end of a
// line.
package syllable

import (
	"strings"
	"unicode"
)

// Least letters before and after a hyphen, as French printers have it.
const (
	minBefore = 2
	minAfter  = 3
	minLength = 6
)

// inseparable are the consonant pairs that begin a syllable together.
var inseparable = map[string]bool{
	"bl": true, "br": true, "cl": true, "cr": true, "dr": true, "fl": true, "fr": true, "gl": true, "gr": true,
	"pl": true, "pr": true, "tr": true, "vr": true, "ch": true, "ph": true, "th": true, "gn": true, "qu": true, "gu": true,
}

// Breaks returns where a word may be hyphenated, as rune offsets, ascending.
// It covers lower-case words only: names, capitals, numbers and words that have
// a hyphen already are left whole, so that joining the two halves of a broken
// word gives the word back.
func Breaks(word []rune) []int {
	start, end := letterSpan(word)
	if end-start < minLength {
		return nil
	}
	for i, r := range word[start:end] {
		if !unicode.IsLower(r) && i > 0 || !unicode.IsLetter(r) {
			return nil
		}
	}
	if unicode.IsUpper(word[start]) {
		return nil
	}
	var at []int
	for i := start + minBefore; i <= end-minAfter; i++ {
		if syllableStarts(word, start, end, i) {
			at = append(at, i)
		}
	}
	return at
}

// letterSpan leaves out the punctuation around a word and an elided « l' ».
func letterSpan(word []rune) (start, end int) {
	end = len(word)
	for i, r := range word {
		if r == '’' || r == '\'' {
			start = i + 1
		}
	}
	for start < end && !unicode.IsLetter(word[start]) {
		start++
	}
	for end > start && !unicode.IsLetter(word[end-1]) {
		end--
	}
	return start, end
}

// syllableStarts reports whether a syllable begins at i: a consonant before a
// vowel, or an inseparable pair before a vowel, with a vowel somewhere before
// and one that is not a mute ending after.
func syllableStarts(w []rune, start, end, i int) bool {
	if vowel(w[i]) || !anyVowel(w[start:i]) || !soundsAfter(w[i:end]) {
		return false
	}
	if i+1 < end && vowel(w[i+1]) {
		// « tr|avail » never: the pair stays together.
		pair := string(w[i-1 : i+1])
		return !inseparable[pair]
	}
	return i+2 < end && inseparable[string(w[i:i+2])] && vowel(w[i+2])
}

func vowel(r rune) bool { return strings.ContainsRune("aeiouyàâäéèêëîïôöùûüœæ", r) }

func anyVowel(w []rune) bool {
	for _, r := range w {
		if vowel(r) {
			return true
		}
	}
	return false
}

// soundsAfter refuses to send a mute syllable (« -ble », « -tes ») alone to the
// next line. An ending in -ent may be a verb's mute one; -ment is sounded.
func soundsAfter(w []rune) bool {
	tail := string(w)
	if !strings.HasSuffix(tail, "ment") {
		tail = strings.TrimSuffix(strings.TrimSuffix(tail, "nt"), "s")
		tail = strings.TrimSuffix(tail, "e")
	}
	return anyVowel([]rune(tail))
}
