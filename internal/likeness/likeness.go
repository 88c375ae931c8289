// Package likeness measures how like a text that was read is to the true one:
// how many of the true words were found, and how many of those stand in the
// true order. It knows nothing of pages; Words says what counts as a word.
//
// The package is pure. Its cost grows with the product of both lengths, so texts
// are compared file by file or page by page, not library by library.
package likeness

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Likeness is what Compare counted.
type Likeness struct {
	True    int `json:"true_words"`     // words of the truth
	Found   int `json:"found_words"`    // of them, found in the text that was read
	Ordered int `json:"words_in_order"` // of those found, in the true order
	Extra   int `json:"extra_words"`    // read and not in the truth
}

// Share is the share of the true words that were found.
func (l Likeness) Share() float64 { return share(l.Found, l.True) }

// Order is the share of the words found that stand in the true order.
func (l Likeness) Order() float64 { return share(l.Ordered, l.Found) }

// Plus adds up two counts.
func (l Likeness) Plus(o Likeness) Likeness {
	return Likeness{l.True + o.True, l.Found + o.Found, l.Ordered + o.Ordered, l.Extra + o.Extra}
}

// share of nothing is everything: an empty truth is fully found.
func share(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// Words cuts text into words: runs of letters and digits. Case, accents and
// digits count; punctuation, the form of apostrophes and ligatures do not,
// because printers and typists differ in them.
func Words(text string) []string {
	return strings.FieldsFunc(norm.NFKC.String(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Compare holds the text that was read against the truth. A word counts as often
// as it stands in both.
func Compare(truth, read []string) Likeness {
	left := map[string]int{}
	for _, w := range read {
		left[w]++
	}
	l := Likeness{True: len(truth), Ordered: common(truth, read)}
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
