package main

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// likeness is how like a text that was read is to the true one: how many of the true
// words were found, and how many of those stand in the true order. It knows nothing of
// pages.
type likeness struct {
	True    int `json:"true_words"`     // words of the truth
	Found   int `json:"found_words"`    // of them, found in the text that was read
	Ordered int `json:"words_in_order"` // of those found, in the true order
	Extra   int `json:"extra_words"`    // read and not in the truth
}

// Share is the share of the true words that were found.
func (l likeness) Share() float64 { return share(l.Found, l.True) }

// Order is the share of the words found that stand in the true order.
func (l likeness) Order() float64 { return share(l.Ordered, l.Found) }

// Plus adds up two counts.
func (l likeness) Plus(o likeness) likeness {
	return likeness{l.True + o.True, l.Found + o.Found, l.Ordered + o.Ordered, l.Extra + o.Extra}
}

// share of nothing is everything: an empty truth is fully found.
func share(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// words cuts text into words: runs of letters and digits. Case, accents and
// digits count; punctuation, the form of apostrophes and ligatures do not,
// because printers and typists differ in them.
func words(text string) []string {
	return strings.FieldsFunc(norm.NFKC.String(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// compare holds the text that was read against the truth. A word counts as often
// as it stands in both. The cost grows with the product of both lengths.
func compare(truth, read []string) likeness {
	left := map[string]int{}
	for _, w := range read {
		left[w]++
	}
	l := likeness{True: len(truth), Ordered: common(truth, read)}
	for _, w := range truth {
		if left[w] > 0 {
			left[w]--
			l.Found++
		}
	}
	l.Extra = len(read) - l.Found
	return l
}

// common is the length of the longest sequence that stands in both, in order
// but not necessarily at once.
func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, w := range a {
		diagonal := 0
		for j, v := range b {
			above := row[j+1]
			if w == v {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}
