// Package strength rejects passwords that are easily guessed: passwords known from breaches,
// words and names, sequences, repetitions, walks on a keyboard and dates, and combinations of
// few of these. It estimates the number of guesses as zxcvbn does (D. Wheeler, USENIX Security
// 2016, and the program before it), with embedded lists (README.md) and without any request to
// other servers. The lists are read when the first password is examined, not when a program
// starts.
package strength

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// leastGuesses is the minimum number of guesses for a password. According to zxcvbn's authors,
// it protects slow hashes that were stolen (https://github.com/dropbox/zxcvbn#usage).
const leastGuesses = 1e10

// examined is the number of code points of a password that are examined, because the time of
// the estimate grows with their square. A password whose first 64 code points are weak is
// weak.
const examined = 64

// spelled replaces digits and signs by the letters that people write them for.
var spelled = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i", "€", "e")

// Weak reports whether a password is easily guessed by somebody who knows the texts in own
// about its owner, such as the e-mail address and the name.
func Weak(password string, own ...string) bool {
	runes := []rune(norm.NFC.String(password))
	beginning := string(runes[:min(len(runes), examined)])
	if ownOnly(password, parts(own)) {
		return true
	}
	known := rank(parts(own))
	beginning = unit(beginning)
	readings := []string{beginning, removeAccents(beginning), spelled.Replace(strings.ToLower(beginning))}
	for i, reading := range readings {
		// A password is found on average after half of the guesses.
		if !slices.Contains(readings[:i], reading) && math.Exp2(bits([]rune(reading), known))/2 < leastGuesses {
			return true
		}
	}
	return false
}

// unit returns the shortest text of which s is a repetition, s itself if it is none: repeating
// a password does not make it harder to guess.
func unit(s string) string {
	if at := strings.Index((s + s)[min(1, len(s)):], s) + 1; at > 0 && at < len(s) {
		return s[:at]
	}
	return s
}

// ownOnly reports whether the letters of a password consist only of the owner's own words: a
// name with digits and signs around it is among the first guesses.
func ownOnly(password string, own []string) bool {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if !unicode.IsLetter(r) {
				return -1
			}
			return r
		}, strings.ToLower(removeAccents(s)))
	}
	rest := letters(password)
	slices.SortFunc(own, func(a, b string) int { return len(b) - len(a) }) // the longest first, so that no word is broken by a shorter one
	found := false
	for _, word := range own {
		if word = letters(word); word != "" && strings.Contains(rest, word) {
			rest, found = strings.ReplaceAll(rest, word, " "), true
		}
	}
	return found && strings.TrimSpace(rest) == ""
}

// parts returns the texts of own and their words, in the forms in which a password may contain
// them.
func parts(own []string) (list []string) {
	list = append(list, "vigueur")
	for _, whole := range own {
		for _, form := range []string{whole, removeAccents(whole)} {
			pieces := strings.FieldsFunc(form, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			list = append(append(list, form, strings.Join(pieces, "")), pieces...)
		}
	}
	return list
}
