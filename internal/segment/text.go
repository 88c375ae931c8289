package segment

import (
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
	pieces   []piece
	date     time.Time // of promulgation; zero: not found
	force    force
	bill     bool
	articles int
}

var (
	makesCode  = law.Pattern(`(?i)^(?:et )?(?:portant|formant|instituant|établissant|etablissant|relative au|relatif au|fixant|édictant|promulguant)\b[^;]{0,100}?\bcode +(?:de|du|des|d')`)
	changes    = law.Pattern(`(?i)\b(?:modifi|compl[ée]t|abrog|rectifi|d[ée]rog|application)`)
	codeName   = law.Pattern(`(?i)\bcode\b`)
	makesBasic = law.Pattern(`(?i)^(?:portant|relative à la|promulguant la) +(?:révision de la +|r[ée]vision +de +la +)?constitution\b`)
	names      = law.Pattern(`(?i)\b(?:nomination|nommant|d[ée]signation|agr[ée]ment de|promotion|titularisation|affectation|mise à la retraite|détachement|délégation de signature)\b`)
)

// makesCode tells whether the text is a code: it calls itself one, or makes one
// (« portant Code du travail »), and does not merely change one.
func (h head) makesCode() bool {
	at := codeName.FindStringIndex(h.object)
	return h.kind.as == law.Code || h.kind.as == law.Loi && at != nil && makesCode.MatchString(h.object) && !changes.MatchString(h.object[:at[0]])
}

// newText cuts a text's lines and reads what it says of itself.
func newText(h head, lines []line, m masthead) *draft {
	d := &draft{head: h}
	title, rest := lines[:min(h.lines, len(lines))], lines[min(h.lines, len(lines)):]
	d.Head = printed(title)
	code := h.makesCode()
	d.pieces = cutBody(rest, code)
	bare := !slices.ContainsFunc(d.pieces, func(p piece) bool { return p.role == articleRole || p.role == sectionRole })
	for _, p := range d.pieces {
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
	d.Document.FirstPage, d.Document.LastPage = pagesOf(lines)
	d.Document.Status = law.InForce
	d.Document.OfficialNumber = h.number
	d.Document.Title = d.title(m)
	d.Document.Type = h.kind.as
	switch {
	case code:
		d.Document.Type = law.Code
	case h.kind.as == law.Loi && makesBasic.MatchString(h.object):
		d.Document.Type = law.Constitution
	}
	d.date = h.date
	if d.date.IsZero() {
		d.date = d.signedOn()
	}
	d.bill = notYetLaw.MatchString(joined(title)) || notYetLaw.MatchString(h.object)
	d.force = forceOf(d.Articles, h.abridged)
	d.Document.Domain = domainOf(d)
	d.Relations = relationsOf(d)
	return d
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
	return strings.TrimSpace(d.head.title())
}

// signedOn is the date of the signatures: « Fait à …, le 3 mai 2010 ».
func (d *draft) signedOn() time.Time {
	for i := len(d.Articles) - 1; i >= 0; i-- {
		a := d.Articles[i]
		if a.Number == "" && a.Heading == signaturesHeading {
			if date, _, _, ok := law.FindDate(a.Text); ok {
				return date
			}
		}
	}
	return time.Time{}
}

// settle brings in the hints and the issue, fixes the dates and says the doubts.
func (d *draft) settle(hints Hints, issue Issue, single bool) {
	if single {
		d.hint(hints)
	}
	doc := &d.Document
	given := func(set bool) bool { return single && set }
	if doc.Title == "" {
		doc.Title = strings.TrimSuffix(hints.Filename, ".pdf")
		d.doubt("title", "Aucun titre n’a été reconnu.", 0.1)
	}
	d.doubtType(given(hints.Type != ""))
	if doc.OfficialNumber == "" && doc.Type != law.Constitution && !given(hints.OfficialNumber != "") {
		d.doubt("numero_officiel", "Aucun numéro officiel n’a été trouvé.", 0)
	}
	d.promulgated(issue, given(hints.Promulgated != nil))
	doc.EntersInForce = d.force.date(doc.Promulgated, issue.Date)
	if given(hints.EntersInForce != nil) {
		doc.EntersInForce = *hints.EntersInForce
	}
	for i := range d.Relations {
		if d.Relations[i].Effective.IsZero() {
			d.Relations[i].Effective = doc.EntersInForce
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

func (d *draft) doubtType(given bool) {
	doc := &d.Document
	switch {
	case given:
	case doc.Type == "":
		doc.Type = law.Loi
		d.doubt("doc_type", "La nature du texte n’a pas été reconnue.", 0)
	case d.bill:
		d.doubt("doc_type", "Le titre annonce un projet ou un guide, pas un texte promulgué.", 0.1)
	case !d.head.kind.sure:
		d.doubt("doc_type", "Le texte se présente comme « "+d.head.kind.label+" » : la nature retenue est à confirmer.", 0.4)
	case d.articles == 0 && !d.head.abridged && doc.Type != law.Circulaire:
		d.doubt("articles", "Aucun article n’a été reconnu.", 0.2)
	}
}

// promulgated fixes the date of promulgation; a text without one takes the
// issue's and waits for a person.
func (d *draft) promulgated(issue Issue, given bool) {
	doc := &d.Document
	doc.Promulgated = d.date
	switch {
	case given:
	case d.date.IsZero():
		d.doubt("date_promulgation", "Aucune date de promulgation n’a été trouvée.", 0)
		if issue.Date != nil {
			doc.Promulgated = *issue.Date
		}
	case issue.Date != nil && d.date.After(*issue.Date):
		d.doubt("date_promulgation", "La date de promulgation est postérieure à celle du journal.", 0.3)
	}
}

func (d *draft) doubt(field, reason string, confidence float64) {
	d.Doubts = append(d.Doubts, law.Doubt{Field: field, Reason: reason, Confidence: confidence})
}
