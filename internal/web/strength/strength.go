// Package strength rejects passwords that are easily guessed: passwords known from breaches,
// words and names, sequences, repetitions, walks on a keyboard and dates, and combinations of
// few of these. It estimates the number of guesses as zxcvbn does (D. Wheeler, USENIX Security
// 2016, and the program before it), with embedded lists (README.md) and without any request to
// others. The lists are read when the first password is examined, not when a program starts.
package strength

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// leastGuesses is how many guesses a password must take at least: what zxcvbn's authors call
// safe from who has stolen slow hashes (https://github.com/dropbox/zxcvbn#usage).
const leastGuesses = 1e10

// examined is how much of a password is looked at, in code points: the estimate takes
// time by the square, and one of so many that is weak in its beginning is weak.
const examined = 64

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
	known := ranked(parts(own))
	beginning = unit(beginning)
	readings := []string{beginning, unaccented(beginning), spelled.Replace(strings.ToLower(beginning))}
	for i, reading := range readings {
		// A password is found on average after half of the guesses.
		if !slices.Contains(readings[:i], reading) && math.Exp2(bits([]rune(reading), known))/2 < leastGuesses {
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
