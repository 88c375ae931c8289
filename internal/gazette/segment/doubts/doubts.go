// Package doubts decides what of a text is sure. Drafts and the issue go in. Evidence and doubts come
// out, written into the drafts, and the accounts by which two readings of a file are compared.
package doubts

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/force"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/masthead"
	"vigueur/internal/gazette/segment/prepare"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// IsAct reports whether a text has something that only acts have: a body, or a nature of acts.
func IsAct(d *texts.Draft) bool {
	h := d.Title
	switch {
	case d.Headless || d.ArticleCount > 0 || d.Enacted || d.Measure || h.Abridged && !h.Kind.Unsure || h.Confirmed || announcesArticles(d):
		return true
	case h.Kind.Type == "":
		return cites(d)
	case h.Trust == remarks.AsGuessed && !d.Lines[0].Scanned: // a name found somewhere in a line that was not misread
		return cites(d)
	case h.Guessed:
		return d.Number != "" || cites(d)
	case h.Kind.Unsure && h.Kind.Type == law.Circulaire: // « Avis »
		return cites(d)
	case titles.Agreements[law.Fold(h.Kind.Label)]:
		return h.IsTreaty()
	case titles.Corrections[law.Fold(h.Kind.Label)]:
		return h.Corrects
	}
	return true
}

// cites reports whether the text names its basis, as acts do.
func cites(d *texts.Draft) bool {
	for _, l := range d.Lines {
		if line.Visa.MatchString(l.Text) {
			return true
		}
	}
	return false
}

// ofCourt matches how a court names itself in its decision.
var ofCourt = line.OptionalAccents(`^(?i:(?:le |la |les? +juges? +d[eu] +la )?(?:conseil +constitutionnel|cour +(?:constitutionnelle|suprême|de +cassation|d'appel|de +justice|commune +de +justice|des +comptes)|haute +cour|tribunal)\b(?:.{0,60})[,;:]?$|matière +(?:constitutionnelle|électorale|pénale|civile|administrative)|affaire +n ?[°º*])`)

// judgments are the natures under which courts decide.
var judgments = line.WordSet("decision avis arret ordonnance")

// courtReach is how many lines at the beginning of a text may name the court that decides.
const courtReach = 20

// isJudgment reports whether the text is the decision of a court.
func isJudgment(d *texts.Draft) bool {
	if !judgments[law.Fold(d.Title.Kind.Label)] {
		return false
	}
	for i, l := range d.Lines {
		if i < courtReach && ofCourt.MatchString(l.Text) {
			return true
		}
	}
	return false
}

// announcesText reports whether the entry names the text d: by its number or, if the entry or the text has no number,
// by words of the title. In the second case their dates must not differ.
func announcesText(e masthead.Entry, d *texts.Draft) bool {
	switch {
	case e.Title.Kind.Type != d.Title.Kind.Type:
		return false
	case e.Title.Number != "" && d.Title.Number != "":
		return e.Number == d.Number
	case !e.Title.Date.IsZero() && !d.Title.Date.IsZero() && !e.Title.Date.Equal(d.Title.Date):
		return false
	}
	return d.Title.Abridged || titles.SharedWords(e.Title.Object, d.Title.Object) >= titles.LeastShared
}

// remark is a signal that the summary gives about a text.
type remark struct {
	text  int // index of the text
	kind  gazette.SignalKind
	value float64
	field string
	words string
	page  int
	why   remarks.Remark
}

// matching assigns texts to the entries of a summary. Each entry gets the first text that it names and that
// no earlier entry has.
type matching struct {
	textOf []int  // for each entry the index of its text, -1 for none
	named  []bool // for each text whether an entry names it
	found  int    // number of entries that have a text
}

func matchSummary(m masthead.Masthead, drafts []*texts.Draft) matching {
	out := matching{textOf: make([]int, len(m.Listed)), named: make([]bool, len(drafts))}
	for i, e := range m.Listed {
		out.textOf[i] = -1
		for k, d := range drafts {
			if !out.named[k] && announcesText(e, d) {
				out.textOf[i], out.named[k] = k, true
				out.found++
				break
			}
		}
	}
	return out
}

// CompareSummary adds a signal to each text on which the issue and its summary disagree.
func CompareSummary(m masthead.Masthead, drafts []*texts.Draft) {
	for _, r := range summaryRemarks(m, drafts, matchSummary(m, drafts)) {
		addSignal(drafts[r.text], r.kind, r.value, r.field, r.words, r.page, r.why)
	}
}

// summaryRemarks returns what a summary says about the texts of its issue. It ignores a summary that names none of these
// texts: such a summary belongs to another issue, or was misread.
func summaryRemarks(m masthead.Masthead, drafts []*texts.Draft, match matching) []remark {
	if match.found == 0 {
		return nil
	}
	var out []remark
	pos := 0
	for i, e := range m.Listed {
		if match.textOf[i] >= 0 {
			pos = match.textOf[i]
			continue
		}
		out = append(out, remark{pos, gazette.Unfound, 1, "complet", e.Text, drafts[pos].Document.LastPage,
			remarks.Remark{Kind: remarks.SummaryNamesOther, Announced: len(m.Listed), Found: match.found}})
	}
	for k, d := range drafts {
		if !match.named[k] && !d.Headless {
			out = append(out, remark{k, gazette.NotAnnounced, float64(match.found) / float64(len(drafts)), "title", d.Printed, d.Document.FirstPage, remarks.Of(remarks.SummaryLacks)})
		}
	}
	return out
}

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
func noteTitle(d *texts.Draft, hints gazette.Hints, given bool) {
	switch {
	case d.Document.Title == "":
	case given || d.Title.Reads():
		keepEvidence(d, "title", d.Printed, d.Document.FirstPage, remarks.AsPrinted)
		return
	default:
		Note(d, "title", d.Printed, d.Document.FirstPage, remarks.AsGuessed, remarks.Of(remarks.TitleUnread))
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
	pos, words := doc.FirstPage, cmp.Or(d.Title.Kind.Label, d.Printed)
	switch {
	case given:
		keepEvidence(d, "doc_type", string(doc.Type), 0, 1)
	case doc.Type == "":
		doc.Type = typeBySelf(d)
		Note(d, "doc_type", d.Printed, pos, remarks.NotFound, remarks.Of(remarks.NoNature))
	case d.Bill:
		Note(d, "doc_type", d.Printed, pos, 0.1, remarks.Of(remarks.IsDraft))
	case isJudgment(d):
		Note(d, "doc_type", words, pos, 0.1, remarks.Of(remarks.IsJudgment))
	case d.Title.Kind.Unsure:
		Note(d, "doc_type", words, pos, remarks.AsGuessed, remarks.Remark{Kind: remarks.NatureProposed, Words: doc.Nature})
	case d.Title.Guessed:
		Note(d, "doc_type", words, pos, remarks.AsGuessed, remarks.Of(remarks.NatureOfFilename))
	case withoutArticles(d):
		keepEvidence(d, "doc_type", words, pos, remarks.AsPrinted)
		addNoArticle(d)
		doubtMissingArticles(d)
	default:
		trust := remarks.AsPrinted
		if d.Title.Trust > 0 {
			trust = remarks.AsInferred
		}
		keepEvidence(d, "doc_type", words, pos, trust)
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
// misread. Such a number is corrected if the file's name has the right number, else doubted. So is the number of a
// single text to which the file's name gives other figures.
func noteNumber(d *texts.Draft, hints gazette.Hints, single, given bool) {
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
		if mended != "" && figures(mended) == figures(named) {
			keepEvidence(d, "numero_officiel", doc.OfficialNumber, doc.FirstPage, remarks.AsInferred)
			doc.Title = strings.Replace(doc.Title, doc.OfficialNumber, mended, 1)
			doc.OfficialNumber = mended
			return
		}
		Note(d, "numero_officiel", d.Printed, doc.FirstPage, remarks.AsGuessed, remarks.Of(remarks.OtherYear))
	case single && otherFigures(doc.OfficialNumber, named):
		Note(d, "numero_officiel", d.Printed, doc.FirstPage, remarks.AsGuessed, remarks.Remark{Kind: remarks.NumberOfFilename, Numbers: []string{doc.OfficialNumber}, Words: named})
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
	noteTitle(d, hints, given(hints.Title != ""))
	noteType(d, given(hints.Type != ""))
	noteNumber(d, hints, single, given(hints.OfficialNumber != ""))
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

// noteEnds records that the beginning or the end of a text is missing from the file.
func noteEnds(d *texts.Draft) {
	if d.Headless {
		Note(d, "complet", "", d.Document.FirstPage, 0.1, remarks.Of(remarks.BeginsBefore))
	}
	if cutShort(d) && (d.IsLast || !d.Title.Abridged) {
		Note(d, "complet", "", d.Document.LastPage, 0.3, remarks.Of(remarks.EndsAfter))
	} else if d.IsLast && !d.Headless && openEnded(d) {
		why := remarks.NoEndOfPage
		switch {
		case scanned(d):
			why = remarks.NoEndOfScan
		case d.OthersEnded:
			why = remarks.NoEndAmong
		}
		Note(d, "complet", "", d.Document.LastPage, remarks.AsGuessed, remarks.Of(why))
	}
}

// closing matches the last clauses of a text, which say what becomes of the text itself, or of earlier provisions that they do
// not name. The same words in another sentence end nothing: « tout sursis à exécution du titre ».
var closing = line.OptionalAccents(`(?i)\bprésente?s?\b[^.]*(?:` + closingStems + `)|(?:` + closingStems + `)[^.]*\bprésente?s?\b|(?:dispositions|textes)[^.]*\b(?:contraires?|antérieure?s?)\b|\bexécutée?s? +comme +loi`)

const closingStems = `publi|insér|exécut|vigueur|abrog|enregistr|communiqu`

// openEnded reports whether a text of several articles has neither signature nor final clause, although it
// should: it is a scan, which keeps the signatures that prints on the web often omit, or all other texts of
// the file have an ending, or its last page is full. The law that enacts a code has an ending, and its code need not.
func openEnded(d *texts.Draft) bool {
	return (scanned(d) || d.OthersEnded && d.Document.Type != law.Code || d.FillsPage) && d.ArticleCount >= 2 && lacksEnd(d)
}

// scanned reports whether the text's last line is on a scan.
func scanned(d *texts.Draft) bool { return len(d.Lines) > 0 && d.Lines[len(d.Lines)-1].Scanned }

// OthersEnded reports whether all complete texts before the last one have an ending, and there is at least
// one. Acts without a title do not count.
func OthersEnded(drafts []*texts.Draft) bool {
	whole := 0
	for _, d := range drafts[:len(drafts)-1] {
		if d.Headless || d.Title.Abridged || d.ArticleCount == 0 {
			continue
		}
		if lacksEnd(d) {
			return false
		}
		whole++
	}
	return whole > 0
}

// lacksEnd reports whether a text has neither signature nor annex, nor a final clause in its last two
// articles. Acts without a title need none.
func lacksEnd(d *texts.Draft) bool {
	if d.Title.Abridged {
		return false
	}
	seen := 0
	for i := len(d.Pieces) - 1; i >= 0 && seen < 2; i-- {
		p := d.Pieces[i]
		if p.Role == articles.SignatureRole || p.Role == articles.AnnexRole || strings.HasPrefix(p.Number, "Annexe") || closing.MatchString(d.Articles[i].Text) {
			return false
		}
		if p.Role == articles.ArticleRole {
			seen++
		}
	}
	return true
}

// NoteDamaged records that words of the text are illegible because the file is damaged, or are in no order.
func NoteDamaged(d *texts.Draft, pages []layout.Page) {
	note := func(kind remarks.Subject, damaged func(layout.Page) bool) {
		var numbers []int
		for _, p := range pages {
			if p.Number >= d.Document.FirstPage && p.Number <= d.Document.LastPage && damaged(p) {
				numbers = append(numbers, p.Number)
			}
		}
		if len(numbers) > 0 {
			Note(d, "texte", "", d.Document.FirstPage, 0.2, remarks.Remark{Kind: kind, Pages: numbers})
		}
	}
	note(remarks.FileDamaged, layout.Page.Garbled)
	note(remarks.PagesDisordered, layout.Page.Disordered)
}

// NoteHidden records that the page does not show words of the text, or shows others.
func NoteHidden(d *texts.Draft) {
	note := func(kind remarks.Subject, doubtful func(layout.Word) bool) {
		var words []string
		page := 0
		for _, l := range d.Lines {
			for _, w := range l.Words {
				if doubtful(w) {
					words, page = append(words, w.Text), cmp.Or(page, l.Page)
				}
			}
		}
		if len(words) > 0 {
			Note(d, "texte", strings.Join(words, " "), page, 0.2, remarks.Of(kind))
		}
	}
	note(remarks.WordsCovered, func(w layout.Word) bool { return w.Covered })
	note(remarks.WordsOther, func(w layout.Word) bool { return w.Other })
}

// cutShort reports whether the text breaks off: it ends with the head of an article, within a list, or within a sentence on a
// full line, and without a signature.
func cutShort(d *texts.Draft) bool {
	if len(d.Pieces) == 0 {
		return false
	}
	p := d.Pieces[len(d.Pieces)-1]
	switch {
	case p.Role == articles.SignatureRole || p.Role == articles.AnnexRole || strings.HasPrefix(p.Number, "Annexe"):
		return false
	case len(p.Lines) == 0:
		return true
	}
	l := p.Lines[len(p.Lines)-1]
	if strings.ContainsAny(l.Text[len(l.Text)-1:], ",;:") {
		return lacksEnd(d)
	}
	width := l.Rect[2] - l.Rect[0] + l.Indent + l.Slack
	return !line.Ends(l.Text) && !line.IsShort(l) && !l.Centered && !l.Spaced && l.Indent < 0.3*width
}

// FillsPage reports whether the last line of a file's last text is as low as the other pages of the file usually are, and in the
// lower half of its page. What ends there may go on.
func FillsPage(d *texts.Draft, pages []layout.Page) bool {
	if len(d.Lines) == 0 {
		return false
	}
	last := d.Lines[len(d.Lines)-1]
	var lowest []float64
	for _, p := range pages {
		if p.Number == last.Page && last.Rect[3] < p.Height/2 {
			return false
		}
		low := 0.0
		for _, l := range p.Lines {
			low = max(low, l.Rect[3])
		}
		if p.Number != last.Page && low > 0 {
			lowest = append(lowest, low)
		}
	}
	slices.Sort(lowest)
	return len(lowest) > 0 && last.Rect[3] > lowest[len(lowest)/2]-(last.Rect[3]-last.Rect[1])
}

// NoteLanguages records that lines of the text's pages, or of the next one, mix languages.
func NoteLanguages(d *texts.Draft, mixed []prepare.MixedPage) {
	for _, m := range mixed {
		if m.Page >= d.Document.FirstPage && m.Page <= d.Document.LastPage+1 {
			Note(d, "texte", m.Words, m.Page, 0.3, remarks.OnPage(remarks.LanguagesMixed, m.Page))
			return
		}
	}
}
