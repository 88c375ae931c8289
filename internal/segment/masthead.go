package segment

import (
	"slices"
	"strings"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/page"
)

var (
	gazetteName = law.Pattern(`(?i)j ?ournal +officiel|bulletin +officiel|gazette +officielle|moniteur`)
	// Where another's print of a text says that it was published.
	publishedIn = law.Pattern(`^\(?(?i:publi[ée]e?s? +(?:au|dans|à)) .{0,120}$`)
	issueNumber = law.Pattern(`(?:^|[\s—–-])[NnŃ] ?[°º*˚o]s? *(\d[\d.-]*\d|\d)(?: ?(?i:sp[ée]cial|bis))?`)
	summaryHead = law.Pattern(`^(?i:s ?o ?m ?m ?a ?i ?r ?e|table des? mati[èe]res)\b|^(?:PLAN|Plan)(?: DE LA .{3,30})? *:?$`)
	leader      = law.Pattern(`(?:\.{4,}|…{2,}|(?:\. ){4,}|_{5,})`)
	entryHead   = law.Pattern(`^(?:` + `\d{1,2}(?:er)? +\p{L}+\.? +` + `|~ ?)?` + kindWords + ` +[nN] ?[°º*˚o]? *` + textNumberPattern)
	lostLeader  = law.Pattern(` +\d{1,3}$`) // recognition drops leaders, not page numbers
	entryEnd    = law.Pattern(` *(?:\.{2,}|…+|_{3,})(?: |[._…])*\d{0,5} *$`)
)

// masthead is what the first page of a gazette tells of the issue.
type masthead struct {
	gazette bool
	number  string
	date    *time.Time
	adopted string            // « Adopté le 17/10/1993 à Port-Louis », of a print that is no gazette
	entries map[string]string // titles of the summary by head.key
	summary int               // index of the summary's first line, that of body when there is none
	body    int               // index of the line behind the summary
}

// readMasthead looks for the marks of a gazette: its name, the issue's number
// and date, and the summary.
func readMasthead(pages []page.Page, lines []line) masthead {
	m := masthead{entries: map[string]string{}}
	texts := headTexts(pages, lines)
	for _, text := range texts {
		if !publishedIn.MatchString(text) && gazetteName.MatchString(text) {
			m.gazette = true
		}
	}
	if m.gazette {
		m.readIssue(texts)
	} else {
		m.readPrint(texts)
	}
	m.readSummary(lines)
	if !m.gazette {
		m.entries = map[string]string{} // a book's contents name more than its texts
	}
	return m
}

// topShare is how much of a page's height its head takes at most.
const topShare = 0.08

// headTexts gives the lines in which an issue names itself: the top of the first
// page down to the first text, and what is set aside on the first pages.
func headTexts(pages []page.Page, lines []line) []string {
	var out []string
	begun := false
	for i := 0; i < len(lines) && lines[i].Page == lines[0].Page; i++ {
		begun = begun || headPattern.MatchString(lines[i].text) && mayHead(before(lines, i), lines[i])
		if i < 14 && !begun || lines[i].Rect[1] < topShare*pages[0].Height {
			out = append(out, lines[i].text)
		}
	}
	for i := 0; i < len(pages) && i < 3; i++ {
		for _, l := range pages[i].Aside {
			out = append(out, l.Text())
		}
	}
	return out
}

// readIssue finds the number and the date, which stand on one line or near each
// other. A line that names a text is not the issue's.
func (m *masthead) readIssue(texts []string) {
	for _, text := range texts {
		if headPattern.MatchString(text) || publishedIn.MatchString(text) || len(law.References(text)) > 0 {
			continue
		}
		if n := issueNumber.FindStringSubmatch(text); n != nil && m.number == "" {
			m.number = strings.Trim(n[1], ".-")
		}
		if d, _, _, ok := law.FindDate(text); ok && m.date == nil {
			m.date = &d
		}
	}
}

// readPrint reads what a print of a text outside its gazette tells of it: the day
// it was published, and the day it was adopted.
func (m *masthead) readPrint(texts []string) {
	for _, text := range texts {
		day, _, _, ok := law.FindDate(text)
		switch {
		case !ok:
		case publishedIn.MatchString(text) && m.date == nil:
			m.date = &day
		case adopted.MatchString(text) && m.adopted == "":
			m.adopted = text
		}
	}
}

// readSummary collects the titles that a summary lists and finds where it ends:
// at the text that it named first, or behind its last line with a page number.
func (m *masthead) readSummary(lines []line) {
	start := summaryAt(lines)
	if start < 0 {
		return
	}
	m.summary, m.body = start, start+1
	last := start
	for i := start + 1; i < len(lines) && i-last < 40 && lines[i].Page-lines[start].Page < 8; i++ {
		if leader.MatchString(lines[i].text) {
			last, m.body = i, i+1
		}
	}
	if m.body == start+1 {
		m.body = repeatedFrom(lines, start+1)
	}
	var starts []int
	seen := map[string]bool{}
	for i := start + 1; i < len(lines) && i < start+400; i++ {
		key, ok := entryKey(lines[i].text)
		if ok && seen[key] {
			m.body = i // the first text named comes with its own title
			break
		}
		if ok {
			seen[key] = true
			starts = append(starts, i)
		}
	}
	for _, i := range starts {
		if i < m.body {
			key, _ := entryKey(lines[i].text)
			m.entries[key] = entryTitle(lines[i:max(i+1, min(m.body, i+16))])
		}
	}
}

// contentsReach is how many lines contents without page numbers take at most.
const contentsReach = 120

// repeatedFrom finds where contents without page numbers that begin at lines[at]
// end: at the line that is their first again, when most of what stands between
// comes again behind it, too; at when they are none.
func repeatedFrom(lines []line, at int) int {
	if at >= len(lines) || len(lettersLike(lines[at].text)) < leastEntry {
		return at
	}
	for i := at + 3; i < len(lines) && i < at+contentsReach; i++ {
		if !sameEntry(lines[at].text, lines[i].text) {
			continue
		}
		again, entries := 0, 0
		for _, e := range lines[at:i] {
			if len(lettersLike(e.text)) < leastEntry {
				continue
			}
			entries++
			if slices.ContainsFunc(lines[i:], func(l line) bool { return sameEntry(e.text, l.text) }) {
				again++
			}
		}
		if 3*again >= 2*entries {
			return i
		}
	}
	return at
}

// leastEntry is how many letters tell an entry from a word of the text.
const leastEntry = 8

// sameEntry tells whether two lines begin with the same words, signs and accents
// apart, as an entry and its heading do.
func sameEntry(entry, heading string) bool {
	a, b := lettersLike(entry), lettersLike(heading)
	return len(a) >= leastEntry && len(b) >= leastEntry && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

func summaryAt(lines []line) int {
	for i := 0; i < len(lines) && i < 80; i++ {
		if summaryHead.MatchString(lines[i].text) {
			return i
		}
	}
	return -1
}

// contentsBehind gives the index of the line at which a book's table of contents
// begins, where it stands behind all articles; len(lines) when there is none.
func contentsBehind(lines []line) int {
	first, leaders := len(lines), 0
	for i := len(lines) - 1; i > len(lines)/2; i-- {
		l := lines[i]
		if _, _, ok := l.article(""); ok && mayHead(before(lines, i), l) {
			break
		}
		if leader.MatchString(l.text) {
			first, leaders = i, leaders+1
		}
		if !summaryHead.MatchString(l.text) || len(l.text) > 60 || leader.MatchString(l.text) {
			continue
		}
		entries := 0
		for _, e := range lines[i+1:] {
			if leader.MatchString(e.text) || pageNumber.MatchString(e.text) {
				entries++
			}
		}
		if entries > 2 && 3*entries > len(lines)-i-1 {
			return i
		}
	}
	if leaders > 3 && 2*leaders > len(lines)-first { // without a head of their own
		return first
	}
	return len(lines)
}

// pageNumber is the end of an entry, or an entry's numbers alone.
var pageNumber = law.Pattern(`\d{1,4}$`)

// entryKey reads a line as the beginning of a summary's entry.
func entryKey(text string) (string, bool) {
	m := entryHead.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	return head{kind: kindOf(m[1]), number: law.TextNumber(m[2])}.key(), true
}

// entryTitle is a summary's entry without its leader and page number.
func entryTitle(lines []line) string {
	n := 1
	for n < len(lines) && !leader.MatchString(lines[n-1].text) && !capitals(lines[n].text) {
		if _, ok := entryKey(lines[n].text); ok {
			break
		}
		n++
	}
	title := entryEnd.ReplaceAllString(joined(lines[:n]), "")
	if at := entryHead.FindStringSubmatchIndex(title); at != nil {
		title = title[at[2]:]
	}
	title = lostLeader.ReplaceAllString(title, "")
	return strings.TrimRight(title, " .…_")
}
