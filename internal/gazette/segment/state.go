package segment

import (
	"slices"
	"strings"
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// An official's consolidated code is printed as it stands on a day, which its publisher
// tells: « Dernière modification le … », « Version consolidée au … ». Where it does not
// name the law that made it, that day stands as its date: the words were law from then on.
// When the file was made or printed (« Document généré le … ») says nothing of the law.

// stateKind is how surely words tell the day of a state, the surest last.
type stateKind int

const (
	changedOn stateKind = iota // « Modifié le … »: perhaps the page that shows it
	asOf                       // « Version consolidée au … »
	modified                   // « Dernière modification le … »
)

// state is the day as of which a code is printed.
type state struct {
	kind  stateKind
	day   time.Time // zero: none is told
	words string    // as printed
	page  int
	other time.Time // another day that is told as surely; zero: none
}

// What words tell a day of a state, by their kinds, and what stands between them and it.
const (
	modifiedWords = `(?:date +de +(?:la +)?)?derni[èe]res? +(?:modifications?|mises? +à +jour|r[ée]visions?|actualisations?|consolidations?)(?: +(?:du +(?:texte|code)|des +donn[ée]es))?`
	asOfWords     = `(?:(?:version|texte|[ée]tat|[ée]dition|code) +)?(?:consolid[ée]e?|coordonn[ée]e?|actualis[ée]e?|mise? +à +jour|à +jour)|(?:version|texte|dispositions) +(?:en +vigueur|applicables?)|[ée]tat|mise +à +jour`
	changedWords  = `modifi[ée]e?`
	stateLink     = ` *:? *(?:(?:en +date +du|à +la +date +du|jusqu'au|le|au|du) +)?`
	stateDay      = `(?:` + dateText + `|\d{1,2}[/.]\d{1,2}[/.]\d{4}|\d{4}-\d{2}-\d{2})`
)

// stateWords are such words and their day, set apart from what stands about them: a
// sentence that goes on (« modifié le 3 mai 2010 par la loi … ») is about another day.
var stateWords = law.Pattern(`(?i)(?:^|[(,;:|.~]|^CODE [^.;]{1,90}?) *((` + modifiedWords + `)|(` + asOfWords + `)|` + changedWords + `)` + stateLink + `(` + stateDay + `) *(?:[])(.,;|]|$| ~)`)

// readState reads the first words of a line that tell a day of a state.
func readState(text string) (state, bool) {
	if !strings.ContainsAny(text, "0123456789") {
		return state{}, false
	}
	m := stateWords.FindStringSubmatchIndex(text)
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

// withoutState takes off a title the words at its end that tell the day of its state.
func withoutState(title string) string {
	m := stateWords.FindStringSubmatchIndex(title)
	if m == nil {
		return title
	}
	if strings.Trim(title[m[9]:], " )].") != "" {
		return title
	}
	return strings.TrimRight(title[:m[2]], " (,;:|.-‐‑–—")
}

// with is s with what another line tells: the surer words win, of two as sure the later
// day. Another day that cannot be true beside it is kept: two as sure, or a version of a
// day before the last change.
func (s state) with(o state) state {
	if s.day.IsZero() || o.kind > s.kind || o.kind == s.kind && o.day.After(s.day) {
		s, o = o, s
	}
	if !o.day.IsZero() && !o.day.Equal(s.day) && (o.kind == s.kind || o.kind == asOf && o.day.Before(s.day)) {
		s.other = o.day
	}
	return s
}

// stateReach is how many pages before a file's first text may tell the day of its state.
const stateReach = 3

// readStates reads the day of the state of each code that is not dated otherwise: on the
// lines of its own before its first article; for the file's first text also before it; for
// its only text also at the head and the foot of its first pages.
func readStates(drafts []*draft, pages []layout.Page) {
	for i, d := range drafts {
		if d.Document.Type != law.Code || !d.date.IsZero() || len(d.lines) == 0 {
			continue
		}
		take := func(text string, page int) {
			if s, ok := readState(text); ok {
				s.page = page
				d.state = d.state.with(s)
			}
		}
		front := frontOf(d.lines)
		if i == 0 {
			d.beforeIt(pages, len(drafts) == 1, take)
		}
		for _, l := range front {
			take(l.text, l.Page)
		}
	}
}

// beforeIt gives the lines before a text, on pages near it, and with asides those that
// stand at the head and the foot of these and of its first page.
func (d *draft) beforeIt(pages []layout.Page, asides bool, take func(text string, page int)) {
	first := d.lines[0]
	for _, p := range pages {
		if p.Number < first.Page-stateReach || p.Number > first.Page {
			continue
		}
		if asides {
			for _, l := range p.Aside {
				take(l.Text(), p.Number)
			}
		}
		at := slices.IndexFunc(p.Lines, func(l layout.Line) bool { return p.Number == first.Page && l.Rect == first.Rect })
		if at < 0 {
			at = len(p.Lines)
		}
		for _, l := range p.Lines[:at] {
			take(l.Text(), p.Number)
		}
	}
}

// noteState records the day of the state as the date of a code, with what makes it
// doubtful.
func (d *draft) noteState(issue Issue) {
	const field = "date_promulgation"
	s := d.state
	d.Document.Promulgated = s.day
	switch {
	case issue.Date != nil && s.day.After(*issue.Date):
		d.note(field, s.words, s.page, asGuessed, "La date de l’état du code est postérieure à celle du journal.")
	case !s.other.IsZero():
		d.note(field, s.words, s.page, asGuessed, "Le code dit deux dates de son état ("+law.WriteDate(s.day)+", "+law.WriteDate(s.other)+") : la date est à confirmer.")
	case s.kind == changedOn:
		d.note(field, s.words, s.page, asGuessed, "Cette date peut être celle de la page plutôt que celle du code : elle est à confirmer.")
	default:
		d.note(field, s.words, s.page, asSigned, "")
	}
}

// ofState tells of a code whose date is that of its state.
func (d *draft) ofState() bool { return d.date.IsZero() && !d.state.day.IsZero() }

// stated is the day from which a code is law as it is printed: that of its state, or a
// later one that it names itself. An earlier one is when its first words were law.
func (d *draft) stated() time.Time {
	if d.force.on.After(d.state.day) {
		return d.force.on
	}
	return d.state.day
}

// changesFrom is the day from which what the text changes is changed: a code of long ago
// that is printed as of today has repealed what it repeals then, where it says when.
func (d *draft) changesFrom() time.Time {
	if d.ofState() && !d.force.on.IsZero() {
		return d.force.on
	}
	return d.Document.EntersInForce
}
