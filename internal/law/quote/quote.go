// Package quote compares words that somebody quotes with the text that they are quoted from.
//
// A quotation and a text go in; whether the quotation is in the text, where, and how the two
// differ come out. Case, punctuation, white space and hyphens, also those that break a word at the end of a line, do not count; accents do.
// Any bytes are accepted. The time is proportional to the product of the two lengths in words.
package quote

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vigueur/internal/law"
)

// Verdict says whether a text has the words of a quotation.
type Verdict string

// The verdicts.
const (
	Identical Verdict = "identique"
	Different Verdict = "differente"
	Absent    Verdict = "absente"
)

// Difference is where a quotation departs from the text: the words of both, one of which may
// be empty.
type Difference struct {
	Quoted  string `json:"quoted"`
	Article string `json:"article"`
}

// Comparison is the result of Compare.
type Comparison struct {
	Verdict     Verdict
	Start, End  int          // bytes of the part of the text that the quotation renders; 0, 0 if Absent
	Differences []Difference // never nil; empty unless Different
}

// FewestWords is the number of words from which a quotation can be Different: of fewer, one
// that differs is half of them, and the quotation Absent.
const FewestWords = 3

// Words returns the number of words of a text.
func Words(text string) int { return len(wordsOf(text)) }

// word is a word of a text with its place.
type word struct {
	key        string // as it is compared
	start, end int    // bytes of the text
}

// wordsOf returns the words of a text: runs of letters and digits. They are compared without
// case, and with their accents, which distinguish words.
func wordsOf(text string) (list []word) {
	start := -1
	end := func(pos int) {
		if start >= 0 {
			list = append(list, word{strings.ToLower(norm.NFC.String(text[start:pos])), start, pos})
			start = -1
		}
	}
	for i, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if start < 0 {
				start = i
			}
		case !law.Invisible(r): // a hyphen that only shows where a word may be broken
			end(i)
		}
	}
	end(len(text))
	return list
}

// whole returns the words of a text with those whole that are broken at the end of a line, if the other text has them so:
// « préa-⏎vis » is « préavis », but « avant-⏎hier » is « avant-hier » where the other text has two words.
func whole(text string, words []word, otherText string, other []word) []word {
	breaks := false
	for i := 1; i < len(words) && !breaks; i++ {
		breaks = breaksLine(text[words[i-1].end:words[i].start])
	}
	if !breaks {
		return words
	}
	known := make(map[string]bool, len(other))
	for i, w := range other {
		if known[w.key] = true; i > 0 && breaksLine(otherText[other[i-1].end:w.start]) {
			known[other[i-1].key+w.key] = true
		}
	}
	out := make([]word, 0, len(words))
	for _, w := range words {
		if n := len(out); n > 0 && breaksLine(text[out[n-1].end:w.start]) && known[out[n-1].key+w.key] {
			out[n-1].key, out[n-1].end = out[n-1].key+w.key, w.end
			continue
		}
		out = append(out, w)
	}
	return out
}

// breaksLine reports whether what stands between two words is a hyphen at the end of a line.
func breaksLine(gap string) bool {
	r, size := utf8.DecodeRuneInString(gap)
	return law.Hyphen(r) && strings.Count(gap, "\n") == 1 && strings.TrimSpace(gap[size:]) == ""
}

// mostWords is the maximum number of an article's words that a quotation is sought in: more
// would take longer than a call may.
const mostWords = 50_000

// Compare says whether the words of a quotation stand one after the other in a text, else where
// they differ from the part of the text that is nearest to them (the fewest words changed, left
// out or added; Sellers, 1980). A quotation of which half the words or more would have to change
// is Absent. The error is that of ctx.
func Compare(ctx context.Context, quotation, text string) (Comparison, error) {
	none := Comparison{Verdict: Absent, Differences: []Difference{}}
	q, t := wordsOf(quotation), wordsOf(text)
	q = whole(quotation, q, text, t)
	t = whole(text, t, quotation, q)
	t = t[:min(len(t), mostWords)]
	if len(q) == 0 || len(t) == 0 {
		return none, nil
	}
	first, last, cost, err := nearest(ctx, q, t)
	if err != nil || 2*cost >= len(q) || last <= first {
		return none, err
	}
	found := Comparison{Verdict: Identical, Start: t[first].start, End: t[last-1].end, Differences: []Difference{}}
	if cost > 0 {
		found.Verdict, found.Differences = Different, departures(quotation, text, q, t[first:last])
	}
	return found, nil
}

// nearest returns the part t[first:last] whose words are nearest to q, and the number of
// words that differ. The error is that of ctx.
func nearest(ctx context.Context, q, t []word) (first, last, cost int, err error) {
	type cell struct{ cost, from int }
	column := make([]cell, len(q)+1)
	for i := range column {
		column[i] = cell{i, 0}
	}
	best := cell{len(q), 0}
	for j := range t {
		if j%64 == 0 && ctx.Err() != nil {
			return 0, 0, 0, context.Cause(ctx)
		}
		diagonal := column[0]
		column[0] = cell{0, j + 1} // a part may begin behind any word
		for i := 1; i <= len(q); i++ {
			changed := diagonal
			if q[i-1].key != t[j].key {
				changed.cost++
			}
			diagonal = column[i]
			added, left := cell{column[i].cost + 1, column[i].from}, cell{column[i-1].cost + 1, column[i-1].from}
			column[i] = changed
			for _, other := range []cell{added, left} {
				if other.cost < column[i].cost {
					column[i] = other
				}
			}
		}
		// Of parts with the same beginning that are equally near, the longest shows most of what differs.
		if end := column[len(q)]; end.cost < best.cost || end.cost == best.cost && end.from == best.from && end.cost < len(q) {
			best, last = end, j+1
		}
	}
	return best.from, last, best.cost, nil
}

// mostCells is the maximum product of the words of a quotation and of a part of a text that are
// compared one by one. Longer ones differ from the first to the last word that does.
const mostCells = 4 << 20

// departures returns where a quotation and a part of a text differ, neighboring words together.
func departures(quotation, text string, q, t []word) []Difference {
	for len(q) > 0 && len(t) > 0 && q[0].key == t[0].key {
		q, t = q[1:], t[1:]
	}
	for len(q) > 0 && len(t) > 0 && q[len(q)-1].key == t[len(t)-1].key {
		q, t = q[:len(q)-1], t[:len(t)-1]
	}
	if len(q)*len(t) > mostCells {
		return []Difference{{between(quotation, q), between(text, t)}}
	}
	// costs[i][j] is the number of differences of q[i:] and t[j:].
	costs := make([][]int32, len(q)+1)
	for i := range costs {
		costs[i] = make([]int32, len(t)+1)
	}
	for i := len(q); i >= 0; i-- {
		for j := len(t); j >= 0; j-- {
			switch {
			case i == len(q):
				costs[i][j] = int32(len(t) - j)
			case j == len(t):
				costs[i][j] = int32(len(q) - i)
			case q[i].key == t[j].key:
				costs[i][j] = costs[i+1][j+1]
			default:
				costs[i][j] = 1 + min(costs[i+1][j+1], costs[i+1][j], costs[i][j+1])
			}
		}
	}
	out := []Difference{}
	for i, j := 0, 0; i < len(q) || j < len(t); {
		if i < len(q) && j < len(t) && q[i].key == t[j].key {
			i, j = i+1, j+1
			continue
		}
		fromI, fromJ := i, j
		for (i < len(q) || j < len(t)) && (i == len(q) || j == len(t) || q[i].key != t[j].key) {
			switch {
			case j == len(t) || i < len(q) && costs[i][j] == 1+costs[i+1][j]:
				i++
			case i == len(q) || costs[i][j] == 1+costs[i][j+1]:
				j++
			default:
				i, j = i+1, j+1
			}
		}
		out = append(out, Difference{between(quotation, q[fromI:i]), between(text, t[fromJ:j])})
	}
	return out
}

// between returns the text from the first to the last of some words.
func between(text string, words []word) string {
	if len(words) == 0 {
		return ""
	}
	return text[words[0].start:words[len(words)-1].end]
}
