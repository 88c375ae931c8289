package segment

import (
	"slices"
	"strings"
	"unicode/utf8"

	"vigueur/internal/law"
)

// LeftOut is a gap in the numbering of a text's articles: the file lacks the articles, or their heads were
// not recognized.
type LeftOut struct {
	Text     int // index in Issue.Texts
	From, To int // the first and the last missing number
	// First and Next are indexes in Issue.Lines. First is the line that begins the article before the gap,
	// or the text if there is no such article; Next is the line that begins the article after the gap.
	First, Next int
}

// LeftOut returns the gaps in the numbering of articles, in file order. It skips lettered numbers, and gaps
// beside a head that is not at the beginning of a line.
func (is Issue) LeftOut() []LeftOut {
	var out []LeftOut
	for t := range is.Texts {
		articles := is.Texts[t].Articles
		for _, run := range runsLeftOut(articles) {
			before := slices.IndexFunc(articles[:run.next], func(a law.Article) bool {
				n, ok := leading(a.Number)
				return ok && n == run.from-1
			})
			first, behind := is.lineOf(t, before), is.lineOf(t, run.next)
			if run.from > 0 && first >= 0 && behind > first {
				out = append(out, LeftOut{t, run.from, run.to, first, behind})
			}
		}
	}
	return out
}

// lineOf returns the index of the first line of an article or, if article is -1, of a text. It returns -1 if
// there is none.
func (is Issue) lineOf(text, article int) int {
	return slices.IndexFunc(is.Lines, func(l LabeledLine) bool {
		return l.TextIndex == text && (article < 0 || l.Article == article)
	})
}

// Undated is a text whose date was not read or is in doubt.
type Undated struct {
	Text int // index in Issue.Texts
	// Places are the non-empty ranges [from, to) of Issue.Lines where the date may be printed: the title, and
	// the end of the text from its last article on, where it is signed.
	Places [][2]int
}

// undatedReach is the maximum number of lines of a text's end in Undated.Places: an article and a page of signatures.
const undatedReach = 80

// Undated returns the texts whose date was not read or is in doubt, in file order.
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

// dirtBefore is the maximum number of characters that recognition may read from dirt before a line.
const dirtBefore = 3

// HeadIn looks for an article's head at the beginning of a line, given as words. It returns the article's
// number, 0 for none, and the number of words before the head, which were read from dirt.
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

// dirtSigns are the characters that recognition reads from dirt at the edge of a column.
const dirtSigns = "‘’'\"“”.,-–—_|*("

// cleanHead returns the number of the article whose head begins a line, 0 for none.
func cleanHead(text string) int {
	printed, _, ok := articleOf(text, "")
	if !ok {
		return 0
	}
	n, _ := leading(printed)
	return n
}

// blurredNumber is cleanHead for misread heads. A head that continues in lower case only mentions an article.
func blurredNumber(text string) int {
	h, ok := blurredArticle(text)
	if !ok || h.end < len(text) && !startsBig(text[h.end:]) {
		return 0
	}
	return h.number
}
