package doubts

import (
	"cmp"
	"math"
	"strings"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/force"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// wordsLimit is the maximum number of characters of printed words that are kept as evidence.
const wordsLimit = 200

// Note records the words that a datum was read from. If the confidence is below remarks.Sure, it also adds a doubt
// with the given remark.
func Note(d *texts.Draft, field, words string, page int, confidence float64, why remarks.Remark) {
	words = keepEvidence(d, field, words, page, confidence)
	if confidence < remarks.Sure {
		d.Doubts = append(d.Doubts, remarks.Doubt{Field: field, Why: why, Confidence: confidence, Words: words, Page: page})
	}
}

// keepEvidence records the words that a datum was read from, and returns them as they are kept.
func keepEvidence(d *texts.Draft, field, words string, page int, confidence float64) string {
	words = law.Clip(words, wordsLimit)
	d.Evidence = append(d.Evidence, law.Evidence{Field: field, Words: words, Page: page, Confidence: math.Round(confidence*100) / 100})
	return words
}

// noteForce records the evidence for the day of entry into force: the words of the clause, or the fact that there is no
// clause. A day that is counted from an unknown publication is less sure. A text without a clause is in force from its
// publication, which makes no doubt.
func noteForce(d *texts.Draft, issue gazette.Issue, given bool) {
	const field = "date_entree_vigueur"
	f := d.Force
	switch {
	case given:
		keepEvidence(d, field, "", 0, 1)
	case d.OfState() && !d.Force.On.After(d.State.Day):
		keepEvidence(d, field, d.State.Words, d.State.Page, remarks.AsInferred)
	case f.Words == "":
		keepEvidence(d, field, "", 0, remarks.AsInferred)
	case d.OddForce(issue):
		Note(d, field, f.Words, f.Page, remarks.AsGuessed, oddForceRemark(d, issue))
	case f.After == force.Ratification:
		Note(d, field, f.Words, f.Page, remarks.AsGuessed, remarks.Of(remarks.InForceUnknown))
	case f.Unread:
		Note(d, field, f.Words, f.Page, remarks.AsGuessed, remarks.Of(remarks.InForceUnread))
	case f.Elsewhere != nil:
		first, last := f.Places(d.Document.Promulgated, issue.Date)
		Note(d, field, f.Words, f.Page, remarks.AsGuessed, remarks.Remark{Kind: remarks.InForceByPlace, Days: []time.Time{first, last}})
	case f.After == force.Publication && issue.Date == nil:
		keepEvidence(d, field, f.Words, f.Page, remarks.AsInferred)
	default:
		keepEvidence(d, field, f.Words, f.Page, remarks.AsPrinted)
	}
}

// noteSigners records who signed, and the words that decided the domain. Neither is ever in doubt: a text may
// be unsigned, and a text of no domain belongs to « autre ».
func noteSigners(d *texts.Draft, given bool) {
	page := d.Document.LastPage
	for _, p := range d.Pieces {
		if p.Role == articles.SignatureRole {
			page = p.Page
		}
	}
	for _, s := range d.Signatories {
		keepEvidence(d, "signataires", s, page, remarks.AsSigned)
	}
	if given {
		keepEvidence(d, "domaine", "", 0, 1)
		return
	}
	keepEvidence(d, "domaine", strings.Join(d.Domain.Words, ", "), d.Document.FirstPage, d.Domain.Trust)
}

// noteTitle records the title.
func noteTitle(d *texts.Draft, hints gazette.Hints) {
	if d.Document.Title != "" {
		keepEvidence(d, "title", d.Printed, d.Document.FirstPage, remarks.AsPrinted)
		return
	}
	d.Document.Title = strings.TrimSuffix(hints.Filename, ".pdf")
	if d.Headless { // the file is named after another of its texts
		d.Document.Title = remarks.EndOfText(d.Document.FirstPage)
	}
	Note(d, "title", "", 0, 0.1, remarks.Of(remarks.NoTitle))
}

// noteType records the type, with a doubt if there is a reason for one.
func noteType(d *texts.Draft, given bool) {
	doc := &d.Document
	at, words := doc.FirstPage, cmp.Or(d.Title.Kind.Label, d.Printed)
	switch {
	case given:
		keepEvidence(d, "doc_type", string(doc.Type), 0, 1)
	case doc.Type == "":
		doc.Type = typeBySelf(d)
		Note(d, "doc_type", d.Printed, at, remarks.NotFound, remarks.Of(remarks.NoNature))
	case d.Bill:
		Note(d, "doc_type", d.Printed, at, 0.1, remarks.Of(remarks.IsDraft))
	case isJudgment(d):
		Note(d, "doc_type", words, at, 0.1, remarks.Of(remarks.IsJudgment))
	case d.Title.Kind.Unsure:
		Note(d, "doc_type", words, at, remarks.AsGuessed, remarks.Remark{Kind: remarks.NatureProposed, Words: doc.Nature})
	case d.Title.Guessed:
		Note(d, "doc_type", words, at, remarks.AsGuessed, remarks.Of(remarks.NatureOfFilename))
	case withoutArticles(d):
		keepEvidence(d, "doc_type", words, at, remarks.AsPrinted)
		addNoArticle(d)
		doubtMissingArticles(d)
	default:
		trust := remarks.AsPrinted
		if d.Title.Trust > 0 {
			trust = remarks.AsInferred
		}
		keepEvidence(d, "doc_type", words, at, trust)
	}
}

// typeBySelf proposes the type of a text that does not print its nature by what its articles call it (« le présent
// arrêté »), else the type that binds least.
func typeBySelf(d *texts.Draft) law.DocType {
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
func withoutArticles(d *texts.Draft) bool {
	return d.ArticleCount == 0 && !d.Title.Abridged && d.Document.Type != law.Circulaire
}

// noteNumber records the official number. If a year in the number is not the text's own, it is a misprint or was
// misread. Such a number is corrected if the file's name has the right number, else doubted.
func noteNumber(d *texts.Draft, hints gazette.Hints, given bool) {
	doc := &d.Document
	named := titles.NameNumber(hints.Filename)
	switch {
	case given:
		keepEvidence(d, "numero_officiel", doc.OfficialNumber, 0, 1)
	case doc.OfficialNumber == "" && d.NumberBlank:
		Note(d, "numero_officiel", d.Printed, doc.FirstPage, remarks.NotFound, remarks.Of(remarks.NumberBlank))
	case doc.OfficialNumber == "":
		keepEvidence(d, "numero_officiel", "", 0, remarks.AsInferred) // many texts have none
	case d.Title.Trust > 0 && d.Title.Trust < remarks.Sure:
		Note(d, "numero_officiel", d.Printed, doc.FirstPage, d.Title.Trust, remarks.Of(remarks.NumberMisprinted))
	case oddYear(d):
		mended := correctedNumber(d)
		if mended != "" && titles.SameDigits(mended, named) {
			keepEvidence(d, "numero_officiel", doc.OfficialNumber, doc.FirstPage, remarks.AsInferred)
			doc.Title = strings.Replace(doc.Title, doc.OfficialNumber, mended, 1)
			doc.OfficialNumber = mended
			return
		}
		Note(d, "numero_officiel", d.Printed, doc.FirstPage, remarks.AsGuessed, remarks.Of(remarks.OtherYear))
	default:
		keepEvidence(d, "numero_officiel", d.Printed, doc.FirstPage, cmp.Or(d.Title.Trust, remarks.AsPrinted))
	}
}

// noteDate records the day of promulgation. A text without one gets the issue's date, and a doubt.
func noteDate(d *texts.Draft, issue gazette.Issue, today time.Time, given bool) {
	doc := &d.Document
	doc.Promulgated = d.Date
	switch {
	case given:
		keepEvidence(d, "date_promulgation", "", 0, 1)
	case d.Date.IsZero() && d.Title.Corrects && issue.Date != nil: // a corrigendum is dated by its publication
		doc.Promulgated = *issue.Date
		keepEvidence(d, "date_promulgation", "", 0, remarks.AsInferred)
	case d.OfState():
		noteState(d, issue)
	case d.Date.IsZero():
		if issue.Date != nil {
			doc.Promulgated = *issue.Date
		}
		Note(d, "date_promulgation", "", 0, remarks.NotFound, remarks.Of(remarks.NoDate))
	case issue.Date != nil && d.Date.After(*issue.Date):
		Note(d, "date_promulgation", d.DateWords, d.DatePage, 0.3, remarks.Of(remarks.DateAfterIssue))
	case texts.IsLate(d.Date, issue, today):
		Note(d, "date_promulgation", d.DateWords, d.DatePage, 0.1, remarks.Of(remarks.DateInFuture))
	default:
		trust, why := cmp.Or(d.DateTrust, remarks.AsPrinted), remarks.Of(remarks.DateUnsure)
		switch {
		case d.DateReading == law.Converted:
			why = remarks.Remark{Kind: remarks.DateConverted, Days: []time.Time{d.Date}}
		case d.DateProposed:
			why = remarks.Of(remarks.DateProposed)
		}
		if other := signedOtherwise(d); other.Kind != remarks.None {
			trust, why = remarks.AsGuessed, other
		}
		Note(d, "date_promulgation", d.DateWords, d.DatePage, trust, why)
	}
}

// oddForceRemark returns the remark that says why the day of entry into force is doubted.
func oddForceRemark(d *texts.Draft, issue gazette.Issue) remarks.Remark {
	return remarks.Remark{Kind: remarks.InForceOdd, Days: []time.Time{d.Force.Day(d.Document.Promulgated, issue.Date), d.Document.Promulgated}}
}

// noteState dates a code by the day as of which it is printed, with a doubt if there is a reason for one.
func noteState(d *texts.Draft, issue gazette.Issue) {
	const field = "date_promulgation"
	s := d.State
	d.Document.Promulgated = s.Day
	switch {
	case issue.Date != nil && s.Day.After(*issue.Date):
		Note(d, field, s.Words, s.Page, remarks.AsGuessed, remarks.Of(remarks.StateAfter))
	case !s.Other.IsZero():
		Note(d, field, s.Words, s.Page, remarks.AsGuessed, remarks.Remark{Kind: remarks.StateOfTwoDays, Days: []time.Time{s.Day, s.Other}})
	case s.Kind == texts.ChangedOn:
		Note(d, field, s.Words, s.Page, remarks.AsGuessed, remarks.Of(remarks.StateOfPage))
	default:
		keepEvidence(d, field, s.Words, s.Page, remarks.AsSigned)
	}
}

// signedOtherwise returns why the date in a title is doubted, remarks.None if it is not. An act is dated by the day on
// which it was signed, so if the date in the title and the day of signature differ, one of them was misread or
// misprinted.
func signedOtherwise(d *texts.Draft) remarks.Remark {
	day, page := d.SignedDay()
	if day.IsZero() || day.Equal(d.Date) || d.DateTrust == remarks.AsSigned {
		return remarks.Remark{}
	}
	return remarks.Remark{Kind: remarks.SignedOtherDay, Page: page, Days: []time.Time{d.Date, day}}
}

// Complete applies the hints and the issue's date, determines the dates, and records the doubts.
func Complete(d *texts.Draft, hints gazette.Hints, issue gazette.Issue, single bool) {
	if single {
		d.ApplyHints(hints)
	}
	doc := &d.Document
	given := func(set bool) bool { return single && set }
	noteTitle(d, hints)
	noteType(d, given(hints.Type != ""))
	noteNumber(d, hints, given(hints.OfficialNumber != ""))
	noteDate(d, issue, hints.Today, given(hints.Promulgated != nil))
	doc.AsOf = d.AsOf(issue)
	noteEnds(d)
	if !d.Headless { // if headless, the first articles are known to be missing
		d.Absent = missingNumbers(d.Articles)
	}
	noteCount(d)
	doc.EntersInForce = d.EntersInForce(issue)
	if given(hints.EntersInForce != nil) {
		doc.EntersInForce = *hints.EntersInForce
	}
	noteForce(d, issue, given(hints.EntersInForce != nil))
	noteSigners(d, given(hints.Domain != ""))
	for i := range d.Relations {
		if d.Relations[i].Effective.IsZero() {
			d.Relations[i].Effective = d.ChangesFrom()
		}
	}
}
