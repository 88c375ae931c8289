package texts

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

// StateKind is how certainly words give the day of a state, in increasing order.
type StateKind int

// The kinds of states.
const (
	ChangedOn StateKind = iota // « Modifié le … »: perhaps the day on which the web page with the code changed
	asOf                       // « Version consolidée au … »
	modified                   // « Dernière modification le … »
)

// State is the day as of which a text is printed.
type State struct {
	Kind  StateKind
	Day   time.Time // zero if none is given
	Words string    // as printed
	Page  int
	Other time.Time // another day that is given with the same certainty, zero if there is none
}

// readState reads the first words of a line that give the day of a state.
func readState(text string) (State, bool) {
	if !strings.ContainsAny(text, "0123456789") {
		return State{}, false
	}
	m := titles.StateWords.FindStringSubmatchIndex(text)
	if m == nil {
		return State{}, false
	}
	day, _, _, ok := law.FindDate(text[m[8]:m[9]])
	if !ok {
		return State{}, false
	}
	s := State{Kind: ChangedOn, Day: day, Words: text[m[2]:m[9]]}
	switch {
	case m[4] >= 0:
		s.Kind = modified
	case m[6] >= 0:
		s.Kind = asOf
	}
	return s, true
}

// combine combines s with the state that another line gives. The more certain words win, then the later day. If the day
// of the losing state contradicts the winning state, it is kept in the result's field other. It contradicts if it is
// equally certain, or if it is the day of a version that is older than the last change.
func (s State) combine(o State) State {
	if s.Day.IsZero() || o.Kind > s.Kind || o.Kind == s.Kind && o.Day.After(s.Day) {
		s, o = o, s
	}
	if !o.Day.IsZero() && !o.Day.Equal(s.Day) && (o.Kind == s.Kind || o.Kind == asOf && o.Day.Before(s.Day)) {
		s.Other = o.Day
	}
	return s
}

// stateReach is how many pages before a file's first text are searched for the day of its state.
const stateReach = 3

// ReadStates reads the day of the state of each text, which is the date of an undated code. It searches the text's lines
// before its first article; for the file's first text, also the lines before it; and for the file's only text, also the
// heads and feet of these pages. An undated text that is no code has none.
func ReadStates(drafts []*Draft, pages []layout.Page) {
	for i, d := range drafts {
		if d.Date.IsZero() && d.Document.Type != law.Code || len(d.Lines) == 0 {
			continue
		}
		readFrom := func(text string, page int) {
			if s, ok := readState(text); ok {
				s.Page = page
				d.State = d.State.combine(s)
			}
		}
		front := titles.Front(d.Lines)
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
func (d *Draft) linesBefore(pages []layout.Page, asides bool, read func(text string, page int)) {
	first := d.Lines[0]
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

// AsOf returns the day as of which the text is printed, nil if it is printed as it was published. Of a dated text only
// certain words count, and a day after its date: in « loi de 2008, modifiée le … » the words may mean anything. A day
// after that of the issue is misread, and for an undated code a doubt says so.
func (d *Draft) AsOf(issue gazette.Issue) *time.Time {
	s := d.State
	switch {
	case s.Day.IsZero(), issue.Date != nil && s.Day.After(*issue.Date):
		return nil
	case !d.Date.IsZero() && (s.Kind == ChangedOn || !s.Day.After(d.Date)):
		return nil
	}
	return &s.Day
}

// OfState reports whether the text is a code that is dated by its state.
func (d *Draft) OfState() bool { return d.Date.IsZero() && !d.State.Day.IsZero() }

// stateDay returns the day from which a code is law as printed: the day of its state, or a later day on which it says
// that it enters into force. A day of entry into force before the day of the state concerned the first version.
func (d *Draft) stateDay() time.Time {
	if d.Force.On.After(d.State.Day) {
		return d.Force.On
	}
	return d.State.Day
}

// ChangesFrom returns the day from which the changes that the text makes apply. An old code that is printed as of today
// made its repeals on the day on which it entered into force, if it states that day.
func (d *Draft) ChangesFrom() time.Time {
	if d.OfState() && !d.Force.On.IsZero() {
		return d.Force.On
	}
	return d.Document.EntersInForce
}
