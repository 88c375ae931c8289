package segment

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"vigueur/internal/law"
)

// draft is a text on its way: what is printed, before hints and the rest of the
// issue have settled what it means.
type draft struct {
	Text
	head     head
	number   string // the head's, without the printer's blanks
	lines    []line // all of it
	repeat   []line // the same again
	pieces   []piece
	printed  string    // the title as printed
	date     time.Time // of promulgation; zero: not found
	dated    string    // what it was read from
	datedOn  int       // the page of that
	trust    float64   // in it
	state    state     // as of which its publisher prints it
	force    force
	domain   domain
	bill     bool
	about    object // read from the first article, where the title has none
	articles int
	headless bool // it begins before the file
	resumed  bool // and nothing of how a text is opened stands before its first article
	bounded  bool // a person has said where it begins or that it goes on
	last     bool // of the file: it may go on behind it
	// All texts before it in the file have a final clause or a signature.
	behindEnded bool
	judgment    Judgment
	only        bool // of the file: whatever the chain makes of its beginning, a file has one
	enacted     bool // it has a formula, which announces articles
	measure     bool // a sentence says all: « Par décret …, M. … est nommé »
}

// slight is what an account and a summary need of a text, without what is printed in it.
func (d *draft) slight() *draft {
	return &draft{Text: Text{Document: d.Document}, head: d.head, number: d.number, printed: d.printed, date: d.date, headless: d.headless}
}

var (
	makesCode  = law.Pattern(`(?i)^(?:et )?(?:portant|formant|instituant|établissant|etablissant|relative au|relatif au|fixant|édictant|promulguant)\b[^;]{0,100}?\bcode +(?:de|du|des|d')`)
	changes    = law.Pattern(`(?i)\b(?:modifi|compl[ée]t|abrog|rectifi|d[ée]rog|application)`)
	codeName   = law.Pattern(`(?i)\bcode\b`)
	makesBasic = law.Pattern(`(?i)^(?:portant|relative à la|promulguant la) +(?:révision de la +|r[ée]vision +de +la +)?constitution\b`)
	names      = law.Pattern(`(?i)\b(?:nomination|nommant|d[ée]signation|agr[ée]ment de|promotion|titularisation|affectation|mise à la retraite|détachement|délégation de signature)\b`)
)

// makesCode reports whether the text is a code: it calls itself one, or makes one
// (« portant Code du travail »), and does not merely change one.
func (h head) makesCode() bool {
	at := codeName.FindStringIndex(h.object)
	return h.kind.as == law.Code || h.kind.as == law.Loi && at != nil && makesCode.MatchString(h.object) && !changes.MatchString(h.object[:at[0]])
}

// known is what is known of a text before it is read.
type known struct {
	rules Judgment
	only  bool
}

// newText cuts a text's lines and reads what it says of itself.
func newText(h head, lines []line, made []seen, m masthead, known known) *draft {
	d := &draft{head: h, number: law.TextNumber(h.number), lines: lines, judgment: known.rules, only: known.only}
	title, rest := lines[:min(h.lines, len(lines))], lines[min(h.lines, len(lines)):]
	d.Head = printed(title)
	code := h.makesCode()
	b := cutBody(rest, made[len(title):], code, known.rules)
	d.pieces, d.repeat = withoutRepeat(b.pieces, title)
	d.witness(&b, made)
	bare := !slices.ContainsFunc(d.pieces, func(p piece) bool { return p.role == articleRole || p.role == sectionRole })
	for i, p := range d.pieces {
		if p.role == signatureRole {
			p.lines = asSignedLines(inBlocks(p.lines))
			d.pieces[i] = p
		}
		a := p.article()
		a.Position = len(d.Articles)
		if p.role == articleRole {
			d.articles++
		}
		if bare && p.role == preambleRole {
			a.Heading = "" // no visas: the text itself
		}
		d.Articles = append(d.Articles, a)
	}
	d.Document.FirstPage, d.Document.LastPage = pagesOf(title)
	for _, p := range d.pieces {
		first, last := pagesOf(p.lines)
		if len(title) == 0 && d.Document.FirstPage == 0 {
			d.Document.FirstPage = first
		}
		d.Document.LastPage = max(d.Document.LastPage, last)
	}
	d.Document.Status = law.InForce
	d.Document.OfficialNumber = h.number
	d.Document.Nature = h.kind.label
	if capitals(h.object) {
		h.object, _ = wordingsOf(d.Articles).asWritten(h.object)
		d.head.object = h.object
	}
	d.Document.Title = d.title(m)
	if about, ok := objectOf(d.Articles); ok && h.object == "" && h.number != "" && !h.abridged && d.Document.Title == strings.TrimSpace(h.title()) {
		d.about = about
		d.Document.Title += " " + about.title
	}
	d.Document.Type = h.kind.as
	switch {
	case code:
		d.Document.Type = law.Code
	case h.kind.as == law.Loi && makesBasic.MatchString(h.object):
		d.Document.Type = law.Constitution
	}
	d.printed = joined(title)
	d.dateOf(h)
	d.bill = notYetLaw.MatchString(d.printed) || notYetLaw.MatchString(h.object)
	return d
}

// understand reads what a text's words mean for others, once it is known which lines
// are its own.
func (d *draft) understand() {
	d.Signatories = signatories(d.pieces)
	d.reread()
}

// title is the printed title, or the summary's where the text comes in short.
func (d *draft) title(m masthead) string {
	if listed, ok := m.entries[d.head.key()]; ok && (d.head.object == "" || d.head.abridged) {
		h := d.head
		if h.read(listed); h.object != "" {
			h.dated = d.head.dated
			return h.title()
		}
	}
	return law.Title(d.head.title())
}

// dateOf takes the day of promulgation from the title, else from what it says of
// the act that promulgated it, else from the signatures.
func (d *draft) dateOf(h head) {
	if !h.date.IsZero() {
		d.date, d.dated, d.datedOn, d.trust = h.date, cmp.Or(h.above, h.dated, h.date.Format(time.DateOnly)), d.Document.FirstPage, cmp.Or(h.trust, asPrinted)
		return
	}
	if m := promulgatedBy.FindStringSubmatch(d.printed); m != nil {
		if date, _, _, ok := law.FindDate(m[1]); ok {
			d.date, d.dated, d.datedOn, d.trust = date, m[0], d.Document.FirstPage, asSigned
			return
		}
	}
	for i := len(d.Articles) - 1; i >= 0; i-- {
		a := d.Articles[i]
		if a.Number == "" && a.Heading == signaturesHeading {
			if date, from, to, ok := law.FindDate(a.Text); ok {
				d.date, d.dated, d.datedOn, d.trust = date, a.Text[from:to], a.Page, asSigned
				return
			}
		}
	}
}

// « promulguée par le dahir n° 1-04-23 du 12 hija 1424 (3 février 2004) »
var promulgatedBy = plain(`(?i)promulguée? +par +(?:le +|la +)?(?:dahir|décret|loi|ordonnance)\b([^;.]{0,90})`)

// settle brings in the hints and the issue, fixes the dates and says the doubts.
func (d *draft) settle(hints Hints, issue Issue, single bool) {
	if single {
		d.hint(hints)
	}
	doc := &d.Document
	given := func(set bool) bool { return single && set }
	d.noteTitle(hints)
	d.noteType(given(hints.Type != ""))
	d.noteNumber(hints, given(hints.OfficialNumber != ""))
	d.noteDate(issue, given(hints.Promulgated != nil))
	d.noteEnds()
	if !d.headless { // that some are missing is said already
		d.Absent = absent(d.Articles)
	}
	d.noteCount()
	doc.EntersInForce = d.entersInForce(issue)
	if given(hints.EntersInForce != nil) {
		doc.EntersInForce = *hints.EntersInForce
	}
	d.noteForce(issue, given(hints.EntersInForce != nil))
	d.noteSigners(given(hints.Domain != ""))
	for i := range d.Relations {
		if d.Relations[i].Effective.IsZero() {
			d.Relations[i].Effective = d.changesFrom()
		}
	}
}

// hint lets the operator's words win over the printed ones.
func (d *draft) hint(h Hints) {
	doc := &d.Document
	if h.Title != "" {
		doc.Title = h.Title
	}
	if h.Type != "" {
		doc.Type = h.Type
	}
	doc.Nature = cmp.Or(h.Nature, doc.Nature)
	if h.OfficialNumber != "" {
		doc.OfficialNumber = h.OfficialNumber
	}
	if h.Domain != "" {
		doc.Domain = h.Domain
	}
	if h.Promulgated != nil {
		d.date = *h.Promulgated
	}
}
