package recheck

import (
	"slices"
	"strconv"

	"vigueur/internal/law"
	"vigueur/internal/segment"
)

// confirmed reports whether a file was cut better with another reading of a place: the same texts with
// the same articles, and in one of them numbers that its count had left out; no doubt more.
func confirmed(before, after segment.Issue, place segment.LeftOut) bool {
	if len(after.Texts) != len(before.Texts) || doubts(after) > doubts(before) {
		return false
	}
	for t := range before.Texts {
		a, b := before.Texts[t], after.Texts[t]
		if !sameText(a.Document, b.Document) {
			return false
		}
		found := without(numbers(b), place, t == place.Text)
		if !slices.Equal(numbers(a), found) {
			return false
		}
	}
	return len(after.Texts[place.Text].Articles) > len(before.Texts[place.Text].Articles)
}

// without is a list of articles' numbers without those that were left out at a place, one of each.
func without(list []string, place segment.LeftOut, here bool) []string {
	if !here {
		return list
	}
	out := slices.Clone(list)
	for n := place.From; n <= place.To; n++ {
		number := strconv.Itoa(n)
		if n == 1 {
			number = "1er"
		}
		if i := slices.Index(out, number); i >= 0 {
			out = slices.Delete(out, i, i+1)
		}
	}
	return out
}

func numbers(t segment.Text) []string {
	out := make([]string, len(t.Articles))
	for i, a := range t.Articles {
		out[i] = a.Number
	}
	return out
}

func doubts(is segment.Issue) (n int) {
	for _, t := range is.Texts {
		n += len(t.Doubts)
	}
	return n
}

func sameText(a, b law.Document) bool {
	return a.Type == b.Type && a.OfficialNumber == b.OfficialNumber && a.Title == b.Title && a.FirstPage == b.FirstPage &&
		a.Promulgated.Equal(b.Promulgated)
}
