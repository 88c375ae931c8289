package segment

import (
	"slices"
	"strings"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// Publishers print a consolidated text as of a day, which they state: « Dernière modification le … »,
// « Version consolidée au … ». If a code does not name the law that enacted it, this day becomes its date,
// because the printed words have been law since then. The day on which the file was made or printed
// (« Document généré le … ») says nothing about the law.

// stateKind is how certainly words give the day of a state, in increasing order.
type stateKind int

const (
	changedOn stateKind = iota // « Modifié le … »: perhaps the day on which the web page with the code changed
	asOf                       // « Version consolidée au … »
	modified                   // « Dernière modification le … »
)

// state is the day as of which a text is printed.
type state struct {
	kind  stateKind
	day   time.Time // zero if none is given
	words string    // as printed
	page  int
	other time.Time // another day that is given with the same certainty, zero if there is none
}

// readState reads the first words of a line that give the day of a state.
func readState(text string) (state, bool) {
	if !strings.ContainsAny(text, "0123456789") {
		return state{}, false
	}
	m := titles.StateWords.FindStringSubmatchIndex(text)
	if m == nil {
		return state{}, false
	}
	day, _, _, ok := law.FindDate(text[m[8]:m[9]])
	if !ok {
		return state{}, false
	}
	s := state{kind: changedOn, day: day, words: text[m[2]:m[9]]}
	switch {
	case m[4] >= 0:
		s.kind = modified
	case m[6] >= 0:
		s.kind = asOf
	}
	return s, true
}

// combine combines s with the state that another line gives. The more certain words win, then the later day. If the day
// of the losing state contradicts the winning state, it is kept in the result's field other. It contradicts if it is
// equally certain, or if it is the day of a version that is older than the last change.
func (s state) combine(o state) state {
	if s.day.IsZero() || o.kind > s.kind || o.kind == s.kind && o.day.After(s.day) {
		s, o = o, s
	}
	if !o.day.IsZero() && !o.day.Equal(s.day) && (o.kind == s.kind || o.kind == asOf && o.day.Before(s.day)) {
		s.other = o.day
	}
	return s
}

// stateReach is how many pages before a file's first text are searched for the day of its state.
const stateReach = 3

// readStates reads the day of the state of each text, which is the date of an undated code. It searches the text's lines
// before its first article; for the file's first text, also the lines before it; and for the file's only text, also the
// heads and feet of these pages. An undated text that is no code has none.
func readStates(drafts []*draft, pages []layout.Page) {
	for i, d := range drafts {
		if d.date.IsZero() && d.Document.Type != law.Code || len(d.lines) == 0 {
			continue
		}
		readFrom := func(text string, page int) {
			if s, ok := readState(text); ok {
				s.page = page
				d.state = d.state.combine(s)
			}
		}
		front := titles.Front(d.lines)
		if i == 0 {
			d.linesBefore(pages, len(drafts) == 1, readFrom)
		}
		for _, l := range front {
			readFrom(l.Text, l.Page)
		}
	}
}

// linesBefore calls read for the lines before a text on the pages near it and, if asides is set, for those at
// the head and foot of these pages.
func (d *draft) linesBefore(pages []layout.Page, asides bool, read func(text string, page int)) {
	first := d.lines[0]
	for _, p := range pages {
		if p.Number < first.Page-stateReach || p.Number > first.Page {
			continue
		}
		if asides {
			for _, l := range p.Aside {
				read(l.Text(), p.Number)
			}
		}
		at := slices.IndexFunc(p.Lines, func(l layout.Line) bool { return p.Number == first.Page && l.Rect == first.Rect })
		if at < 0 {
			at = len(p.Lines)
		}
		for _, l := range p.Lines[:at] {
			read(l.Text(), p.Number)
		}
	}
}

// asOf returns the day as of which the text is printed, nil if it is printed as it was published. Of a dated text only
// certain words count, and a day after its date: in « loi de 2008, modifiée le … » the words may mean anything. A day
// after that of the issue is misread, and for an undated code a doubt says so.
func (d *draft) asOf(issue gazette.Issue) *time.Time {
	s := d.state
	switch {
	case s.day.IsZero(), issue.Date != nil && s.day.After(*issue.Date):
		return nil
	case !d.date.IsZero() && (s.kind == changedOn || !s.day.After(d.date)):
		return nil
	}
	return &s.day
}

// ofState reports whether the text is a code that is dated by its state.
func (d *draft) ofState() bool { return d.date.IsZero() && !d.state.day.IsZero() }

// stated returns the day from which a code is law as printed: the day of its state, or a later day on which it says
// that it enters into force. A day of entry into force before the day of the state concerned the first version.
func (d *draft) stated() time.Time {
	if d.force.On.After(d.state.day) {
		return d.force.On
	}
	return d.state.day
}

// changesFrom returns the day from which the changes that the text makes apply. An old code that is printed as of today
// made its repeals on the day on which it entered into force, if it states that day.
func (d *draft) changesFrom() time.Time {
	if d.ofState() && !d.force.On.IsZero() {
		return d.force.On
	}
	return d.Document.EntersInForce
}
