package gazette

import (
	"slices"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

// LabeledLine is a line of the file, with its place in the cut texts.
type LabeledLine struct {
	Page       int
	Rect       law.Rect
	Text       string
	Label      string  // LabelHead … LabelLoose
	Confidence float64 // probability of its label, 0 to 1; 1 for lines that were set aside
	TextIndex  int     // in Issue.Texts, -1 for none
	Article    int     // index in that text's Articles, -1 for none
}

// The labels of lines.
const (
	LabelHead      = "head"
	LabelPreamble  = "preamble"
	LabelArticle   = "article"
	LabelSection   = "section"
	LabelSignature = "signature"
	LabelAnnex     = "annex"
	LabelLoose     = "loose"
)

// This file names the places of a file that its texts contradict, so that they may be read again.

// GapLines is a gap in the numbering of a text's articles, and the lines where their heads may be printed.
type GapLines struct {
	heads.Gap     // Before and Next are indexes in Text.Articles
	Text      int // index in Issue.Texts
	// FromLine and UntilLine are the range [FromLine, UntilLine) of Issue.Lines: from the line that begins the
	// article before the gap, or the text if there is no such article, up to the line that begins the article after
	// it.
	FromLine, UntilLine int
}

// Gaps returns the unexplained gaps in the numbering of articles, in file order. It skips lettered numbers, and gaps
// beside a head that is not at the beginning of a line.
func (is Issue) Gaps() []GapLines {
	var out []GapLines
	for t := range is.Texts {
		for _, g := range heads.Gaps(is.Texts[t].Articles) {
			from, until := is.lineOf(t, g.Before), is.lineOf(t, g.Next)
			if g.Plain() && from >= 0 && until > from {
				out = append(out, GapLines{g, t, from, until})
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
		if !slices.ContainsFunc(is.Texts[t].Doubts, func(d remarks.Doubt) bool { return d.Field == DateField }) {
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
			if _, counted := heads.LeadingNumber(article.Number); counted {
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
