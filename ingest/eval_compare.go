package main

import (
	"slices"
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

// letters are those of a text and its figures, folded: what is left when two
// people copied it from different prints.
func letters(s string) []rune {
	var out []rune
	for _, r := range law.Fold(s) {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			out = append(out, r)
		}
	}
	return out
}

const (
	edge     = 24   // letters at either end that tell where a cut is
	nearEdge = 0.75 // of them in common
	nearText = 0.95 // of all letters in common, by pairs
)

// sameCut tells whether two copies of an article begin and end at the same words,
// though not letter for letter.
func sameCut(a, b string) bool {
	x, y := letters(a), letters(b)
	if len(x) == 0 || len(y) == 0 {
		return len(x) == len(y)
	}
	n := min(edge, len(x), len(y))
	return common(x[:n], y[:n]) >= nearEdge && common(x[len(x)-n:], y[len(y)-n:]) >= nearEdge && common(x, y) >= nearText
}

// common is the share of pairs of letters that two texts have in common.
func common(x, y []rune) float64 {
	if slices.Equal(x, y) {
		return 1
	}
	pairs := map[[2]rune]int{}
	for i := 1; i < len(x); i++ {
		pairs[[2]rune{x[i-1], x[i]}]++
	}
	shared := 0
	for i := 1; i < len(y); i++ {
		if p := [2]rune{y[i-1], y[i]}; pairs[p] > 0 {
			pairs[p]--
			shared++
		}
	}
	return float64(shared) / float64(max(1, len(x)-1, len(y)-1))
}

// difference shows where two copies part.
func difference(got, want string) string {
	x, y := []rune(blind(got)), []rune(blind(want))
	i := 0
	for i < min(len(x), len(y)) && x[i] == y[i] {
		i++
	}
	part := func(s []rune) string { return "« " + cut(string(s[min(i, len(s)):]), 60) + " »" }
	return part(x) + ", et non " + part(y)
}
