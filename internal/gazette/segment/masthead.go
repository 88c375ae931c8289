package segment

import (
	"slices"
	"strings"
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
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
	listed  []listed          // what the summary names
}

// readMasthead looks for the marks of a gazette: its name, the issue's number
// and date, and the summary.
func readMasthead(pages []layout.Page, lines []line, marks marked) masthead {
	m := masthead{entries: map[string]string{}}
	m.gazette = namesGazette(pages, lines)
	texts := headTexts(pages, lines, marks, m.gazette)
	if m.gazette {
		m.readIssue(texts)
	} else {
		m.readPrint(texts)
	}
	if m.gazette { // a book's contents name more than its texts
		m.readSummary(lines, marks)
		m.listed = listing(lines, marks)
	}
	return m
}

// headLines is how many lines of a first page may name the gazette.
const headLines = 14

// namesGazette reports whether a gazette's name stands at the head of the file.
func namesGazette(pages []layout.Page, lines []line) bool {
	names := func(text string) bool { return !publishedIn.MatchString(text) && gazetteName.MatchString(text) }
	for i := 0; i < len(lines) && i < headLines && lines[i].Page == lines[0].Page; i++ {
		if _, _, ok := lines[i].article(""); ok || visa.MatchString(lines[i].text) {
			break
		}
		if names(lines[i].text) {
			return true
		}
	}
	for i := 0; i < len(pages) && i < 3; i++ {
		if slices.ContainsFunc(pages[i].Aside, func(l layout.Line) bool { return names(l.Text()) }) {
			return true
		}
	}
	return false
}

// topShare is how much of a page's height its head takes at most.
const topShare = 0.08

// headTexts returns the lines in which an issue names itself: the top of the first
// page down to the first text, and what is set aside on the first pages. Of a gazette
// it is no line of a text: pages out of an issue begin with the end of one, which names
// the days of others.
func headTexts(pages []layout.Page, lines []line, marks marked, gazette bool) []string {
	var out []string
	first := marks.first()
	for i := 0; i < len(lines) && lines[i].Page == lines[0].Page; i++ {
		if gazette && !marks.labels[i].loose() {
			continue
		}
		if i < headLines && i < first && marks.labels[i] != Summary || lines[i].Rect[1] < topShare*pages[0].Height {
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
		if publishedIn.MatchString(text) || len(law.References(text)) > 0 {
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

// readSummary collects the titles that the summary lists.
func (m *masthead) readSummary(lines []line, marks marked) {
	for i := range lines {
		if marks.labels[i] != Summary {
			continue
		}
		if key, ok := entryKey(lines[i].text); ok {
			end := i + 1
			for end < len(lines) && end < i+mostEntry && marks.labels[end] == Summary {
				end++
			}
			m.entries[key] = entryTitle(lines[i:end])
		}
	}
}

// mostEntry is how many lines an entry of a summary takes at most.
const mostEntry = 16

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
