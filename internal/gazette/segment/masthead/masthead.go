// Package masthead reads what a gazette says about its issue. The prepared lines and their labels go
// in. The issue's number and date come out, and the entries of its summary.
package masthead

import (
	"strings"
	"time"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/prepare"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/read"
)

// MadeOn matches how a file says when it was made, which says nothing about its text.
var MadeOn = line.OptionalAccents(`(?i)\b(?:généré|imprimé|édité|consulté|téléchargé|enregistré|reçu|mise? en ligne)`)

var (
	issueNumber = law.Pattern(`(?:^|[\s—–-])[NnŃ] ?[°*o]s? *(\d[\d.-]*\d|\d)(?: ?(?i:sp[ée]cial|bis))?`)
	lostLeader  = law.Pattern(` +\d{1,3}$`) // recognition loses leaders, but not page numbers
	entryEnd    = law.Pattern(` *(?:\.{2,}|…+|_{3,})(?: |[._…])*\d{0,5} *$`)
)

// Masthead is what the first pages of a gazette say about the issue.
type Masthead struct {
	IsGazette bool
	Name      string // of the gazette, as it is printed
	Number    string
	Date      *time.Time
	today     time.Time // no issue is later; zero if it is not known
	Adopted   string    // in a print that is no gazette: « Adopté le 17/10/1993 à Port-Louis »
	Listed    []Entry   // entries of the summary
}

// Read looks for the marks of a gazette: its name, the issue's number and date, and the summary.
func Read(pages []layout.Page, lines []line.Line, marks label.Labeling, today time.Time) Masthead {
	m := Masthead{today: today}
	name, named := prepare.NamesGazette(pages, lines)
	if m.IsGazette = named; named {
		m.Name = prepare.GazetteName(name)
	}
	texts := headTexts(pages, lines, marks, m.IsGazette)
	if m.IsGazette {
		m.readIssue(texts)
	} else {
		m.readPrint(texts)
	}
	if m.IsGazette { // the contents of a book list more than texts
		m.Listed = listing(lines, marks)
	}
	return m
}

// topShare is the share of a page's height that belongs to its head.
const topShare = 0.08

// headTexts returns the lines in which an issue may name itself: the top of the first page down to the first
// text, and what was set aside on the first three pages. In a gazette it excludes lines of texts, because
// pages taken from an issue begin with the end of a text, which mentions other dates.
func headTexts(pages []layout.Page, lines []line.Line, marks label.Labeling, gazette bool) []string {
	var out []string
	first := marks.FirstBegin()
	for i := 0; i < len(lines) && lines[i].Page == lines[0].Page; i++ {
		if gazette && !marks.Labels[i].Loose() {
			continue
		}
		if i < prepare.HeadLines && i < first && marks.Labels[i] != label.Summary || lines[i].Rect[1] < topShare*pages[0].Height {
			out = append(out, lines[i].Text)
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
func (m *Masthead) readIssue(texts []string) {
	for _, text := range texts {
		if prepare.PublishedIn.MatchString(text) || MadeOn.MatchString(text) || len(read.Printed(text)) > 0 {
			continue
		}
		if n := issueNumber.FindStringSubmatch(text); n != nil && m.Number == "" {
			m.Number = strings.Trim(n[1], ".-")
		}
		if d, _, _, ok := law.FindDate(text); ok && m.Date == nil && (m.today.IsZero() || !d.After(m.today)) {
			m.Date = &d
		}
	}
}

// readPrint reads when a text that is printed outside its gazette was published and adopted.
func (m *Masthead) readPrint(texts []string) {
	for _, text := range texts {
		day, _, _, ok := law.FindDate(text)
		switch {
		case !ok:
		case prepare.PublishedIn.MatchString(text) && m.Date == nil:
			m.Date = &day
		case titles.Adopted.MatchString(text) && m.Adopted == "":
			m.Adopted = text
		}
	}
}

// headLinesOfState is how many lines of the first page may name the state whose gazette it is.
const headLinesOfState = 14

// CountryNamed returns the country that pages name most often. If head is set, it reads the head of the first page,
// where one mention is enough, and the running heads; otherwise all words.
func CountryNamed(pages []layout.Page, head bool) (country.Code, bool) {
	tally, mentions := country.Tally{}, []country.Mention(nil)
	add := func(lines []layout.Line, weight float64) {
		var words strings.Builder
		for _, l := range lines {
			words.WriteString(l.Text() + "\n")
		}
		found := country.In(words.String())
		mentions = append(mentions, found...)
		tally.Add(found, weight)
		for _, c := range country.FindUnlisted(words.String()) {
			tally[c] += weight
		}
	}
	for i, p := range pages {
		add(p.Aside, 1)
		if !head {
			add(p.Lines, 1)
			continue
		}
		for k := 0; i == 0 && k < min(len(p.Lines), headLinesOfState); k++ {
			if !titles.NamesState.MatchString(p.Lines[k].Text()) {
				continue
			}
			end := min(len(p.Lines), k+2) // « JOURNAL OFFICIEL DE LA » goes on below
			for end < len(p.Lines) && titles.Dangling.MatchString(p.Lines[end-1].Text()) {
				end++
			}
			add(p.Lines[k:end], country.Enough)
		}
	}
	return tally.One(mentions)
}

// Entry is an entry of an issue's summary.
type Entry struct {
	Text  string
	Title titles.Title
	// number is head.number without the blanks that printers insert.
	Number string
}

// listing returns the entries of a summary that name their texts. It skips entries that only describe their texts
// (« Nomination d'un directeur »).
func listing(lines []line.Line, marks label.Labeling) []Entry {
	var out []Entry
	open := false
	for i, l := range lines {
		if marks.Labels[i] != label.Summary {
			open = false
			continue
		}
		if _, _, named := titles.ReadNature(l.Text); named && heads.StartsBig(l.Text) {
			out, open = append(out, Entry{}), true
		}
		if !open {
			continue
		}
		e := &out[len(out)-1]
		e.Text = strings.TrimSpace(e.Text + " " + l.Text)
		if line.Leader.MatchString(l.Text) || l.Spaced && prepare.PageNumber.MatchString(l.Text) {
			open = false
		}
	}
	kept := out[:0]
	for _, e := range out {
		if e.Title.Read(lostLeader.ReplaceAllString(entryEnd.ReplaceAllString(e.Text, ""), "")) && (e.Title.Number != "" || !e.Title.Date.IsZero()) && !e.Title.Plural {
			e.Number = law.TextNumber(e.Title.Number)
			kept = append(kept, e)
		}
	}
	return kept
}
