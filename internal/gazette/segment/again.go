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

// Undated is a text whose day was not read, or is doubted.
type Undated struct {
	Text int // index in Issue.Texts
	// Places are runs of lines in Issue.Lines, each by its first line and the one behind it: the title, and what
	// stands from the head of the last article to the text's end, where it is signed. None is empty.
	Places [][2]int
}

// undatedReach is how many lines of a text's end are given at most: an article and signatures on a page.
const undatedReach = 80

// Undated returns the texts whose day was not read or is doubted, in the order of the file.
func (is Issue) Undated() []Undated {
	var out []Undated
	for t := range is.Texts {
		if !slices.ContainsFunc(is.Texts[t].Doubts, func(d law.Doubt) bool { return d.Field == dateField }) {
			continue
		}
		u := Undated{Text: t}
		first := is.lineOf(t, -1)
		title, end := first, first
		for i := max(first, 0); i < len(is.Lines); i++ {
			switch l := is.Lines[i]; {
			case l.TextIndex != t:
				continue
			case l.Label == LabelHead && i == title:
				title++
			}
			end = i + 1
		}
		if first >= 0 && title > first {
			u.Places = append(u.Places, [2]int{first, title})
		}
		last := title
		for a, article := range is.Texts[t].Articles {
			if _, counted := leading(article.Number); counted {
				last = max(last, is.lineOf(t, a))
			}
		}
		if last = max(last, end-undatedReach); last >= 0 && last < end {
			u.Places = append(u.Places, [2]int{last, end})
		}
		out = append(out, u)
	}
	return out
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
