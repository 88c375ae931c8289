package main

import (
	"strings"
	"unicode"

	"vigueur/internal/law"
)

// blind is a text without white space, and without the marks that a sample's
// truth puts between the cells of a table.
func blind(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '|' {
			return -1
		}
		switch r {
		case '’', '‘', 'ʼ':
			return '\''
		case '‐', '‑', '–', '—':
			return '-'
		}
		return r
	}, s)
}

// run is how many words in a row tell where in a text one is.
const run = 7

// runs are the places of a text: each stretch of words, folded, with the letters
// run together so that blanks and hyphens of a printer do not count.
func runs(s string) map[string]bool {
	words := strings.FieldsFunc(law.Fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	out := map[string]bool{}
	for i := 0; i+run <= len(words); i++ {
		out[strings.Join(words[i:i+run], " ")] = true
	}
	if len(words) > 0 && len(words) < run {
		out[strings.Join(words, " ")] = true
	}
	return out
}

// strayed counts the runs of an article that lie in a neighbor on the other
// side, when the same neighbor on its own side does not have them: the words at
// which two cuts part. Lists are of runs, here and there the article's places.
func strayed(own []map[string]bool, here int, other []map[string]bool, there int) int {
	n := 0
	for _, step := range []int{-1, 1} {
		i, k := here+step, there+step
		if k < 0 || k >= len(other) {
			continue
		}
		for r := range own[here] {
			if other[k][r] && !other[there][r] && (i < 0 || i >= len(own) || !own[i][r]) {
				n++
			}
		}
	}
	return n
}

// shared counts the runs that two texts have in common.
func shared(a, b map[string]bool) int {
	n := 0
	for r := range a {
		if b[r] {
			n++
		}
	}
	return n
}

// shown is how many characters of a difference are printed.
const shown = 60

// difference shows where two copies part.
func difference(got, want string) string {
	x, y := []rune(blind(got)), []rune(blind(want))
	i := 0
	for i < min(len(x), len(y)) && x[i] == y[i] {
		i++
	}
	part := func(s []rune) string { return "« " + string(s[min(i, len(s)):min(i+shown, len(s))]) + " »" }
	return part(x) + ", and not " + part(y)
}
