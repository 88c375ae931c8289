// Package sentence splits the text of an article into sentences. Article text goes in. Its sentences
// come out.
package sentence

import (
	"slices"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// Mentions reports whether a text contains one of the folded stems.
func Mentions(text string, stems []string) bool {
	folded := law.Fold(text)
	return slices.ContainsFunc(stems, func(stem string) bool { return strings.Contains(folded, stem) })
}

// Split splits the text of an article into sentences, as french.Sentences does, with two exceptions. Line ends do not end
// a sentence: the items of a list stay in one sentence. Nor does a full stop between numbers, which is a misread comma:
// « les articles 24. 42 et 319 ».
func Split(text string) []string {
	plain := []byte(text)
	digit := func(i int) bool { return i >= 0 && i < len(plain) && plain[i] >= '0' && plain[i] <= '9' }
	for i, c := range plain {
		switch {
		case c == '\n':
			plain[i] = ' '
		case c == '.' && digit(i-1) && digit(i+2) && plain[i+1] == ' ':
			plain[i] = ','
		}
	}
	var out []string
	for _, s := range french.Sentences(string(plain)) {
		out = append(out, text[s.Start:s.End])
	}
	return out
}
