package amend

import (
	"slices"
	"strings"

	"vigueur/internal/law"
)

// A wording of a whole article may leave out what it does not change: with « (la suite sans modification) » all that
// follows the alineas that it prints, with dots the words between those that it prints of an alinea.

// dots matches the dots for words that a wording leaves out.
var dots = law.Pattern(`[.…]*(?:\.{5}|…{2})[.… ]*`)

// elided parts the lines of a wording from a last line that leaves the rest of the article as it is. known reports
// whether Apply can supply all that the lines leave out.
func elided(lines []string) (out []string, tail, known bool) {
	if n := len(lines); n > 1 && rest.MatchString(lines[n-1]) {
		lines, tail = lines[:n-1], true
	}
	for _, line := range lines {
		if at := dots.FindAllStringIndex(line, -1); len(at) == 1 && strings.ContainsFunc(line, wordRune) {
			continue
		}
		if unchanged.MatchString(line) {
			return lines, tail, false
		}
	}
	return lines, tail, true
}

// supply returns the alineas of a wording with what they leave out of the alineas before. ok is false if that is unclear:
// dots must be in one alinea of the article before, and the last line before the rest must be most like one.
func (s *structure) supply(op Operation) (out []string, ok bool) {
	before := make([]words, len(s.lines))
	for i, l := range s.lines {
		before[i] = wordsOf(s.text[l.Start:l.End])
	}
	at, anchored := 0, false
	for _, line := range op.New {
		gap := dots.FindStringIndex(line)
		n := -1
		if gap != nil {
			head, end := wordsOf(line[:gap[0]]).text, wordsOf(line[gap[1]:]).text
			for i := at; i < len(before); i++ {
				if w := before[i].text; len(w) < len(head)+len(end) || !slices.Equal(w[:len(head)], head) || !slices.Equal(w[len(w)-len(end):], end) {
					continue
				}
				if n >= 0 {
					return nil, false
				}
				n = i
			}
			if n < 0 {
				return nil, false
			}
			line = s.text[s.lines[n].Start:s.lines[n].End]
		} else {
			n = mostLike(wordsOf(line).text, before, at)
		}
		if anchored = n >= 0; anchored {
			at = n + 1
		}
		out = append(out, line)
	}
	if !op.Rest {
		return out, true
	}
	for _, l := range s.lines[at:] {
		out = append(out, s.text[l.Start:l.End])
	}
	return out, anchored
}

// mostLike returns the alinea that shares more words with a line than any other one does, from one of them on; -1 if
// there is none. Of 482 alineas that acts changed in consolidated articles, it finds 426, none for 46, another for 10.
func mostLike(line []string, alineas []words, from int) int {
	best, most, tied := -1, 0, false
	for i := from; i < len(alineas); i++ {
		left := map[string]int{}
		for _, w := range line {
			left[w]++
		}
		shared := 0
		for _, w := range alineas[i].text {
			if left[w] > 0 {
				left[w]--
				shared++
			}
		}
		if tied = tied && shared <= most || shared == most; shared > most {
			best, most, tied = i, shared, false
		}
	}
	if tied || 2*most <= len(line) {
		return -1
	}
	return best
}
