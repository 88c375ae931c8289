// Package strength rejects passwords that are easily guessed: passwords known from breaches,
// words and names, sequences, repetitions and dates, and combinations of few of these. It
// estimates the number of guesses as zxcvbn does, with an embedded list (README.md) and without
// any request to others.
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

	"github.com/ccojocar/zxcvbn-go"
	"github.com/ccojocar/zxcvbn-go/matching"
	"golang.org/x/text/unicode/norm"
)

//go:embed words.txt.gz
var packed []byte

// least is the score of zxcvbn that a password needs, of 0 to 4. From 3 on it takes more
// than 10¹⁰ guesses, what its authors call safe from who has stolen slow hashes
// (https://github.com/dropbox/zxcvbn#usage).
const least = 3

// examined is how much of a password is looked at, in code points: the estimate takes
// time by the square, and one of so many that is weak in its beginning is weak.
const examined = 64

// words are the common passwords and words, the most common first, each also without
// its accents.
var words = sync.OnceValue(func() []string {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err) // the file is ours
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	var list []string
	for word := range strings.Lines(string(text)) {
		word = strings.TrimSuffix(word, "\n")
		list = append(list, word)
		if plain := unaccented(word); plain != word {
			list = append(list, plain)
		}
	}
	return list
})

// unaccented returns a text without the marks on its letters.
func unaccented(s string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s)))
}

// spelled are the letters that figures and signs stand for.
var spelled = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i", "€", "e")

// Weak reports whether a password is easily guessed by somebody who knows what is the
// person's own: an address, a name.
func Weak(password string, own ...string) bool {
	runes := []rune(norm.NFC.String(password))
	beginning := string(runes[:min(len(runes), examined)])
	if ownOnly(password, parts(own)) {
		return true
	}
	known := append(parts(own), words()...)
	beginning = unit(beginning)
	readings := []string{beginning, unaccented(beginning), spelled.Replace(strings.ToLower(beginning))}
	for i, reading := range readings {
		if slices.Contains(readings[:i], reading) {
			continue
		}
		// The library's own reading of figures as letters takes a time that grows without
		// a bound worth the name.
		if zxcvbn.PasswordStrength(reading, known, matching.FilterL33tMatcher).Score < least {
			return true
		}
	}
	return false
}

// unit is what a text repeats, the text itself where it repeats nothing: to write it
// twice makes it no harder.
func unit(s string) string {
	if at := strings.Index((s + s)[min(1, len(s)):], s) + 1; at > 0 && at < len(s) {
		return s[:at]
	}
	return s
}

// ownOnly reports whether the letters of a password are one's own words and nothing more:
// figures and signs around a name are what is tried first.
func ownOnly(password string, own []string) bool {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if !unicode.IsLetter(r) {
				return -1
			}
			return r
		}, strings.ToLower(unaccented(s)))
	}
	rest := letters(password)
	slices.SortFunc(own, func(a, b string) int { return len(b) - len(a) }) // the longest first: none is cut by a part of it
	found := false
	for _, word := range own {
		if word = letters(word); word != "" && strings.Contains(rest, word) {
			rest, found = strings.ReplaceAll(rest, word, " "), true
		}
	}
	return found && strings.TrimSpace(rest) == ""
}

// parts returns what is a person's own, whole and word by word, as a password may have it.
func parts(own []string) (list []string) {
	list = append(list, "vigueur")
	for _, whole := range own {
		for _, form := range []string{whole, unaccented(whole)} {
			pieces := strings.FieldsFunc(form, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			list = append(append(list, form, strings.Join(pieces, "")), pieces...)
		}
	}
	return list
}
