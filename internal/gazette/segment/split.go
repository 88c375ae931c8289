package segment

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

// Split cuts an arranged file into its texts.
func (c Cutter) Split(pages []layout.Page, hints Hints) Issue {
	mending, pages := c.mend(pages, hints)
	ready := prepare(pages)
	lines := mending.putBack(ready.lines)
	scored := c.Model.Score(featuresOf(lines))
	plain, drafts := c.reread(scored, lines, ready.pages, hints)
	marks := plain.marked
	if masks := mending.bounds(lines, marks); masks != nil {
		marks, drafts = c.markScored(scored, lines, plain.withEdits(masks)).marked, nil
	}
	if len(hints.Edits) > 0 {
		drafts = nil // edits may change what the texts are
	}
	mending.remember(lines, marks)
	return c.issueOf(mending, ready, lines, marks, drafts)
}

// issueOf makes the texts of a file from its labeled lines. known holds the drafts that were made already.
func (c Cutter) issueOf(mending *mending, ready prepared, lines []line, marks marked, known map[readKey]weighed) Issue {
	hints := mending.hints
	m := readMasthead(ready.pages, lines, marks, hints.Today)
	issue := Issue{Number: m.number, Date: m.date}
	issue.addLoose(ready.notes)
	issue.addLoose(ready.foreign)
	issue.addLoose(ready.book)
	if issue.Date == nil {
		issue.Date = hints.Published
	}
	s := splitter{hints: hints, masthead: m, issue: &issue, mending: mending, judgment: c.judgment(), known: known}
	s.split(lines, marks)
	s.completeTexts(ready)
	return issue
}

// splitter makes texts of the lines of a file.
type splitter struct {
	hints    Hints
	masthead masthead
	issue    *Issue
	mending  *mending
	judgment Judgment
	drafts   []*draft
	known    map[readKey]weighed // drafts that were made already
}

// split makes a draft of each textLines of lines.
func (s *splitter) split(lines []line, marks marked) {
	bodies := s.bodies(lines, marks)
	s.mending.applyToHeads(lines, bodies)
	if d := s.front(lines, marks, bodies); d != nil {
		d.understand()
		s.drafts = append(s.drafts, d)
	} else {
		s.issue.addLoose(lines[:bodies[0].from])
	}
	for _, at := range bodies {
		s.issue.addLoose(lines[at.own:at.to])
		is := among{first: len(s.drafts) == 0, only: len(bodies) == 1}
		d := s.known[keyOf(marks, at, is)].draft
		if d == nil {
			d = s.read(lines, marks, at, is)
		}
		d.witnessSeconds(lines[at.from:at.to], marks.seconds, at.from)
		d.understand()
		s.issue.addLoose(d.repeat)
		s.drafts = append(s.drafts, d)
	}
}

// bodies finds the texts of a file, at least one.
func (s *splitter) bodies(lines []line, marks marked) []textLines {
	bodies := marks.bodies(lines)
	if len(bodies) == 0 || len(bodies) == 1 && bodies[0].head.kind.as == "" && len(s.hints.Edits) == 0 {
		return []textLines{alone(lines, marks, s.hints)}
	}
	return bodies
}

// among is the position of a text among those of its file.
type among struct{ first, only bool }

// read makes the draft of a text from its own lines and those right above it.
func (s *splitter) read(lines []line, marks marked, at textLines, is among) *draft {
	own := lines[at.from:at.own]
	h := at.head
	if h.date.IsZero() && !h.confirmed {
		h.date, h.above = dateAbove(lines[:at.from])
		h.dated = letterDay(h.above)
	}
	if h.date.IsZero() && is.only && s.masthead.adopted != "" {
		h.date, _, _, _ = law.FindDate(s.masthead.adopted)
		h.above = s.masthead.adopted
	}
	if h.number == "" && at.head.lines > 0 && blankNumber.MatchString(joined(own[:at.head.lines])) {
		named := max(0, slices.IndexFunc(own[:at.head.lines], func(l line) bool {
			_, _, ok := natureOf(l.text)
			return ok
		}))
		h.stamped(lines[:at.from+named])
	}
	if h.broken && is.only {
		h.confirm(lines[at.from:at.own], s.hints)
	}
	d := newText(h, own, marks.lineViews(at.from, at.own), s.masthead, textContext{s.judgment, is.only})
	d.headless = is.first && !h.confirmed && h.lines == 0 && !h.abridged && begun(own)
	d.resumed = d.headless && resumed(marks.labels[at.from:at.own])
	return d
}

// front reads the lines before the first head. It returns a draft if these lines may be the end of a text that begins
// before the file, or a text without a recognized head, and nil otherwise.
func (s *splitter) front(lines []line, marks marked, bodies []textLines) *draft {
	before := lines[:bodies[0].from]
	h, headless := head{}, begun(before)
	switch {
	case headless:
	case len(bodies) == 1 && !s.masthead.gazette && articlesIn(before) && slices.Contains(marks.labels[:len(before)], Article):
		h = loneHead(before, 0, s.hints)
	default:
		return nil
	}
	d := newText(h, before, marks.lineViews(0, len(before)), s.masthead, textContext{s.judgment, false})
	d.headless = headless
	d.resumed = headless && resumed(marks.labels[:len(before)])
	return d
}

// alone returns the only text of a file in which the model sees no beginning of a text.
func alone(lines []line, marks marked, hints Hints) textLines {
	from := 0
	for from < len(lines)-1 && marks.labels[from] == Summary {
		from++
	}
	h := loneHead(lines, from, hints)
	return textLines{head: h, from: h.at, own: len(lines), to: len(lines)}
}

// completeTexts completes the texts with what only the whole file shows, and records their doubts.
func (s *splitter) completeTexts(ready prepared) {
	drafts, copies := withoutCopies(s.drafts)
	s.issue.addLoose(copies)
	last := drafts[len(drafts)-1]
	last.last, last.othersEnded = true, othersEnded(drafts)
	s.mending.applyToArticles(drafts)
	s.masthead.compare(drafts)
	readStates(drafts, ready.pages)
	seekDates(drafts, ready.pages, *s.issue, s.hints.Today)
	typesByCountry(drafts, ready.pages)
	mixed := mixedPages(ready.foreign)
	for _, d := range drafts {
		d.complete(s.hints, *s.issue, len(drafts) == 1)
		d.noteGarbled(ready.pages)
		d.noteCovered()
		d.noteLanguages(mixed)
		if ready.order.Kind != remarks.None {
			d.note("ordre", "", d.Document.FirstPage, 0.3, ready.order)
		}
	}
	compareNumbers(drafts)
	shareForceDays(drafts)
	for _, d := range drafts {
		d.judge()
	}
	drafts = s.setNoLawAside(s.setRemainsAside(drafts), ready)
	s.mending.finish(s.issue, drafts)
	for _, d := range drafts {
		s.issue.Texts = append(s.issue.Texts, d.Text)
	}
}

// prepared holds a file's lines, ready to be labeled.
type prepared struct {
	pages   []layout.Page  // in the order in which they are to be read
	order   remarks.Remark // what a person has to confirm about this order; of kind remarks.None if nothing
	lines   []line
	notes   []line // footnotes, and lines without a letter or digit
	foreign []line // the other language of a bilingual gazette
	book    []line // a book's table of contents
}

// prepare puts pages in order, and sets aside lines that do not belong to the French text.
func prepare(pages []layout.Page) prepared {
	var p prepared
	p.pages, p.order = inOrder(pages)
	lines, notes := setNotesAside(flatten(p.pages))
	p.lines, p.notes = withoutOrnaments(lines)
	p.notes = append(p.notes, notes...)
	var script []line
	p.lines, script = setScriptsAside(p.lines)
	p.lines, p.foreign = setLanguagesAside(p.lines)
	p.foreign = append(p.foreign, script...)
	p.lines, p.book = withoutContents(p.lines, namesGazette(p.pages, p.lines))
	p.lines = splitStateLeads(joinTornHeads(p.lines))
	mendHeads(p.lines)
	return p
}

// withoutOrnaments removes lines with neither letter nor digit, such as rules of dashes and stars. The line after a
// removed line begins a paragraph. Rows of a table stay, because their signs may stand for numbers.
func withoutOrnaments(lines []line) (text, ornaments []line) {
	text = make([]line, 0, len(lines))
	after := false
	for _, l := range lines {
		if !strings.ContainsFunc(l.text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) && !l.wide {
			ornaments, after = append(ornaments, l), true
			continue
		}
		l.opens = l.opens || after
		text, after = append(text, l), false
	}
	return text, ornaments
}

// dateAbove reads a date above a head, in the form used in letters: « Tunis, le 19 août 2021 ».
func dateAbove(lines []line) (day time.Time, printed string) {
	for i := len(lines) - 1; i >= 0 && i >= len(lines)-4; i-- {
		if m := letterDate.FindStringSubmatch(lines[i].text); m != nil {
			day, _, _, _ = law.FindDate(m[1])
			return day, m[0]
		}
	}
	return day, ""
}

// letterDay returns the date in a line that begins a letter, "" for any other line.
func letterDay(above string) string {
	if m := letterDate.FindStringSubmatch(above); m != nil {
		return m[1]
	}
	return ""
}

// blankNumber matches a title whose number was never filled in: « Décret n° portant … ».
var blankNumber = law.Pattern(`(?i)(?:^|[^\p{L}])n ?[°º*˚] *(?:[.…_~ ]*(?:du\b|relati|\p{L}+ant\b))`)

// stampReach is how many lines above a title are searched for a stamped number.
const stampReach = 2

// stamped reads the number that was stamped above a title, alone on its line.
func (h *head) stamped(above []line) {
	for i := len(above) - 1; i >= 0 && i >= len(above)-stampReach; i-- {
		if m := stampedNumber.FindStringSubmatch(above[i].text); m != nil {
			h.number, h.trust = law.TextNumber(m[1]), asInferred
			return
		}
	}
}

var stampedNumber = law.Pattern(`^(?:n ?[°º*˚] *)?(\d{1,4} ?[~/] ?\d{1,5}(?:[~/][A-Z]+)*)$`)

var letterDate = law.Pattern(`^\p{Lu}[\p{L} ~]{1,30}, *le +(` + dateText + `)`)

// articlesIn reports whether an article begins in lines.
func articlesIn(lines []line) bool {
	return slices.ContainsFunc(lines, func(l line) bool {
		_, _, ok := l.article("")
		return ok && (l.opens || l.mid)
	})
}

// addLoose adds lines to those that belong to no text.
func (i *Issue) addLoose(lines []line) { i.Loose = append(i.Loose, printed(lines)...) }
