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
	// How a print of a text outside its gazette says where the text was published.
	publishedIn = law.Pattern(`^\(?(?i:publi[ée]e?s? +(?:au|dans|à)) .{0,120}$`)
	issueNumber = law.Pattern(`(?:^|[\s—–-])[NnŃ] ?[°º*˚o]s? *(\d[\d.-]*\d|\d)(?: ?(?i:sp[ée]cial|bis))?`)
	entryHead   = law.Pattern(`^(?:` + `\d{1,2}(?:er)? +\p{L}+\.? +` + `|~ ?)?` + kindWords + ` +[nN] ?[°º*˚o]? *` + textNumberPattern)
	lostLeader  = law.Pattern(` +\d{1,3}$`) // recognition loses leaders, but not page numbers
	entryEnd    = law.Pattern(` *(?:\.{2,}|…+|_{3,})(?: |[._…])*\d{0,5} *$`)
)

// masthead is what the first pages of a gazette say about the issue.
type masthead struct {
	gazette bool
	number  string
	date    *time.Time
	today   time.Time         // no issue is later; zero if it is not known
	adopted string            // in a print that is no gazette: « Adopté le 17/10/1993 à Port-Louis »
	entries map[string]string // titles of the summary by head.key
	listed  []listed          // entries of the summary
}

// readMasthead looks for the marks of a gazette: its name, the issue's number and date, and the summary.
func readMasthead(pages []layout.Page, lines []line, marks marked, today time.Time) masthead {
	m := masthead{entries: map[string]string{}, today: today}
	m.gazette = namesGazette(pages, lines)
	texts := headTexts(pages, lines, marks, m.gazette)
	if m.gazette {
		m.readIssue(texts)
	} else {
		m.readPrint(texts)
	}
	if m.gazette { // the contents of a book list more than texts
		m.readSummary(lines, marks)
		m.listed = listing(lines, marks)
	}
	return m
}

// headLines is how many lines of the first page are searched for the gazette's name.
const headLines = 14

// namesGazette reports whether the name of a gazette is at the head of the file.
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

// topShare is the share of a page's height that belongs to its head.
const topShare = 0.08

// headTexts returns the lines in which an issue may name itself: the top of the first page down to the first
// text, and what was set aside on the first three pages. In a gazette it excludes lines of texts, because
// pages taken from an issue begin with the end of a text, which mentions other dates.
func headTexts(pages []layout.Page, lines []line, marks marked, gazette bool) []string {
	var out []string
	first := marks.firstBegin()
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

// readIssue finds the number and the date of the issue in the texts of lines. It skips lines that name a legal text or
// say when the file was made, whose numbers and dates are not the issue's.
func (m *masthead) readIssue(texts []string) {
	for _, text := range texts {
		if publishedIn.MatchString(text) || madeOn.MatchString(text) || len(law.References(text)) > 0 {
			continue
		}
		if n := issueNumber.FindStringSubmatch(text); n != nil && m.number == "" {
			m.number = strings.Trim(n[1], ".-")
		}
		if d, _, _, ok := law.FindDate(text); ok && m.date == nil && (m.today.IsZero() || !d.After(m.today)) {
			m.date = &d
		}
	}
}

// readPrint reads when a text that is printed outside its gazette was published and adopted.
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

// readSummary collects the titles listed in the summary.
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

// mostEntry is the maximum number of lines of an entry of a summary.
const mostEntry = 16

// entryKey reads the beginning of an entry of the summary. It returns the head.key of the text.
func entryKey(text string) (string, bool) {
	m := entryHead.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	return head{kind: kindOf(m[1]), number: law.TextNumber(m[2])}.key(), true
}

// entryTitle returns an entry of the summary without its leader and page number.
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
