package segment

import (
	"cmp"
	"math"
	"strings"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/force"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// wordsLimit is the maximum number of characters of printed words that are kept as evidence.
const wordsLimit = 200

// note records the words that a datum was read from. If the confidence is below remarks.Sure, it also adds a doubt
// with the given remark.
func (d *draft) note(field, words string, page int, confidence float64, why remarks.Remark) {
	words = d.keepEvidence(field, words, page, confidence)
	if confidence < remarks.Sure {
		d.Doubts = append(d.Doubts, remarks.Doubt{Field: field, Why: why, Confidence: confidence, Words: words, Page: page})
	}
}

// keepEvidence records the words that a datum was read from, and returns them as they are kept.
func (d *draft) keepEvidence(field, words string, page int, confidence float64) string {
	words = strings.Join(strings.Fields(words), " ")
	if r := []rune(words); len(r) > wordsLimit {
		words = string(r[:wordsLimit-1]) + "…"
	}
	d.Evidence = append(d.Evidence, law.Evidence{Field: field, Words: words, Page: page, Confidence: math.Round(confidence*100) / 100})
	return words
}

// noteForce records the evidence for the day of entry into force: the words of the clause, or the fact that there is no
// clause. A day that is counted from an unknown publication is less sure. A text without a clause is in force from its
// publication, which makes no doubt.
func (d *draft) noteForce(issue gazette.Issue, given bool) {
	const field = "date_entree_vigueur"
	f := d.force
	switch {
	case given:
		d.keepEvidence(field, "", 0, 1)
	case d.ofState() && !d.force.On.After(d.state.day):
		d.keepEvidence(field, d.state.words, d.state.page, remarks.AsInferred)
	case f.Words == "":
		d.keepEvidence(field, "", 0, remarks.AsInferred)
	case d.oddForce(issue):
		d.note(field, f.Words, f.Page, remarks.AsGuessed, d.oddForceRemark(issue))
	case f.After == force.Ratification:
		d.note(field, f.Words, f.Page, remarks.AsGuessed, remarks.Of(remarks.InForceUnknown))
	case f.Unread:
		d.note(field, f.Words, f.Page, remarks.AsGuessed, remarks.Of(remarks.InForceUnread))
	case f.Elsewhere != nil:
		first, last := f.Places(d.Document.Promulgated, issue.Date)
		d.note(field, f.Words, f.Page, remarks.AsGuessed, remarks.Remark{Kind: remarks.InForceByPlace, Days: []time.Time{first, last}})
	case f.After == force.Publication && issue.Date == nil:
		d.keepEvidence(field, f.Words, f.Page, remarks.AsInferred)
	default:
		d.keepEvidence(field, f.Words, f.Page, remarks.AsPrinted)
	}
}

// noteSigners records who signed, and the words that decided the domain. Neither is ever in doubt: a text may
// be unsigned, and a text of no domain belongs to « autre ».
func (d *draft) noteSigners(given bool) {
	page := d.Document.LastPage
	for _, p := range d.pieces {
		if p.Role == articles.SignatureRole {
			page = p.Page
		}
	}
	for _, s := range d.Signatories {
		d.keepEvidence("signataires", s, page, remarks.AsSigned)
	}
	if given {
		d.keepEvidence("domaine", "", 0, 1)
		return
	}
	d.keepEvidence("domaine", strings.Join(d.domain.words, ", "), d.Document.FirstPage, d.domain.trust)
}

// noteTitle records the title.
func (d *draft) noteTitle(hints gazette.Hints) {
	if d.about.title != "" {
		d.keepEvidence("title", d.printed+" […] "+d.about.words, d.about.page, remarks.AsInferred)
		return
	}
	if d.Document.Title != "" {
		d.keepEvidence("title", d.printed, d.Document.FirstPage, remarks.AsPrinted)
		return
	}
	d.Document.Title = strings.TrimSuffix(hints.Filename, ".pdf")
	if d.headless { // the file is named after another of its texts
		d.Document.Title = remarks.EndOfText(d.Document.FirstPage)
	}
	d.note("title", "", 0, 0.1, remarks.Of(remarks.NoTitle))
}

// noteType records the type, with a doubt if there is a reason for one.
func (d *draft) noteType(given bool) {
	doc := &d.Document
	at, words := doc.FirstPage, cmp.Or(d.head.Kind.Label, d.printed)
	switch {
	case given:
		d.keepEvidence("doc_type", string(doc.Type), 0, 1)
	case doc.Type == "":
		doc.Type = d.typeBySelf()
		d.note("doc_type", d.printed, at, remarks.NotFound, remarks.Of(remarks.NoNature))
	case d.bill:
		d.note("doc_type", d.printed, at, 0.1, remarks.Of(remarks.IsDraft))
	case d.isJudgment():
		d.note("doc_type", words, at, 0.1, remarks.Of(remarks.IsJudgment))
	case d.head.Kind.Unsure:
		d.note("doc_type", words, at, remarks.AsGuessed, remarks.Remark{Kind: remarks.NatureProposed, Words: doc.Nature})
	case d.head.Guessed:
		d.note("doc_type", words, at, remarks.AsGuessed, remarks.Of(remarks.NatureOfFilename))
	case d.withoutArticles():
		d.keepEvidence("doc_type", words, at, remarks.AsPrinted)
		d.noArticle()
		d.lacksArticles()
	default:
		trust := remarks.AsPrinted
		if d.head.Trust > 0 {
			trust = remarks.AsInferred
		}
		d.keepEvidence("doc_type", words, at, trust)
	}
}

// typeBySelf proposes the type of a text that does not print its nature by what its articles call it (« le présent
// arrêté »), else the type that binds least.
func (d *draft) typeBySelf() law.DocType {
	counts := map[law.DocType]int{}
	best := law.Circulaire
	for _, a := range d.Articles {
		for _, m := range callsItself.FindAllStringSubmatchIndex(a.Text, -1) {
			if n, _, ok := titles.ReadNature(a.Text[m[2]:]); ok && n.Type != "" {
				if counts[n.Type]++; counts[n.Type] > counts[best] {
					best = n.Type
				}
			}
		}
	}
	return best
}

// callsItself matches the words before the nature by which a text calls itself.
var callsItself = law.Pattern(`(?i)\bpr[ée]sente? +(\p{L})`)

// withoutArticles reports whether a text lacks the articles that texts of its type have.
func (d *draft) withoutArticles() bool {
	return d.articles == 0 && !d.head.Abridged && d.Document.Type != law.Circulaire
}

// noteNumber records the official number. If a year in the number is not the text's own, it is a misprint or was
// misread. Such a number is corrected if the file's name has the right number, else doubted.
func (d *draft) noteNumber(hints gazette.Hints, given bool) {
	doc := &d.Document
	named := titles.NameNumber(hints.Filename)
	switch {
	case given:
		d.keepEvidence("numero_officiel", doc.OfficialNumber, 0, 1)
	case doc.OfficialNumber == "":
		d.keepEvidence("numero_officiel", "", 0, remarks.AsInferred) // many texts have none
	case d.head.Trust > 0 && d.head.Trust < remarks.Sure:
		d.note("numero_officiel", d.printed, doc.FirstPage, d.head.Trust, remarks.Of(remarks.NumberMisprinted))
	case d.oddYear():
		mended := d.correctedNumber()
		if mended != "" && titles.SameDigits(mended, named) {
			d.keepEvidence("numero_officiel", doc.OfficialNumber, doc.FirstPage, remarks.AsInferred)
			doc.Title = strings.Replace(doc.Title, doc.OfficialNumber, mended, 1)
			doc.OfficialNumber = mended
			return
		}
		d.note("numero_officiel", d.printed, doc.FirstPage, remarks.AsGuessed, remarks.Of(remarks.OtherYear))
	default:
		d.keepEvidence("numero_officiel", d.printed, doc.FirstPage, cmp.Or(d.head.Trust, remarks.AsPrinted))
	}
}

// noteDate records the day of promulgation. A text without one gets the issue's date, and a doubt.
func (d *draft) noteDate(issue gazette.Issue, today time.Time, given bool) {
	doc := &d.Document
	doc.Promulgated = d.date
	switch {
	case given:
		d.keepEvidence("date_promulgation", "", 0, 1)
	case d.date.IsZero() && d.head.Corrects && issue.Date != nil: // a corrigendum is dated by its publication
		doc.Promulgated = *issue.Date
		d.keepEvidence("date_promulgation", "", 0, remarks.AsInferred)
	case d.ofState():
		d.noteState(issue)
	case d.date.IsZero():
		if issue.Date != nil {
			doc.Promulgated = *issue.Date
		}
		d.note("date_promulgation", "", 0, remarks.NotFound, remarks.Of(remarks.NoDate))
	case issue.Date != nil && d.date.After(*issue.Date):
		d.note("date_promulgation", d.dated, d.datedOn, 0.3, remarks.Of(remarks.DateAfterIssue))
	case late(d.date, issue, today):
		d.note("date_promulgation", d.dated, d.datedOn, 0.1, remarks.Of(remarks.DateInFuture))
	default:
		trust, why := cmp.Or(d.trust, remarks.AsPrinted), remarks.Of(remarks.DateUnsure)
		switch {
		case d.how == law.Converted:
			why = remarks.Remark{Kind: remarks.DateConverted, Days: []time.Time{d.date}}
		case d.proposed:
			why = remarks.Of(remarks.DateProposed)
		}
		if other := d.signedOtherwise(); other.Kind != remarks.None {
			trust, why = remarks.AsGuessed, other
		}
		d.note("date_promulgation", d.dated, d.datedOn, trust, why)
	}
}

// oddForceRemark returns the remark that says why the day of entry into force is doubted.
func (d *draft) oddForceRemark(issue gazette.Issue) remarks.Remark {
	return remarks.Remark{Kind: remarks.InForceOdd, Days: []time.Time{d.force.Day(d.Document.Promulgated, issue.Date), d.Document.Promulgated}}
}

// noteState dates a code by the day as of which it is printed, with a doubt if there is a reason for one.
func (d *draft) noteState(issue gazette.Issue) {
	const field = "date_promulgation"
	s := d.state
	d.Document.Promulgated = s.day
	switch {
	case issue.Date != nil && s.day.After(*issue.Date):
		d.note(field, s.words, s.page, remarks.AsGuessed, remarks.Of(remarks.StateAfter))
	case !s.other.IsZero():
		d.note(field, s.words, s.page, remarks.AsGuessed, remarks.Remark{Kind: remarks.StateOfTwoDays, Days: []time.Time{s.day, s.other}})
	case s.kind == changedOn:
		d.note(field, s.words, s.page, remarks.AsGuessed, remarks.Of(remarks.StateOfPage))
	default:
		d.keepEvidence(field, s.words, s.page, remarks.AsSigned)
	}
}

// signedOtherwise returns why the date in a title is doubted, remarks.None if it is not. An act is dated by the day on
// which it was signed, so if the date in the title and the day of signature differ, one of them was misread or
// misprinted.
func (d *draft) signedOtherwise() remarks.Remark {
	day, page := d.signedDay()
	if day.IsZero() || day.Equal(d.date) || d.trust == remarks.AsSigned {
		return remarks.Remark{}
	}
	return remarks.Remark{Kind: remarks.SignedOtherDay, Page: page, Days: []time.Time{d.date, day}}
}
