package titles

import "slices"

// Forget drops natures from the table, by their folded names, and returns the function that brings them back. This file
// serves the laboratory: a country that nothing was learned from may have acts of other names. Nothing else may read
// titles meanwhile.
func Forget(folded []string) (restore func()) {
	all, words, regexp := natures, natureWords, natureAt
	natures = slices.DeleteFunc(slices.Clone(natures), func(n Nature) bool { return slices.Contains(folded, n.Folded) })
	natureWords, natureAt = firstWords(natures), natureAtStart(namesOf(natures))
	return func() { natures, natureWords, natureAt = all, words, regexp }
}

// FoldedNatures returns the folded names of all natures.
func FoldedNatures() []string {
	var out []string
	for _, n := range natures {
		out = append(out, n.Folded)
	}
	return out
}
