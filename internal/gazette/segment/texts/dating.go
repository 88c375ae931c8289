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
)

// trustIn is the confidence in a date by how it was read.
func trustIn(how law.Reading) float64 {
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
		for _, l := range front[:min(len(front), mostLooked)] {
			look(l.Text, l.Page, false)
		}
		if i == 0 && len(drafts) == 1 {
			d.linesBefore(pages, true, func(text string, page int) {
				if !figuresOnly.MatchString(text) { // the day on which a browser printed the page
					look(text, page, false)
				}
			})
		}
		for _, l := range d.lastLines() {
			look(l.Text, l.Page, true)
		}
		if i > 0 && !slices.ContainsFunc(all, func(c candidateDay) bool { return c.sure }) {
			if by := d.datedByLawBefore(drafts[max(i-1, 0)]); len(by) > 0 { // any other day may come from a preamble
				all = by
			}
		}
		d.propose(all)
	}
}

// IsLate reports whether a text cannot be of a day, because it is later than the issue or than today.
func IsLate(day time.Time, issue gazette.Issue, today time.Time) bool {
	return issue.Date != nil && day.After(*issue.Date) || !today.IsZero() && day.After(today)
}

// datedByLawBefore proposes the date of the text before for a constitution, a code or an
// agreement without a number, which a gazette prints after the law that enacts or approves it.
// If both have one number, the date is sure.
func (d *Draft) datedByLawBefore(before *Draft) []candidateDay {
	made := d.Document.Type == law.Constitution || d.Document.Type == law.Code || d.Title.IsTreaty()
	number := d.Document.OfficialNumber
	if !made || number != "" && number != before.Document.OfficialNumber || before.Date.IsZero() || before.DateProposed {
		return nil
	}
	return []candidateDay{{Dating: law.Dating{Day: before.Date}, words: before.Printed, page: before.Document.FirstPage, sure: number != ""}}
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
	before, after := text[:c.Start], text[c.End:]
	alone := beforeAlone.MatchString(before) && afterAlone.MatchString(after)
	signed := signedOn.MatchString(before) && len([]rune(after)) <= shortRest
	if c.sure = c.How == law.AsPrinted && (alone || signed); c.sure || end {
		return c, alone || signed
	}
	if titles.NumberMark.MatchString(before) { // « décret n° 16-80 du 24 février »: of what has that number
		return c, false
	}
	for _, r := range law.References(text) {
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
	from := max(0, len(d.Lines)-mostLooked)
	for n := len(d.Lines) - 1; n >= from; n-- {
		if _, _, ok := d.Lines[n].Article(""); ok && d.Lines[n].Opens {
			return d.Lines[n:]
		}
	}
	return d.Lines[from:]
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

// signedAt matches the line that says where and when a text was signed: « Fait à Dakar, le 11 avril 2016 ».
// It does not match when an assembly voted (« Fait et délibéré en séance du … »), which is another day.
var signedAt = law.Pattern(`^(?i:(?:ainsi +)?(?:fait|donné) +(?:à|au|en) [^,;]{2,40}, *(?:le|ce) )`)

// SignedDay returns the day on which a text says that it was signed, and the page that says so. Both are zero
// if the text gives no day, or several. The signatures of annexes do not count.
func (d *Draft) SignedDay() (day time.Time, page int) {
	for _, a := range d.Articles {
		if a.Number != "" || a.Heading != gazette.SignaturesHeading {
			continue
		}
		lines := strings.Split(a.Text, "\n")
		for i, l := range lines {
			if !signedAt.MatchString(l) && !articles.PlaceAndDay.MatchString(l) {
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
