package recheck

import (
	"slices"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
)

// closesGap reports whether a file was cut better with another reading of a gap's lines: heads.Gap.FilledBy confirms
// the text with the gap, the other texts and their articles are the same, and the number of doubts has not grown.
func closesGap(before, after gazette.Issue, gap gazette.GapLines) bool {
	if len(after.Texts) != len(before.Texts) || doubts(after) > doubts(before) {
		return false
	}
	for t := range before.Texts {
		a, b := before.Texts[t], after.Texts[t]
		if !sameText(a.Document, b.Document) {
			return false
		}
		same := slices.Equal[[]string]
		if t == gap.Text {
			same = gap.FilledBy
		}
		if !same(articleNumbers(a), articleNumbers(b)) {
			return false
		}
	}
	return true
}

// articleNumbers returns the numbers of a text's articles. Headings and signatures have none.
func articleNumbers(t gazette.Text) (out []string) {
	for _, a := range t.Articles {
		if a.Number != "" {
			out = append(out, a.Number)
		}
	}
	return out
}

func doubts(is gazette.Issue) (n int) {
	for _, t := range is.Texts {
		n += len(t.Doubts)
	}
	return n
}

// settlesDate reports whether a file was cut better with another reading of a text's date: the texts and their
// articles are the same, the text has this date, and there are fewer doubts.
func settlesDate(before, after gazette.Issue, text int, day time.Time) bool {
	if len(after.Texts) != len(before.Texts) || doubts(after) >= doubts(before) || !after.Texts[text].Document.Promulgated.Equal(day) {
		return false
	}
	for t := range before.Texts {
		a, b := before.Texts[t].Document, after.Texts[t].Document
		if t == text { // the date of this text changes, and so does a title that contains the date
			b.Promulgated, b.Title = a.Promulgated, a.Title
		}
		if !sameText(a, b) || !slices.Equal(articleNumbers(before.Texts[t]), articleNumbers(after.Texts[t])) {
			return false
		}
	}
	return true
}

func sameText(a, b law.Document) bool {
	return a.Type == b.Type && a.OfficialNumber == b.OfficialNumber && a.Title == b.Title && a.FirstPage == b.FirstPage &&
		a.Promulgated.Equal(b.Promulgated)
}
