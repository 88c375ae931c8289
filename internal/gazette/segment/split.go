package segment

import (
	"slices"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

// Split cuts an arranged file into its texts.
func (c Cutter) Split(pages []layout.Page, hints Hints) Issue {
	mending, pages := startMending(pages, hints, c.Split)
	ready := prepare(pages)
	lines := mending.putBack(ready.lines)
	scored := c.Model.Score(featuresOf(lines))
	plain, drafts := c.reread(scored, lines, ready.pages, hints)
	marks := plain.marked
	if masks := mending.bounds(lines, marks); masks != nil {
		marks, drafts = markScored(scored, lines, plain.withEdits(masks)).marked, nil
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
	issue.Loose = append(issue.Loose, printed(ready.notes)...)
	issue.Loose = append(issue.Loose, printed(ready.foreign)...)
	issue.Loose = append(issue.Loose, printed(ready.book)...)
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
		s.issue.Loose = append(s.issue.Loose, printed(lines[:bodies[0].from])...)
	}
	for _, at := range bodies {
		s.issue.Loose = append(s.issue.Loose, printed(lines[at.own:at.to])...)
		is := among{first: len(s.drafts) == 0, only: len(bodies) == 1}
		d := s.known[keyOf(marks, at, is)].draft
		if d == nil {
			d = s.read(lines, marks, at, is)
		}
		d.witnessSeconds(lines[at.from:at.to], marks.seconds, at.from)
		d.understand()
		s.issue.Loose = append(s.issue.Loose, printed(d.repeat)...)
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
		h.confirm(lines[at.from:at.own], s.hints.Filename)
	}
	views := marks.lineViews(at.from, at.own)
	d, b := newText(h, own, views, s.masthead, textContext{s.judgment, is.only})
	d.witness(&b, views)
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
		h = loneHead(before, 0, s.hints.Filename)
	default:
		return nil
	}
	views := marks.lineViews(0, len(before))
	d, b := newText(h, before, views, s.masthead, textContext{s.judgment, false})
	d.witness(&b, views)
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
	h := loneHead(lines, from, hints.Filename)
	return textLines{head: h, from: h.at, own: len(lines), to: len(lines)}
}

// completeTexts completes the texts with what only the whole file shows, and records their doubts.
func (s *splitter) completeTexts(ready prepared) {
	drafts, copies := withoutCopies(s.drafts)
	s.issue.Loose = append(s.issue.Loose, printed(copies)...)
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

// articlesIn reports whether an article begins in lines.
func articlesIn(lines []line) bool {
	return slices.ContainsFunc(lines, func(l line) bool {
		_, _, ok := l.article("")
		return ok && (l.opens || l.mid)
	})
}
