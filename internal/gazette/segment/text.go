package segment

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/force"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/masthead"
	"vigueur/internal/gazette/segment/relations"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// draft is a text that is being read. It holds what is printed, before hints and the rest of the issue
// complete it.
type draft struct {
	gazette.Text
	head     titles.Title
	number   string      // the head's number without the blanks that printers insert
	lines    []line.Line // all its lines
	repeat   []line.Line // lines of a second print of the text
	pieces   []articles.Piece
	printed  string      // the title as printed
	date     time.Time   // of promulgation; zero: not found
	dated    string      // the words that the date was read from
	datedOn  int         // the page of these words
	trust    float64     // confidence in the date
	how      law.Reading // of the date
	proposed bool        // the date stands where it may be another day: a person confirms it
	state    state       // the state in which its publisher prints it
	force    force.Force
	domain   domain
	bill     bool
	about    object // its subject, read from the first article if the title has none
	articles int
	headless bool // it begins before the file
	resumed  bool // it begins before the file, and has no opening before its first article
	bounded  bool // an edit set where it begins, or that it continues
	last     bool // it is the last text of the file, and may continue after it
	// All texts before it in the file have a final clause or a signature.
	othersEnded bool
	judgment    judgment.Judgment
	only        bool // it is the only text of the file, however unsure its beginning
	enacted     bool // it has a formula that announces articles
	measure     bool // one sentence says everything: « Par décret …, M. … est nommé »
}

// slight returns a copy of a draft without its printed lines. It keeps what comparing readings and comparing with the
// summary need.
func (d *draft) slight() *draft {
	return &draft{Text: gazette.Text{Document: d.Document}, head: d.head, number: d.number, printed: d.printed, date: d.date, headless: d.headless}
}

var (
	makesBasic = law.Pattern(`(?i)^(?:portant|relative à la|promulguant la) +(?:révision de la +|r[ée]vision +de +la +)?constitution\b`)
	appoints   = law.Pattern(`(?i)\b(?:nomination|nommant|d[ée]signation|agr[ée]ment de|promotion|titularisation|affectation|mise à la retraite|détachement|délégation de signature)\b`)
)

// textContext is what is known about a text before it is read.
type textContext struct {
	rules judgment.Judgment
	only  bool
}

// newText cuts a text's lines into articles, and reads what the text says about itself.
func newText(h titles.Title, lines []line.Line, made []label.View, m masthead.Masthead, known textContext) (*draft, articles.Body) {
	h.Object = titles.TrimObject(h.Object)
	d := &draft{head: h, number: law.TextNumber(h.Number), lines: lines, judgment: known.rules, only: known.only}
	title, rest := lines[:min(h.Lines, len(lines))], lines[min(h.Lines, len(lines)):]
	d.Head = line.LayoutOf(title)
	code := h.MakesCode()
	b := articles.Cut(rest, made[len(title):], code, known.rules)
	d.pieces, d.repeat = articles.CutRepeat(b.Pieces, title)
	bare := !slices.ContainsFunc(d.pieces, func(p articles.Piece) bool { return p.Role == articles.ArticleRole || p.Role == articles.SectionRole })
	for i, p := range d.pieces {
		if p.Role == articles.SignatureRole {
			p.Lines = articles.BreakSignatures(line.UnfoldBlocks(p.Lines))
			d.pieces[i] = p
		}
		a := p.Article()
		a.Position = len(d.Articles)
		if p.Role == articles.ArticleRole {
			d.articles++
		}
		if bare && p.Role == articles.PreambleRole {
			a.Heading = "" // without visas this is the text itself
		}
		d.Articles = append(d.Articles, a)
	}
	d.Document.FirstPage, d.Document.LastPage = line.PageRange(title)
	for _, p := range d.pieces {
		first, last := line.PageRange(p.Lines)
		if len(title) == 0 && d.Document.FirstPage == 0 {
			d.Document.FirstPage = first
		}
		d.Document.LastPage = max(d.Document.LastPage, last)
	}
	d.Document.Status = law.InForce
	d.Document.OfficialNumber = h.Number
	d.Document.Nature = h.Kind.Label
	if line.AllCaps(h.Object) {
		h.Object = spellingsOf(d.Articles).asWritten(h.Object)
		d.head.Object = h.Object
	}
	d.Document.Title = d.title(m)
	if about, ok := objectOf(d.Articles); ok && h.Object == "" && h.Number != "" && !h.Abridged && d.Document.Title == strings.TrimSpace(h.String()) {
		d.about = about
		d.Document.Title += " " + about.title
	}
	d.Document.Type = h.Kind.Type
	switch {
	case code:
		d.Document.Type = law.Code
	case h.Kind.Type == law.Loi && makesBasic.MatchString(h.Object):
		d.Document.Type = law.Constitution
	}
	d.printed = line.Join(title)
	d.setDate(h)
	d.bill = titles.NotYetLaw.MatchString(d.printed) || titles.NotYetLaw.MatchString(h.Object)
	return d, b
}

// understand reads what a text's words mean for other texts. It is called when the text's own lines are
// known.
func (d *draft) understand() {
	d.Signatories = articles.Signatories(d.pieces)
	d.readWords()
}

// title returns the printed title or, if that is incomplete, the title in the summary.
func (d *draft) title(m masthead.Masthead) string {
	if listed, ok := m.Entries[d.head.Key()]; ok && (d.head.Object == "" || d.head.Abridged) {
		h := d.head
		if h.Read(listed); h.Object != "" {
			h.Dated = d.head.Dated
			h.Object = spellingsOf(d.Articles).asWritten(titles.TrimObject(h.Object))
			return h.String()
		}
	}
	return law.Capital(law.Title(d.head.String()))
}

// setDate sets the date of promulgation to the date in the title, else to the date of the act that promulgated the
// text, else to the date at the signatures.
func (d *draft) setDate(h titles.Title) {
	if !h.Date.IsZero() {
		d.date, d.dated, d.datedOn = h.Date, cmp.Or(h.Above, h.Dated, h.Date.Format(time.DateOnly)), d.Document.FirstPage
		d.how, d.trust = h.How, min(trustIn(h.How), cmp.Or(h.Trust, remarks.AsPrinted))
		return
	}
	if m := promulgatedBy.FindStringSubmatch(d.printed); m != nil {
		if date, _, _, ok := law.FindDate(m[1]); ok {
			d.date, d.dated, d.datedOn, d.trust = date, m[0], d.Document.FirstPage, remarks.AsSigned
			return
		}
	}
	for i := len(d.Articles) - 1; i >= 0; i-- {
		a := d.Articles[i]
		if a.Number == "" && a.Heading == gazette.SignaturesHeading {
			if found, ok := titles.FindDate(a.Text); ok {
				d.date, d.dated, d.datedOn, d.how = found.Day, a.Text[found.Start:found.End], a.Page, found.How
				d.trust = min(trustIn(found.How), remarks.AsSigned)
				return
			}
		}
	}
}

// promulgatedBy matches « promulguée par le dahir n° 1-04-23 du 12 hija 1424 (3 février 2004) ».
var promulgatedBy = line.OptionalAccents(`(?i)promulguée? +par +(?:le +|la +)?(?:dahir|décret|loi|ordonnance)\b([^;.]{0,90})`)

// applyHints replaces what is printed by what the operator gave.
func (d *draft) applyHints(h gazette.Hints) {
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

// readWords reads everything that depends on the words of the articles and the title.
func (d *draft) readWords() {
	d.force = force.Of(d.Articles, d.head.Abridged)
	d.domain = domainOf(d)
	d.Document.Domain = d.domain.code
	d.Relations = relations.Of(d.Document, d.head.Object, d.Articles)
	d.Wordings = relations.Wordings(d.Text)
}
