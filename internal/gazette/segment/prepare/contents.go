package prepare

import (
	"strings"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// withoutContents separates a book's table of contents from its lines: before the text, unless the file is a
// gazette, whose summary the model labels, and after the last article.
func withoutContents(lines []line.Line, gazette bool) (text, contents []line.Line) {
	if from, to := contentsBefore(lines); !gazette && to > from {
		contents = append(contents, lines[from:to]...)
		lines = append(lines[:from:from], lines[to:]...)
	}
	end := contentsAfter(lines)
	return lines[:end:end], append(contents, lines[end:]...)
}

// contentsBefore finds the lines of a table of contents: from its heading to its last line with a page
// number, or to where its first entry occurs again.
func contentsBefore(lines []line.Line) (from, to int) {
	start := summaryAt(lines)
	if start < 0 {
		return 0, 0
	}
	to, last := start+1, start
	for i := start + 1; i < len(lines) && i-last < 40 && lines[i].Page-lines[start].Page < 8; i++ {
		if line.Leader.MatchString(lines[i].Text) {
			last, to = i, i+1
		}
	}
	if to == start+1 {
		to = repeatedFrom(lines, start+1)
	}
	return start, to
}

// contentsReach is the maximum number of lines of contents without page numbers.
const contentsReach = 120

// repeatedFrom returns the end of contents without page numbers that begin at lines[at]: the line that repeats their
// first entry, if most other entries also occur again after it. It returns the index at if there are no such contents.
func repeatedFrom(lines []line.Line, at int) int {
	if at >= len(lines) || len(heads.Letters(lines[at].Text)) < leastEntry {
		return at
	}
	var letters []string // of the lines from at on, computed on demand
	of := func(i int) string {
		for k := at + len(letters); k <= i; k++ {
			letters = append(letters, heads.Letters(lines[k].Text))
		}
		return letters[i-at]
	}
	for i := at + 3; i < len(lines) && i < at+contentsReach; i++ {
		if !sameEntry(of(at), of(i)) {
			continue
		}
		again, entries := 0, 0
		for e := at; e < i; e++ {
			if len(of(e)) < leastEntry {
				continue
			}
			entries++
			for k := i; k < len(lines); k++ {
				if sameEntry(of(e), of(k)) {
					again++
					break
				}
			}
		}
		if 3*again >= 2*entries {
			return i
		}
	}
	return at
}

// leastEntry is the minimum number of letters of an entry; shorter lines may be any word of the text.
const leastEntry = 8

// sameEntry reports whether two lines begin with the same words, as an entry and its heading do. a and b are the
// letters of the lines, without signs and accents.
func sameEntry(a, b string) bool {
	return len(a) >= leastEntry && len(b) >= leastEntry && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

func summaryAt(lines []line.Line) int {
	for i := 0; i < len(lines) && i < 80; i++ {
		if summaryHead.MatchString(lines[i].Text) {
			return i
		}
	}
	return -1
}

// contentsAfter returns the index of the line at which a table of contents after all articles begins,
// len(lines) if there is none.
func contentsAfter(lines []line.Line) int {
	first, leaders := len(lines), 0
	for i := len(lines) - 1; i > len(lines)/2; i-- {
		l := lines[i]
		if _, _, ok := l.Article(""); ok && line.MayHead(line.Before(lines, i), l) {
			break
		}
		if line.Leader.MatchString(l.Text) {
			first, leaders = i, leaders+1
		}
		if !summaryHead.MatchString(l.Text) || len(l.Text) > 60 || line.Leader.MatchString(l.Text) {
			continue
		}
		entries := 0
		for _, e := range lines[i+1:] {
			if line.Leader.MatchString(e.Text) || PageNumber.MatchString(e.Text) {
				entries++
			}
		}
		if entries > 2 && 3*entries > len(lines)-i-1 {
			return i
		}
	}
	if leaders > 3 && 2*leaders > len(lines)-first { // contents without a heading
		return first
	}
	return len(lines)
}

// PageNumber matches the page number that ends an entry or stands alone.
var PageNumber = law.Pattern(`\d{1,4}$`)

// summaryHead matches the heading of a summary or a table of contents.
var summaryHead = law.Pattern(`^(?i:s ?o ?m ?m ?a ?i ?r ?e|table des? mati[èe]res)\b|^(?:PLAN|Plan)(?: DE LA .{3,30})? *:?$`)
