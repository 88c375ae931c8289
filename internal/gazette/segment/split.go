package segment

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"vigueur/internal/gazette/layout"
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
		marks, drafts = c.markScored(scored, lines, plain.under(masks)).marked, nil
	}
	if len(hints.Edits) > 0 {
		drafts = nil // a person may have said what texts are
	}
	mending.remember(lines, marks)
	return c.issueOf(mending, ready, lines, marks, drafts)
}

// issueOf makes texts of labeled lines; known are those that were read already, by
// what they depend on.
func (c Cutter) issueOf(mending *mending, ready prepared, lines []line, marks marked, known map[readKey]weighed) Issue {
	hints := mending.hints
	m := readMasthead(ready.pages, lines, marks)
	issue := Issue{Number: m.number, Date: m.date}
	issue.loose(ready.notes)
	issue.loose(ready.foreign)
	issue.loose(ready.book)
	if issue.Date == nil {
		issue.Date = hints.Published
	}
	s := splitter{hints: hints, masthead: m, issue: &issue, mending: mending, judgment: c.judgment(), known: known}
	s.split(lines, marks)
	s.settle(ready)
	return issue
}

// Trial is a reading that is next to the one that the chain gives, and how it differs.
type Trial struct {
	Features map[string]float64 // by RereadingNames
	Issue    Issue
}

// Trials returns the reading of an arranged file that the chain alone gives, and all that
// are tried beside it, for those who teach which of them are taken.
func (c Cutter) Trials(pages []layout.Page, hints Hints) (plain Issue, trials []Trial) {
	hints.Edits = nil
	ready := prepare(pages)
	scored := c.Model.Score(featuresOf(ready.lines))
	first := c.markScored(scored, ready.lines, nil)
	r := c.rereader(scored, ready.lines, ready.pages, hints, first)
	at := r.firstReading(first)
	issue := func(m marked) Issue {
		mending, _ := c.mend(pages, hints)
		mending.remember(ready.lines, m)
		return c.issueOf(mending, ready, ready.lines, m, nil)
	}
	for _, t := range r.trials(at, c.judgment()) {
		if again, ok := r.try(at, t.proposal); ok {
			trials = append(trials, Trial{t.features, issue(again.marked)})
		}
	}
	return issue(first.marked), trials
}

// splitter makes texts of the lines of a file.
type splitter struct {
	hints    Hints
	masthead masthead
	issue    *Issue
	mending  *mending
	judgment Judgment
	drafts   []*draft
	known    map[readKey]weighed // drafts of texts that were read already
}

// split makes a draft of each textLines of lines.
func (s *splitter) split(lines []line, marks marked) {
	bodies := s.bodies(lines, marks)
	s.mending.heads(lines, bodies)
	if d := s.front(lines, marks, bodies); d != nil {
		d.understand()
		s.drafts = append(s.drafts, d)
	} else {
		s.issue.loose(lines[:bodies[0].from])
	}
	for _, at := range bodies {
		s.issue.loose(lines[at.own:at.to])
		is := among{first: len(s.drafts) == 0, only: len(bodies) == 1}
		d := s.known[keyOf(marks, at, is)].draft
		if d == nil {
			d = s.read(lines, marks, at, is)
		}
		d.witnessSeconds(lines[at.from:at.to], marks.seconds, at.from)
		d.understand()
		s.issue.loose(d.repeat)
		s.drafts = append(s.drafts, d)
	}
}

// bodies finds the texts of a file, which has one.
func (s *splitter) bodies(lines []line, marks marked) []textLines {
	bodies := marks.bodies(lines)
	if len(bodies) == 0 || len(bodies) == 1 && bodies[0].head.kind.as == "" && len(s.hints.Edits) == 0 {
		return []textLines{alone(lines, marks, s.hints)}
	}
	return bodies
}

// among is where a text stands among those of its file.
type among struct{ first, only bool }

// read reads one text, by what is printed of it and right above it.
func (s *splitter) read(lines []line, marks marked, at textLines, is among) *draft {
	own := lines[at.from:at.own]
	h := at.head
	if h.date.IsZero() && !h.seen {
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
	d := newText(h, own, marks.seen(at.from, at.own), s.masthead, known{s.judgment, is.only})
	d.headless = is.first && !h.seen && h.lines == 0 && !h.abridged && begun(own)
	d.resumed = d.headless && resumed(marks.labels[at.from:at.own])
	d.behind(lines[at.own:at.to])
	return d
}

// front reads what stands before the first head: the end of a text that begins
// before the file, nil where it is nothing of a text.
func (s *splitter) front(lines []line, marks marked, bodies []textLines) *draft {
	before := lines[:bodies[0].from]
	h, headless := head{}, begun(before)
	switch {
	case headless:
	case len(bodies) == 1 && !s.masthead.gazette && articlesIn(before):
		h = loneHead(before, 0, s.hints)
	default:
		return nil
	}
	d := newText(h, before, marks.seen(0, len(before)), s.masthead, known{s.judgment, false})
	d.headless = headless
	d.resumed = headless && resumed(marks.labels[:len(before)])
	return d
}

// alone is the one text of a file in which the model sees no beginning of one.
func alone(lines []line, marks marked, hints Hints) textLines {
	from := 0
	for from < len(lines)-1 && marks.labels[from] == Summary {
		from++
	}
	h := loneHead(lines, from, hints)
	return textLines{head: h, from: h.at, own: len(lines), to: len(lines)}
}

// settle brings in what only the whole file tells, and says the doubts.
func (s *splitter) settle(ready prepared) {
	drafts, copies := withoutCopies(s.drafts)
	s.issue.loose(copies)
	last := drafts[len(drafts)-1]
	last.last, last.behindEnded = true, behindEnded(drafts)
	s.mending.articles(drafts)
	s.masthead.compare(drafts)
	readStates(drafts, ready.pages)
	for _, d := range drafts {
		d.settle(s.hints, *s.issue, len(drafts) == 1)
		d.noteGarbled(ready.pages)
		if ready.order != "" {
			d.note("ordre", "", d.Document.FirstPage, 0.3, ready.order)
		}
	}
	settleTogether(drafts)
	for _, d := range drafts {
		d.judge()
	}
	drafts = s.setRemainsAside(drafts)
	s.mending.finish(s.issue, drafts)
	for _, d := range drafts {
		s.issue.Texts = append(s.issue.Texts, d.Text)
	}
}

// prepared is a file's lines, ready to be labeled.
type prepared struct {
	pages   []layout.Page // in the order in which they are to be read
	order   string        // what a person has to confirm of it
	lines   []line
	notes   []line // foot notes, and lines without a letter or figure
	foreign []line // the other side of a bilingual gazette
	book    []line // a book's table of contents
}

// prepare puts pages into order and sets aside what is no line of the French text.
func prepare(pages []layout.Page) prepared {
	var p prepared
	p.pages, p.order = inOrder(pages)
	lines, notes := setNotesAside(flatten(p.pages))
	p.lines, p.notes = withoutOrnaments(lines)
	p.notes = append(p.notes, notes...)
	var script []line
	p.lines, script = setScriptsAside(p.lines)
	p.lines, p.foreign = setEnglishAside(p.lines)
	p.foreign = append(p.foreign, script...)
	p.lines, p.book = withoutContents(p.lines, namesGazette(p.pages, p.lines))
	p.lines = joinTornHeads(p.lines)
	mendHeads(p.lines)
	return p
}

// withoutOrnaments takes out the lines that have neither letter nor figure: rules
// of dashes and stars. The line behind one begins anew. What a table's cells have in
// the place of figures is no ornament.
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

// blankNumber is a title whose number was to be filled in: « Décret n° portant … ».
var blankNumber = law.Pattern(`(?i)(?:^|[^\p{L}])n ?[°º*˚] *(?:[.…_~ ]*(?:du\b|relati|\p{L}+ant\b))`)

// stampReach is how many lines above a title its stamped number may stand.
const stampReach = 2

// stamped takes the number that was stamped over a title, alone on its line.
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

// loose keeps lines that belong to no text.
func (i *Issue) loose(lines []line) { i.Loose = append(i.Loose, printed(lines)...) }
