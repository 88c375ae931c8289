package segment

import (
	"slices"
	"strings"
	"unicode/utf8"

	"vigueur/internal/law"
)

// LeftOut is a place where the count of a text's articles leaves numbers out: either the file
// does not have them, or their heads were not read.
type LeftOut struct {
	Text     int // index in Issue.Texts
	From, To int // the numbers, both included
	// First and Behind are indexes in Issue.Lines: of the line that begins the article before,
	// or the text where there is none, and of the one that begins the article behind.
	First, Behind int
}

// LeftOut returns the places where counts of articles leave numbers out, in the order of the
// file. Articles with letters, and heads that are not lines of their own, have none.
func (is Issue) LeftOut() []LeftOut {
	var out []LeftOut
	for t := range is.Texts {
		articles := is.Texts[t].Articles
		for _, run := range runsLeftOut(articles) {
			before := slices.IndexFunc(articles[:run.behind], func(a law.Article) bool {
				n, ok := leading(a.Number)
				return ok && n == run.from-1
			})
			first, behind := is.lineOf(t, before), is.lineOf(t, run.behind)
			if run.from > 0 && first >= 0 && behind > first {
				out = append(out, LeftOut{t, run.from, run.to, first, behind})
			}
		}
	}
	return out
}

// lineOf is the index of the first line of an article, or, for -1, of a text; -1 for none.
func (is Issue) lineOf(text, article int) int {
	return slices.IndexFunc(is.Lines, func(l LabeledLine) bool {
		return l.TextIndex == text && (article < 0 || l.Article == article)
	})
}

// dirtBefore is how many characters recognition may make of dirt before a line.
const dirtBefore = 3

// HeadIn looks for the head of an article at the beginning of a line given by its words. It returns the
// number, 0 for none, and how many words of dirt stand before it.
func HeadIn(words []string) (number, dirt int) {
	for _, read := range []func(string) int{cleanHead, blurredNumber} {
		before := 0
		for dirt := 0; dirt < len(words) && before <= dirtBefore; dirt++ {
			if n := read(strings.TrimLeft(strings.Join(words[dirt:], " "), dirtSigns)); n > 0 {
				return n, dirt
			}
			before += utf8.RuneCountInString(words[dirt])
		}
	}
	return 0, 0
}

// dirtSigns are what recognition makes of dirt at the edge of a column.
const dirtSigns = "‘’'\"“”.,-–—_|*("

// cleanHead is the number of the article whose head a line begins with; 0 for none.
func cleanHead(text string) int {
	printed, _, ok := articleOf(text, "")
	if !ok {
		return 0
	}
	n, _ := leading(printed)
	return n
}

// blurredNumber is cleanHead for heads with slips. What goes on in small letters only names an article.
func blurredNumber(text string) int {
	h, ok := blurredArticle(text)
	if !ok || h.end < len(text) && !startsBig(text[h.end:]) {
		return 0
	}
	return h.number
}
