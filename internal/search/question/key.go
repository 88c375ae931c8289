package question

import "slices"

// Key returns the terms of a question in order, each once: questions of one key have the same words.
func Key(text string) []string {
	terms, _ := Content(normalize(text))
	return slices.Compact(slices.Sorted(slices.Values(terms)))
}
