package texts

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

// Draft is a text that is being read. It holds what is printed, before hints and the rest of the issue
// complete it.
type Draft struct {
	gazette.Text
	Title        titles.Title
	Number       string      // the head's number without the blanks that printers insert
	Lines        []line.Line // all its lines
	Pieces       []articles.Piece
	Printed      string      // the title as printed
	Date         time.Time   // of promulgation; zero: not found
	DateWords    string      // the words that the date was read from
	DatePage     int         // the page of these words
	DateTrust    float64     // confidence in the date
	DateReading  law.Reading // of the date
	DateProposed bool        // the date may be another day: a person confirms it
	State        State       // the state in which its publisher prints it
	Force        force.Force
	Domain       Domain
	Bill         bool
	NumberBlank  bool // its number was never filled in
	ArticleCount int
	Headless     bool // it begins before the file
	Resumed      bool // it begins before the file, and has no opening before its first article
	BoundsSet    bool // an edit set where it begins, or that it continues
	IsLast       bool // it is the last text of the file, and may continue after it
	// All texts before it in the file have a final clause or a signature.
	OthersEnded bool
	Judgment    judgment.Judgment
	IsOnly      bool // it is the only text of the file, however unsure its beginning
	Enacted     bool // it has a formula that announces articles
	Measure     bool // one sentence says everything: « Par décret …, M. … est nommé »
}

// Slim returns a copy of a draft without its printed lines. It keeps what comparing readings and comparing with the
// summary need.
func (d *Draft) Slim() *Draft {
	return &Draft{Text: gazette.Text{Document: d.Document}, Title: d.Title, Number: d.Number, Printed: d.Printed, Date: d.Date, Headless: d.Headless}
}

var (
	makesBasic = law.Pattern(`(?i)^(?:portant|relative à la|promulguant la) +(?:révision de la +|r[ée]vision +de +la +)?constitution\b`)
	appoints   = law.Pattern(`(?i)\b(?:nomination|nommant|d[ée]signation|agr[ée]ment de|promotion|titularisation|affectation|mise à la retraite|détachement|délégation de signature)\b`)
)

// Context is what is known about a text before it is read.
type Context struct {
	Rules judgment.Judgment
	Only  bool
}

// New cuts a text's lines into articles, and reads what the text says about itself.
func New(h titles.Title, lines []line.Line, made []label.View, m masthead.Masthead, known Context) (*Draft, articles.Body) {
	h.Object = titles.TrimObject(h.Object)
	d := &Draft{Title: h, Number: law.TextNumber(h.Number), Lines: lines, Judgment: known.Rules, IsOnly: known.Only}
	title, rest := lines[:min(h.Lines, len(lines))], lines[min(h.Lines, len(lines)):]
	d.Head = line.LayoutOf(title)
	code := h.MakesCode()
	b := articles.Cut(rest, made[len(title):], code, known.Rules)
	d.Pieces = b.Pieces
	bare := !slices.ContainsFunc(d.Pieces, func(p articles.Piece) bool { return p.Role == articles.ArticleRole || p.Role == articles.SectionRole })
	for i, p := range d.Pieces {
		if p.Role == articles.SignatureRole {
			p.Lines = articles.BreakSignatures(line.UnfoldBlocks(p.Lines))
			d.Pieces[i] = p
		}
		a := p.Article()
		a.Position = len(d.Articles)
		if p.Role == articles.ArticleRole {
			d.ArticleCount++
		}
		if bare && p.Role == articles.PreambleRole {
			a.Heading = "" // without visas this is the text itself
		}
		d.Articles = append(d.Articles, a)
	}
	d.Document.FirstPage, d.Document.LastPage = line.PageRange(title)
	for _, p := range d.Pieces {
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
		h.Object = spellingsOf(d.Articles).restore(h.Object)
		d.Title.Object = h.Object
	}
	d.Document.Title = d.title(m)
	d.Document.Type = h.Kind.Type
	switch {
	case code:
		d.Document.Type = law.Code
	case h.Kind.Type == law.Loi && makesBasic.MatchString(h.Object):
		d.Document.Type = law.Constitution
	}
	d.Printed = line.Join(title)
	d.setDate(h)
	d.Bill = titles.NotYetLaw.MatchString(d.Printed) || titles.NotYetLaw.MatchString(h.Object)
	return d, b
}

// Understand reads what a text's words mean for other texts. It is called when the text's own lines are
// known.
func (d *Draft) Understand() {
	d.Signatories = articles.Signatories(d.Pieces)
	d.ReadWords()
}

// title returns the printed title or, if that is incomplete, the title in the summary.
func (d *Draft) title(m masthead.Masthead) string {
	if listed, ok := m.Entries[d.Title.Key()]; ok && (d.Title.Object == "" || d.Title.Abridged) {
		h := d.Title
		if h.Read(listed); h.Object != "" {
			h.Dated = d.Title.Dated
			h.Object = spellingsOf(d.Articles).restore(titles.TrimObject(h.Object))
			return h.String()
		}
	}
	return law.Capital(law.Title(d.Title.String()))
}

// setDate sets the date of promulgation to the date in the title, else to the date of the act that promulgated the
// text, else to the date at the signatures.
func (d *Draft) setDate(h titles.Title) {
	if !h.Date.IsZero() {
		d.Date, d.DateWords, d.DatePage = h.Date, cmp.Or(h.Above, h.Dated, h.Date.Format(time.DateOnly)), d.Document.FirstPage
		d.DateReading, d.DateTrust = h.How, min(trustIn(h.How), cmp.Or(h.Trust, remarks.AsPrinted))
		return
	}
	if m := promulgatedBy.FindStringSubmatch(d.Printed); m != nil {
		if date, _, _, ok := law.FindDate(m[1]); ok {
			d.Date, d.DateWords, d.DatePage, d.DateTrust = date, m[0], d.Document.FirstPage, remarks.AsSigned
			return
		}
	}
	for i := len(d.Articles) - 1; i >= 0; i-- {
		a := d.Articles[i]
		if a.Number == "" && a.Heading == gazette.SignaturesHeading {
			if found, ok := titles.FindDate(a.Text); ok {
				d.Date, d.DateWords, d.DatePage, d.DateReading = found.Day, a.Text[found.Start:found.End], a.Page, found.How
				d.DateTrust = min(trustIn(found.How), remarks.AsSigned)
				return
			}
		}
	}
}

// promulgatedBy matches « promulguée par le dahir n° 1-04-23 du 12 hija 1424 (3 février 2004) ».
var promulgatedBy = line.OptionalAccents(`(?i)promulguée? +par +(?:le +|la +)?(?:dahir|décret|loi|ordonnance)\b([^;.]{0,90})`)

// ApplyHints replaces what is printed by what the operator gave.
func (d *Draft) ApplyHints(h gazette.Hints) {
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
		d.Date = *h.Promulgated
	}
}

// ReadWords reads everything that depends on the words of the articles and the title.
func (d *Draft) ReadWords() {
	d.Force = force.Of(d.Articles, d.Title.Abridged)
	d.Domain = domainOf(d)
	d.Document.Domain = d.Domain.code
	d.Relations, d.Wordings = relations.Of(d.Document, d.Articles)
}

// DropCopies leaves out the texts that an issue contains twice, and returns their lines.
func DropCopies(drafts []*Draft) (own []*Draft, cut []line.Line) {
	known := map[string]*Draft{}
	for _, d := range drafts {
		key := d.Title.Key() + d.Title.Date.String()
		first, twice := known[key]
		if twice && d.Title.Number != "" && d.copies(first) {
			cut = append(cut, d.Lines...)
			continue
		}
		known[key] = d
		own = append(own, d)
	}
	return own, cut
}

// copies reports whether a text has the same words as another one.
func (d *Draft) copies(other *Draft) bool {
	return dice(line.Join(d.Lines), line.Join(other.Lines)) >= sameText
}

// sameText is the minimum share of common words with which two texts are the same.
const sameText = 0.85

// dice returns the share of words that two texts have in common: twice the number of common words by the
// number of all words (the Sørensen–Dice coefficient).
func dice(a, b string) float64 {
	x, y := strings.Fields(law.Fold(a)), strings.Fields(law.Fold(b))
	count := map[string]int{}
	for _, w := range x {
		count[w]++
	}
	n := 0
	for _, w := range y {
		if count[w] > 0 {
			count[w]--
			n++
		}
	}
	return float64(2*n) / float64(max(1, len(x)+len(y)))
}
