package segment

import (
	"slices"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/doubts"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/law"
)

// Articles that stand in no text are law that was lost: a text ends too early, or one was not seen. Those that a table of
// contents lists are none.

// stray is a run of articles, numbered one after the other, in lines that belong to no text.
type stray struct {
	start, end int // indexes of the lines of its first head, and after that of its last one
	articles   int
}

// strayLeast is the minimum number of articles of a stray: one number alone may be a citation at the beginning of a line.
const strayLeast = 2

// strays returns the runs of articles among lines with labels. It leaves out lines for which taken returns true.
func strays(lines []line.Line, labels []label.Label, taken func(i int) bool) []stray {
	var out []stray
	var run stray
	last := ""
	end := func() {
		if run.articles >= strayLeast {
			out = append(out, run)
		}
		run, last = stray{}, ""
	}
	quoted := line.InQuotes(lines)
	for i, l := range lines {
		if labels[i] == label.Summary || taken(i) {
			end()
			continue
		}
		number, _, ok := l.Article(last)
		if !ok || quoted[i] || !line.MayHead(line.Before(lines, i), l) {
			continue
		}
		if run.articles > 0 && !heads.MayFollow(number, last) {
			end()
		}
		if run.articles == 0 {
			run.start = i
		}
		run.articles, run.end, last = run.articles+1, i+1, number
	}
	end()
	return out
}

// noteStrays adds a doubt to the text before each run of articles that stand in no text, or to the first text. elsewhere
// lists lines that the file repeats or begins with: their articles are accounted for.
func noteStrays(drafts []*texts.Draft, lines []line.Line, labels []label.Label, elsewhere []line.Line) {
	owner := map[line.Spot]int{}
	for _, l := range elsewhere {
		owner[line.SpotOf(l.Line)] = -1
	}
	for k, d := range drafts {
		for _, l := range d.Lines {
			owner[line.SpotOf(l.Line)] = k
		}
	}
	place := make([]int, len(lines)) // of each line, the text that it belongs to or that comes before it
	own := make([]bool, len(lines))
	last := 0
	for i, l := range lines {
		k, taken := owner[line.SpotOf(l.Line)]
		if taken && k >= 0 {
			last = k
		}
		place[i], own[i] = last, taken
	}
	for _, s := range strays(lines, labels, func(i int) bool { return own[i] }) {
		why := remarks.Remark{Kind: remarks.ArticlesOutside, Found: s.articles, Pages: pagesOf(lines[s.start:s.end])}
		doubts.Note(drafts[place[s.start]], "complet", law.Clip(lines[s.start].Text, 100), lines[s.start].Page, 0.1, why)
	}
}

// pagesOf returns the numbers of the pages of lines, each once.
func pagesOf(lines []line.Line) []int {
	var out []int
	for _, l := range lines {
		out = append(out, l.Page)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
