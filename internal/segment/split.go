package segment

import (
	"slices"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/page"
)

// Split cuts an arranged file into its texts. A file in which no beginning of a
// text is recognized is one text, known by its hints and doubtful.
func Split(pages []page.Page, hints Hints) Issue {
	mending, pages := mend(pages, hints)
	pages, order := inOrder(pages)
	lines, notes := setNotesAside(flatten(pages))
	lines, foreign := setEnglishAside(lines)
	mendHeads(lines)
	m := readMasthead(pages, lines)
	issue := Issue{Number: m.number, Date: m.date}
	issue.loose(notes)
	issue.loose(foreign)
	if issue.Date == nil {
		issue.Date = hints.Published
	}
	if !m.gazette && m.body > m.summary { // a book's contents; its title page stays
		issue.loose(lines[m.summary:m.body])
		lines = append(lines[:m.summary:m.summary], lines[m.body:]...)
		m.body = 0
	}
	if end := contentsBehind(lines); end < len(lines) {
		issue.loose(lines[end:])
		lines = lines[:end:end]
	}
	heads := findHeads(lines, m)
	if len(heads) == 0 {
		heads = []head{loneHead(lines, m.body, hints)}
	} else if !m.gazette {
		heads = withFront(heads, lines, hints)
	}
	lines, heads = mending.bounds(lines, heads, &m)
	var drafts []*draft
	from := m.body
	if m.gazette && begun(lines[from:heads[0].at]) {
		d := newText(head{at: from}, lines[from:heads[0].at], m)
		d.headless = true
		drafts = append(drafts, d)
	} else {
		from = heads[0].at
	}
	issue.loose(lines[:from])
	for i, h := range heads {
		end := len(lines)
		if i+1 < len(heads) {
			end = heads[i+1].at
		}
		own, rest := withoutRubrics(lines[h.at:end], m.gazette, i+1 == len(heads))
		issue.loose(rest)
		if h.date.IsZero() && !h.seen {
			h.date, h.above = dateAbove(lines[:h.at])
			h.dated = letterDay(h.above)
		}
		if h.date.IsZero() && len(heads) == 1 && m.adopted != "" {
			h.date, _, _, _ = law.FindDate(m.adopted)
			h.above = m.adopted
		}
		d := newText(h, own, m)
		d.headless = i == 0 && h.lines == 0 && !h.abridged && begun(own)
		issue.loose(d.repeat)
		drafts = append(drafts, d)
	}
	drafts, copies := withoutCopies(drafts)
	issue.loose(copies)
	drafts[len(drafts)-1].last = true
	mending.articles(drafts)
	for _, d := range drafts {
		d.settle(hints, issue, len(drafts) == 1)
		d.noteGarbled(pages)
		if order != "" {
			d.note("ordre", "", d.Document.FirstPage, 0.3, order)
		}
	}
	settleTogether(drafts)
	mending.finish(&issue, drafts)
	for _, d := range drafts {
		issue.Texts = append(issue.Texts, d.Text)
	}
	return issue
}

// dateAbove reads « Tunis, le 19 août 2021 » over a head, as letters have it.
func dateAbove(lines []line) (day time.Time, printed string) {
	for i := len(lines) - 1; i >= 0 && i >= len(lines)-4; i-- {
		if m := letterDate.FindStringSubmatch(lines[i].text); m != nil {
			day, _, _, _ = law.FindDate(m[1])
			return day, m[0]
		}
	}
	return day, ""
}

// letterDay is the day of a letter's date as its text is cited by it.
func letterDay(above string) string {
	if m := letterDate.FindStringSubmatch(above); m != nil {
		return m[1]
	}
	return ""
}

var letterDate = law.Pattern(`^\p{Lu}[\p{L} ~]{1,30}, *le +(` + dateText + `)`)

// withFront puts a text before the first head when articles stand there: its own
// head was not in the usual form.
func withFront(heads []head, lines []line, hints Hints) []head {
	if !articlesIn(lines[:heads[0].at]) {
		return heads
	}
	front := loneHead(lines[:heads[0].at], 0, hints)
	if slices.ContainsFunc(heads, func(h head) bool { return sameDigits(h.number, front.number) }) {
		front = head{} // the file is named after another of its texts
	}
	return append([]head{front}, heads...)
}

// loose keeps lines that belong to no text.
func (i *Issue) loose(lines []line) { i.Loose = append(i.Loose, printed(lines)...) }
