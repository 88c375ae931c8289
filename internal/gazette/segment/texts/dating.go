package texts

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/force"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/masthead"
	"vigueur/internal/gazette/segment/prepare"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
	"vigueur/internal/law/read"
)

// trustIn is the confidence in a date by how it was read.
func trustIn(how law.DateReading) float64 {
	if how == law.AsPrinted {
		return remarks.AsPrinted
	}
	return remarks.AsGuessed
}

// candidateDay is a place where the date of a text may be printed.
type candidateDay struct {
	law.Dating
	words string // the line
	page  int
	sure  bool // its place says that it is the text's date
}

var (
	// What may be beside a date on a line that dates a text: « Du 3 mai 2010 », « En date du lundi 3 mai 2010. »
	beforeAlone = law.Pattern(`^(?i:(?:en +)?(?:date|dat[ée]e?)? *:? *(?:du|le|ce|of|on)? *(?:(?:dimanche|lundi|mardi|mercredi|jeudi|vendredi|samedi),? +)?)$`)
	afterAlone  = law.Pattern(`^(?: |[.,;:)~])*$`)
	// How the line begins that says where and when a text was signed, or that it was promulgated: « Yaoundé, le ».
	signedOn = line.OptionalAccents(`^(?:(?i:(?:ainsi +)?(?:fait|donné|signé|adopté|promulgué|conclu|delivered|done|signed|given)e?\b[^.;]{0,80}?(?:,|le|ce|on|the))|\p{Lu}[\p{L}'~. ]{1,40},) *(?:(?i:le|ce|on|the)\b)? *(?i:(?:dimanche|lundi|mardi|mercredi|jeudi|vendredi|samedi),?)? *$`)
)

// figuresOnly matches a line without a word.
var figuresOnly = law.Pattern(`^\P{L}*$`)

// mostLooked is the maximum number of lines at the beginning and at the end of a text that
// are searched for its date.
const mostLooked = 80

// FindDates looks for the date of each text whose title and signatures give none: on its
// first page down to the first visa or article, at its end, and, for the only text of a
// file, at the head and the foot of its pages. A line that can be nothing else dates the
// text; any other date is proposed to a person.
func FindDates(drafts []*Draft, pages []layout.Page, issue gazette.Issue, today time.Time) {
	for i, d := range drafts {
		if !d.Date.IsZero() || d.OfState() || d.Title.Corrects || len(d.Lines) == 0 {
			continue
		}
		var all []candidateDay
		look := func(text string, page int, end bool) {
			if c, ok := mayDate(text, end); ok && !(issue.Date != nil && c.Day.Equal(*issue.Date)) && !d.otherYear(c.Day) && !IsLate(c.Day, issue, today) {
				c.page = page
				all = append(all, c)
			}
		}
		front := titles.Front(d.Lines)
		described := false // the object of the title has begun: its dates are those of the texts that it names
		for _, l := range front[:min(len(front), mostLooked)] {
			pos := titles.ObjectAt(l.Text)
			if c, ok := mayDate(l.Text, false); ok && (c.sure || !described && c.Start < pos) {
				look(l.Text, l.Page, false)
			}
			described = described || pos < len(l.Text)
		}
		if i == 0 && len(drafts) == 1 {
			d.linesBefore(pages, true, func(text string, page int) {
				if !figuresOnly.MatchString(text) { // the day on which a browser printed the page
					look(text, page, false)
				}
			})
		}
		end := d.lastLines()
		for k, l := range end {
			look(l.Text, l.Page, true)
			if line.LastWord(l.Text) != "le" || !signedOn.MatchString(l.Text) {
				continue
			}
			for _, o := range end[max(k-1, 0):min(k+2, len(end))] { // « Fait à Dakar, le », and a day stamped higher or lower
				c, ok := titles.FindDate(o.Text)
				if left := strings.TrimSpace(o.Text[:c.Start]); ok && (left == "" || line.Ends(left)) && afterAlone.MatchString(o.Text[c.End:]) {
					look(l.Text+" "+o.Text[c.Start:], o.Page, true)
				}
			}
		}
		if i > 0 && !slices.ContainsFunc(all, func(c candidateDay) bool { return c.sure }) {
			if candidateDays := d.datedByLawBefore(drafts[max(i-1, 0)]); len(candidateDays) > 0 { // any other day may come from a preamble
				all = candidateDays
			}
		}
		d.propose(all)
	}
}

// IsLate reports whether a text cannot be of a day, because it is later than the issue or than today.
func IsLate(day time.Time, issue gazette.Issue, today time.Time) bool {
	return issue.Date != nil && day.After(*issue.Date) || !today.IsZero() && day.After(today)
}

// datedByLawBefore proposes the date of the text before for a constitution, a code or an agreement without a number, which a
// gazette prints after the law that enacts or approves it. If both have one number, or that law makes the code of this name, the
// date is sure. So is that of the act that promulgates a law, which has its nature and its number.
func (d *Draft) datedByLawBefore(previous *Draft) []candidateDay {
	code, number := d.Document.Type == law.Code, d.Document.OfficialNumber
	one := number != "" && number == previous.Document.OfficialNumber
	if previous.Date.IsZero() || previous.DateProposed || number != "" && !one ||
		!code && d.Document.Type != law.Constitution && !d.Title.IsTreaty() && !(one && d.Title.Kind == previous.Title.Kind) {
		return nil
	}
	sure := one || code && previous.Title.MakesCode() && titles.SharedWords(d.Document.Title, previous.Document.Title) == 1
	return []candidateDay{{Dating: law.Dating{Day: previous.Date}, words: previous.Printed, page: previous.Document.FirstPage, sure: sure}}
}

// mayDate reads the date of a line that may date a text. end says that the line is at the
// end of the text, where only the line of a signature counts. The date of another text, of a
// publication, of a file's making or of an entry into force dates no text.
func mayDate(text string, end bool) (candidateDay, bool) {
	c := candidateDay{words: text}
	var ok bool
	if c.Dating, ok = titles.FindDate(text); !ok || prepare.PublishedIn.MatchString(text) || masthead.MadeOn.MatchString(text) || force.Verb.MatchString(text) {
		return c, false
	}
	left, right := text[:c.Start], text[c.End:]
	alone := beforeAlone.MatchString(left) && afterAlone.MatchString(right)
	signed := signedOn.MatchString(left) && len([]rune(right)) <= shortRest
	if c.sure = c.How == law.AsPrinted && (alone || signed); c.sure || end {
		return c, alone || signed
	}
	if titles.NumberMark.MatchString(left) { // « décret n° 16-80 du 24 février »: of what has that number
		return c, false
	}
	for _, r := range read.Printed(text) {
		if r.Start <= c.Start && c.Start < r.End {
			return c, false
		}
	}
	return c, true
}

// shortRest is the maximum number of characters after the date on the line of a signature:
// « Fait à Dakar, le 3 mai 2010 en double exemplaire ».
const shortRest = 40

// lastLines returns the lines of a text from its last article on.
func (d *Draft) lastLines() []line.Line {
	start := max(0, len(d.Lines)-mostLooked)
	for n := len(d.Lines) - 1; n >= start; n-- {
		if _, _, ok := d.Lines[n].Article(""); ok && d.Lines[n].Opens {
			return d.Lines[n:]
		}
	}
	return d.Lines[start:]
}

// otherYear reports whether the year in the text's number excludes a day.
func (d *Draft) otherYear(day time.Time) bool {
	m := titles.NumberYear.FindStringSubmatch(d.Document.OfficialNumber)
	if len(m) < 2 || len(m[1]) != 4 || titles.YearAtEnd.MatchString(d.Document.OfficialNumber) {
		return false
	}
	year, _ := strconv.Atoi(m[1])
	return year > 1900 && year < 2100 && year != day.Year() && year != day.Year()-1 && heads.Slips(m[1], strconv.Itoa(day.Year())) > 0
}

// propose dates the text by the candidates. If the sure ones agree, the date is sure enough;
// otherwise the first of them is proposed to a person.
func (d *Draft) propose(all []candidateDay) {
	if len(all) == 0 {
		return
	}
	sure := slices.DeleteFunc(slices.Clone(all), func(c candidateDay) bool { return !c.sure })
	best, trust := all[0], remarks.AsGuessed
	if len(sure) > 0 {
		best = sure[0]
		if !slices.ContainsFunc(sure, func(c candidateDay) bool { return !c.Day.Equal(best.Day) }) {
			trust = remarks.AsInferred
		}
	}
	d.Date, d.DateWords, d.DatePage, d.DateTrust, d.DateReading = best.Day, strings.TrimSpace(best.words), best.page, trust, best.How
	d.DateProposed = trust < remarks.Sure
}

// isSigned reports whether a line says where and when a text was signed: « Fait à Dakar, le 11 avril 2016 ».
// When an assembly voted (« Fait et délibéré en séance du … ») is another day.
func isSigned(text string) bool {
	return signedAt.MatchString(text) || articles.PlaceAndDay.MatchString(text)
}

var signedAt = law.Pattern(`^(?i:(?:ainsi +)?(?:fait|donné) +(?:à|au|en) [^,;]{2,40}(?:, *à [^,;]{2,40})?, *(?:le|ce) )`)

// SignedDay returns the day on which a text says that it was signed, and the page that says so. Both are zero
// if the text gives no day, or several. The signatures of annexes do not count.
func (d *Draft) SignedDay() (day time.Time, page int) {
	for _, a := range d.Articles {
		if strings.Contains(a.Number, ", article ") { // who signs below is the annex's
			break
		}
		if a.Number != "" || a.Heading != gazette.SignaturesHeading {
			continue
		}
		lines := strings.Split(a.Text, "\n")
		for i, l := range lines {
			if !isSigned(l) {
				continue
			}
			found, _, _, ok := law.FindDate(strings.Join(lines[i:min(i+2, len(lines))], " "))
			if !ok || !day.IsZero() && !day.Equal(found) {
				return time.Time{}, 0
			}
			day, page = found, a.Page
		}
	}
	return day, page
}

// EntersInForce returns the day from which the text is law. Whether that day is implausible can only be judged if the
// day of promulgation was read.
func (d *Draft) EntersInForce(issue gazette.Issue) time.Time {
	if d.OfState() {
		return d.stateDay()
	}
	if d.Date.IsZero() {
		return d.Force.Day(d.Document.Promulgated, issue.Date)
	}
	return d.Force.Date(d.Document.Promulgated, issue.Date)
}

// OddForce reports whether the text has a clause whose day is implausible.
func (d *Draft) OddForce(issue gazette.Issue) bool {
	return !d.Date.IsZero() && d.Force.Words != "" && d.Force.IsOdd(d.Document.Promulgated, issue.Date)
}

var objectOnly = law.Pattern(`^(?:loi|decret|arrete|ordonnance)(?: organique)? ((?:relatif|relative|portant|fixant|sur) .*)$`)

// ShareForceDays sets the day of texts that enter into force « en même temps que » another text of the issue
// to that text's day.
func ShareForceDays(drafts []*Draft) {
	for _, d := range drafts {
		if d.Force.With == "" {
			continue
		}
		for _, other := range drafts {
			replacement := objectOnly.ReplaceAllString(d.Force.With, "$1") // titles also have a number between these words
			if other != d && strings.Contains(law.Fold(other.Document.Title), replacement) {
				d.Document.EntersInForce = other.Document.EntersInForce
				break
			}
		}
	}
}

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
		pos := slices.IndexFunc(p.Lines, func(l layout.Line) bool { return p.Number == first.Page && l.Rect == first.Rect })
		if pos < 0 {
			pos = len(p.Lines)
		}
		for _, l := range p.Lines[:pos] {
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
