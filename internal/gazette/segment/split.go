package segment

import (
	"slices"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/doubts"
	"vigueur/internal/gazette/segment/edits"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/masthead"
	"vigueur/internal/gazette/segment/prepare"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// Split cuts an arranged file into its texts.
func (c Cutter) Split(pages []layout.Page, hints gazette.Hints) gazette.Issue {
	applier, pages := edits.Start(pages, hints, c.Split)
	ready := prepare.Pages(pages)
	lines := applier.PutBack(ready.Lines)
	scored := c.Model.Score(label.Features(lines))
	plain, drafts := c.reread(scored, lines, ready.Pages, hints)
	marks := plain.Labeling
	if masks := applier.Masks(lines, marks); masks != nil {
		marks, drafts = label.Assign(scored, lines, withEdits(plain, masks)).Labeling, nil
	}
	if len(hints.Edits) > 0 {
		drafts = nil // edits may change what the texts are
	}
	applier.Remember(lines, marks)
	return c.issueOf(applier, ready, lines, marks, drafts)
}

// issueOf makes the texts of a file from its labeled lines. known holds the drafts that were made already.
func (c Cutter) issueOf(applier *edits.Applier, ready prepare.File, lines []line.Line, marks label.Labeling, known map[readKey]doubts.Weighed) gazette.Issue {
	hints := applier.Hints
	m := masthead.Read(ready.Pages, lines, marks, hints.Today)
	issue := gazette.Issue{Name: m.Name, Number: m.Number, Date: m.Date}
	issue.Loose = append(issue.Loose, line.LayoutOf(ready.Notes)...)
	issue.Loose = append(issue.Loose, line.LayoutOf(ready.Foreign)...)
	issue.Loose = append(issue.Loose, line.LayoutOf(ready.Book)...)
	if issue.Date == nil {
		issue.Date = hints.Published
	}
	s := splitter{hints: hints, masthead: m, issue: &issue, applier: applier, judgment: c.judgment(), known: known}
	s.split(lines, marks)
	s.completeTexts(ready, lines, marks.Labels)
	return issue
}

// splitter makes texts of the lines of a file.
type splitter struct {
	hints    gazette.Hints
	masthead masthead.Masthead
	issue    *gazette.Issue
	applier  *edits.Applier
	judgment judgment.Judgment
	drafts   []*texts.Draft
	known    map[readKey]doubts.Weighed // drafts that were made already
}

// split makes a draft of the lines of each text.
func (s *splitter) split(lines []line.Line, marks label.Labeling) {
	bodies := s.bodies(lines, marks)
	s.applier.ApplyToTitles(lines, bodies)
	front := bodies[0].From
	if d := s.front(lines, marks, bodies); d != nil {
		d.Understand()
		s.drafts = append(s.drafts, d)
		front -= len(d.Lines)
	}
	s.issue.Loose = append(s.issue.Loose, line.LayoutOf(lines[:front])...)
	for _, text := range bodies {
		s.issue.Loose = append(s.issue.Loose, line.LayoutOf(lines[text.Own:text.To])...)
		place := among{first: len(s.drafts) == 0, only: len(bodies) == 1}
		d := s.known[keyOf(marks, text, place)].Draft
		if d == nil {
			d = s.read(lines, marks, text, place)
		}
		doubts.AddRejected(d, lines[text.From:text.To], marks.Rejected, text.From)
		d.Understand()
		s.drafts = append(s.drafts, d)
	}
}

// bodies finds the texts of a file, at least one.
func (s *splitter) bodies(lines []line.Line, marks label.Labeling) []label.Extent {
	bodies := marks.Texts(lines)
	if len(bodies) == 0 || len(bodies) == 1 && bodies[0].Title.Kind.Type == "" && len(s.hints.Edits) == 0 {
		return []label.Extent{alone(lines, marks, s.hints)}
	}
	return bodies
}

// among is the position of a text among those of its file.
type among struct{ first, only bool }

// ownAbove returns the first of the lines right above a text that belong to no text before it: the place and the day under
// that one's articles date it alone.
func ownAbove(marks label.Labeling, text label.Extent, place among) int {
	i := text.From
	for i > 0 && (place.first || marks.Labels[i-1].Loose()) {
		i--
	}
	return i
}

// read makes the draft of a text from its own lines and those right above it.
func (s *splitter) read(lines []line.Line, marks label.Labeling, text label.Extent, place among) *texts.Draft {
	own := lines[text.From:text.Own]
	h := text.Title
	if h.Date.IsZero() && !h.Confirmed {
		h.ReadAbove(lines[ownAbove(marks, text, place):text.From])
	}
	if h.Date.IsZero() && place.only && s.masthead.Adopted != "" {
		h.Date, _, _, _ = law.FindDate(s.masthead.Adopted)
		h.Above = s.masthead.Adopted
	}
	blank := h.Number == "" && text.Title.Lines > 0 && titles.BlankNumber.MatchString(line.Join(own[:text.Title.Lines]))
	if blank {
		named := max(0, slices.IndexFunc(own[:text.Title.Lines], func(l line.Line) bool {
			_, _, ok := titles.ReadNature(l.Text)
			return ok
		}))
		h.ReadStamp(lines[:text.From+named])
	}
	if h.Broken && place.only {
		h.MendNumber(lines[text.From:text.Own], s.hints.Filename)
	}
	views := marks.Views(text.From, text.Own)
	d, b := texts.New(h, own, views, s.masthead, texts.Context{Rules: s.judgment, Only: place.only})
	doubts.AddSignals(d, &b, views)
	d.NumberBlank = blank && h.Number == ""
	d.Headless = place.first && !h.Confirmed && h.Lines == 0 && !h.Abridged && articles.Resumes(own)
	d.Resumed = d.Headless && lacksOpening(marks.Labels[text.From:text.Own])
	return d
}

// front reads the lines before the first head. It returns a draft if these lines may be the end of a text that begins
// before the file, or if they hold articles without a recognized head, and nil otherwise.
func (s *splitter) front(lines []line.Line, marks label.Labeling, bodies []label.Extent) *texts.Draft {
	start, previous := 0, lines[:bodies[0].From]
	h, headless := titles.Title{}, articles.Resumes(previous)
	switch {
	case headless:
	case len(bodies) == 1 && !s.masthead.IsGazette && articlesIn(previous) && slices.Contains(marks.Labels[:len(previous)], label.Article):
		h = titles.ReadLone(previous, 0, s.hints.Filename)
	default:
		lost := strays(previous, marks.Labels, func(i int) bool { return marks.Labels[i].Loose() })
		if len(lost) == 0 {
			return nil
		}
		for start = lost[0].start; start > 0 && !marks.Labels[start-1].Loose(); {
			start--
		}
		previous = previous[start:]
	}
	views := marks.Views(start, start+len(previous))
	d, b := texts.New(h, previous, views, s.masthead, texts.Context{Rules: s.judgment, Only: false})
	doubts.AddSignals(d, &b, views)
	d.Headless = headless
	d.Resumed = headless && lacksOpening(marks.Labels[:len(previous)])
	return d
}

// alone returns the only text of a file in which the model sees no beginning of a text.
func alone(lines []line.Line, marks label.Labeling, hints gazette.Hints) label.Extent {
	start := 0
	for start < len(lines)-1 && marks.Labels[start] == label.Summary {
		start++
	}
	h := titles.ReadLone(lines, start, hints.Filename)
	return label.Extent{Title: h, From: h.At, Own: len(lines), To: len(lines)}
}

// completeTexts completes the texts with what only the whole file shows, and records their doubts.
func (s *splitter) completeTexts(ready prepare.File, lines []line.Line, labels []label.Label) {
	drafts, copies := texts.DropCopies(s.drafts)
	s.issue.Loose = append(s.issue.Loose, line.LayoutOf(copies)...)
	last := drafts[len(drafts)-1]
	last.IsLast, last.OthersEnded, last.FillsPage = true, doubts.OthersEnded(drafts), doubts.FillsPage(last, ready.Pages)
	s.applier.ApplyToArticles(drafts)
	doubts.CompareSummary(s.masthead, drafts)
	texts.ReadStates(drafts, ready.Pages)
	texts.FindDates(drafts, ready.Pages, *s.issue, s.hints.Today)
	texts.NameActs(drafts, s.masthead)
	texts.CorrectTypes(drafts, ready.Pages, s.hints.Country)
	mixed := prepare.MixedPages(ready.Foreign)
	for _, d := range drafts {
		d.Bill = d.Bill || s.hints.Is == gazette.FileDraft
		doubts.Complete(d, s.hints, *s.issue, len(drafts) == 1)
		doubts.NoteDamaged(d, ready.Pages)
		doubts.NoteHidden(d)
		doubts.NoteLanguages(d, mixed)
		if ready.Order.Kind != remarks.None {
			doubts.Note(d, "ordre", "", d.Document.FirstPage, 0.3, ready.Order)
		}
	}
	doubts.CompareNumbers(drafts)
	texts.ShareForceDays(drafts)
	for _, d := range drafts {
		doubts.Judge(d)
	}
	remains := drafts[0].Lines
	drafts = s.setNoLawAside(s.setRemainsAside(drafts), ready, len(strays(lines, labels, func(int) bool { return false })) > 0)
	if s.issue.Remains != nil {
		copies = append(copies, remains...)
	}
	if len(drafts) > 0 {
		noteStrays(drafts, lines, labels, copies)
	}
	s.issue.Is = kindsOf(drafts, ready, s.hints.Is, s.masthead.IsGazette)
	s.applier.Finish(s.issue, drafts)
	for _, d := range drafts {
		s.issue.Texts = append(s.issue.Texts, d.Text)
	}
}

// articlesIn reports whether an article begins in lines.
func articlesIn(lines []line.Line) bool {
	return slices.ContainsFunc(lines, func(l line.Line) bool {
		_, _, ok := l.Article("")
		return ok && (l.Opens || l.Centered)
	})
}
