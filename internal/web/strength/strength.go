// Package strength rejects passwords that are easily guessed: one common password or word, the owner's own name or address, or
// a repetition, whatever digits, signs and few further letters are around it. The common words are embedded (README.md) and
// read when the first password is examined, not when a program starts.
package strength

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	leastUnit    = 8  // code points of what a password repeats
	leastVariety = 5  // different code points
	leastRest    = 4  // letters beside the owner's words and one common word
	examined     = 64 // code points of a password that are examined
)

// spelled replaces digits and signs by the letters that people write them for.
var spelled = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i", "€", "e")

// Weak reports whether a password is easily guessed by somebody who knows the texts in own
// about its owner, such as the e-mail address and the name.
func Weak(password string, own ...string) bool {
	runes := []rune(norm.NFC.String(password))
	beginning := string(runes[:min(len(runes), examined)])
	once := []rune(unit(beginning))
	if len(once) < leastUnit || len(slices.Compact(slices.Sorted(slices.Values(once)))) < leastVariety {
		return true
	}
	return guessed(letters(string(once)), own) || guessed(letters(spelled.Replace(string(once))), own)
}

// guessed reports whether few letters are left of a text without the owner's words and its longest common word.
func guessed(text string, own []string) bool {
	var words []string
	for _, whole := range own {
		words = append(words, letters(whole))
		for word := range strings.FieldsFuncSeq(whole, func(r rune) bool { return !unicode.IsLetter(r) }) {
			words = append(words, letters(word))
		}
	}
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) }) // the longest first, so that no word is broken by a shorter one
	for _, word := range words {
		if len(word) > 1 {
			text = strings.ReplaceAll(text, word, "")
		}
	}
	longest := ""
	for begin := range text {
		for end := begin + len(longest) + 1; end <= len(text); end++ {
			if common()[text[begin:end]] {
				longest = text[begin:end]
			}
		}
	}
	return len([]rune(strings.Replace(text, longest, "", 1))) < leastRest
}

// letters returns a text in lower case without accents, and without blanks and the digits and signs of ASCII.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || unicode.IsSpace(r) || r <= unicode.MaxASCII && !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(s))
}

// unit returns the shortest text of which s is a repetition, s itself if it is none: repeating
// a password does not make it harder to guess.
func unit(s string) string {
	if shift := strings.Index((s + s)[min(1, len(s)):], s) + 1; shift > 0 && shift < len(s) {
		return s[:shift]
	}
	return s
}

//go:embed common.txt.gz
var packed []byte

// common returns the letters of common passwords and words.
var common = sync.OnceValue(func() map[string]bool {
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err) // it is embedded
	}
	list, err := io.ReadAll(unpacked)
	if err != nil {
		panic(err) // it is embedded
	}
	words := map[string]bool{}
	for word := range strings.FieldsSeq(string(list)) {
		words[word] = true
	}
	return words
})
