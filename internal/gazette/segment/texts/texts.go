// Package texts makes drafts of the texts of a file. The lines of a text, its title and its labels go
// in. A draft comes out: articles, title, dates, domain, relations to other texts, and what each was
// read from. A draft has no doubts yet.
package texts

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
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
	"vigueur/internal/law/country"
)

// Draft is a text that is being read. It holds what is printed, before hints and the rest of the issue
// complete it.
type Draft struct {
	gazette.Text
	Title        titles.Title
	Number       string      // the head's number without the blanks that printers insert
	Lines        []line.Line // all its lines
	Pieces       []articles.Piece
	Printed      string          // the title as printed
	Date         time.Time       // of promulgation; zero: not found
	DateWords    string          // the words that the date was read from
	DatePage     int             // the page of these words
	DateTrust    float64         // confidence in the date
	DateReading  law.DateReading // of the date
	DateProposed bool            // the date may be another day: a person confirms it
	State        State           // the state in which its publisher prints it
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
	FillsPage   bool // it ends where a full page ends
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
	d := &Draft{Title: h, Lines: lines, Judgment: known.Rules, IsOnly: known.Only}
	title, rest := lines[:min(h.Lines, len(lines))], lines[min(h.Lines, len(lines)):]
	d.Head = line.LayoutOf(title)
	code := h.MakesCode()
	b := articles.Cut(rest, made[len(title):], h.Object, code, known.Rules)
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
	d.setName(h, m)
	d.Printed = line.Join(title)
	d.setDate(h)
	d.Bill = titles.NotYetLaw.MatchString(d.Printed) || titles.NotYetLaw.MatchString(h.Object)
	return d, b
}

// setName names a text by its title.
func (d *Draft) setName(h titles.Title, m masthead.Masthead) {
	d.Title, d.Number = h, law.TextNumber(h.Number)
	d.Document.OfficialNumber = h.Number
	d.Document.Nature = h.Kind.Label
	if line.AllCaps(h.Object) {
		h.Object = spellingsOf(d.Articles).restore(h.Object)
		d.Title.Object = h.Object
	}
	d.Document.Title = d.title(m)
	d.Document.Type = h.Kind.Type
	switch {
	case h.MakesCode() && !h.Apart:
		d.Document.Type = law.Code
	case h.Kind.Type == law.Loi && makesBasic.MatchString(h.Object):
		d.Document.Type = law.Constitution
	}
}

// NameActs names the acts that promulgate laws by their own titles where the law is a text behind them.
func NameActs(drafts []*Draft, m masthead.Masthead) {
	for i, d := range drafts[:len(drafts)-1] {
		if next := drafts[i+1]; d.Number != "" && d.Number == next.Number && d.Title.Kind == next.Title.Kind && d.ArticleCount == 0 {
			h := d.Title
			h.Apart = true
			if h.Read(d.Printed) && h.Number != d.Title.Number {
				d.setName(h, m)
			}
		}
	}
}

// Understand reads what a text's words mean for other texts. It is called when the text's own lines are
// known.
func (d *Draft) Understand() {
	d.Signatories = articles.Signatories(d.Pieces)
	d.ReadWords()
}

// title returns the printed title or, if that is incomplete, the title in the summary.
func (d *Draft) title(m masthead.Masthead) string {
	for _, e := range m.Listed {
		if h := e.Title; h.Number != "" && h.Key() == d.Title.Key() && h.Object != "" && (d.Title.Object == "" || d.Title.Abridged) {
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
			words := a.Text
			found, ok := titles.FindDate(words)
			for l := range strings.SplitSeq(a.Text, "\n") {
				if other, dated := titles.FindDate(l); dated && other.Day.After(found.Day) && isSigned(l) { // what assemblies voted is promulgated later
					found, words = other, l
				}
			}
			if ok {
				d.Date, d.DateWords, d.DatePage, d.DateReading = found.Day, words[found.Start:found.End], a.Page, found.How
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

// CorrectTypes corrects the types of natures that have another type in the gazette's country, which is said if it is not
// empty.
func CorrectTypes(drafts []*Draft, pages []layout.Page, said string) {
	code, looked := country.Code(said), said != ""
	for _, d := range drafts {
		n, _, _ := titles.ReadNature(d.Document.Nature)
		if len(n.ByCountry) == 0 || n.Name != d.Document.Nature || d.Document.Type != n.Type {
			continue
		}
		if !looked {
			var ok bool
			if code, ok = masthead.CountryNamed(pages, true); !ok {
				code, _ = masthead.CountryNamed(pages, false)
			}
			looked = true
		}
		d.Document.Type = n.In(strings.ToUpper(string(code)))
	}
}

// spellings counts the forms in which a text writes its words inside articles, where they are not in capitals.
type spellings map[string]map[string]int // folded word -> as written -> how often

// spellingsOf counts the words of articles. It skips the first word of each sentence, whose capital means
// nothing.
func spellingsOf(articles []law.Article) spellings {
	known := spellings{}
	for _, a := range articles {
		first := true
		for _, w := range lettersAndSigns(a.Text) {
			if !first && !line.AllCaps(w.text) {
				k := law.Fold(w.text)
				if known[k] == nil {
					known[k] = map[string]int{}
				}
				known[k][w.text]++
			}
			first = strings.ContainsAny(w.after, ".;:!?\n«")
		}
	}
	return known
}

// word is a run of letters, and the other characters after it, up to the next letter.
type word struct{ text, after string }

// lettersAndSigns splits a text into words. Characters before the first letter make a word without letters.
func lettersAndSigns(text string) (out []word) {
	rest := text
	for rest != "" {
		n := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) })
		if n < 0 {
			n = len(rest)
		}
		m := strings.IndexFunc(rest[n:], unicode.IsLetter)
		if m < 0 {
			m = len(rest) - n
		}
		out = append(out, word{rest[:n], rest[n : n+m]})
		rest = rest[n+m:]
	}
	return out
}

// titleWords are frequent in titles, and may not occur in articles.
const titleWords = " relatif relative relatifs relatives portant fixant modifiant complétant abrogeant promulgation au aux à de du des d l la le les et en sur par pour dans entre un une n "

// formsFile holds the forms of words whose accents and capital are certain, one a line. scripts/train capitals
// learned them from the articles of codes.
//
//go:embed forms.txt.gz
var formsFile []byte

// forms maps folded words to their forms.
var forms = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	z, err := gzip.NewReader(bytes.NewReader(formsFile))
	if err == nil {
		for lines := bufio.NewScanner(z); lines.Scan(); err = lines.Err() {
			out[law.Fold(lines.Text())] = lines.Text()
		}
	}
	if err != nil {
		panic(err) // the file is embedded, so every test would fail
	}
	return out
})

// restore writes a title in capitals as French is written: « PORTANT CODE DU TRAVAIL » becomes « portant Code du
// travail ». A word has the form that the text itself uses, else the form in which codes have it. A word that neither
// has may be a name or an acronym, and stays as printed, and so does an initial.
func (known spellings) restore(title string) string {
	if !line.AllCaps(title) {
		return title
	}
	var b strings.Builder
	words := lettersAndSigns(title)
	for i, w := range words {
		text := w.text
		initial := utf8.RuneCountInString(text) == 1 && strings.HasPrefix(w.after, ".")
		form, ok := known.usualForm(text)
		switch {
		case initial:
		case text == "A" && i+1 < len(words) && strings.TrimFunc(w.after, law.Blank) == "": // a title has no verb « a »
			text = "à"
		case ok:
			text = form
		}
		b.WriteString(text + w.after)
	}
	return b.String()
}

// usualForm returns the usual form of a word that is in capitals, false if none is known.
func (known spellings) usualForm(word string) (string, bool) {
	k := law.Fold(word)
	if strings.Contains(titleWords, " "+strings.ToLower(word)+" ") {
		return strings.ToLower(word), true
	}
	for _, w := range strings.Fields(titleWords) {
		if law.Fold(w) == k && len(k) > 1 {
			return w, true
		}
	}
	best, most := "", 0
	for form, n := range known[k] {
		if n > most || n == most && form > best { // on a tie, lower case and accents win
			best, most = form, n
		}
	}
	if best == "" {
		best = forms()[k]
	}
	if one := forms()[strings.TrimSuffix(k, "s")]; best == "" && one != "" && len(one) >= leastPlural {
		best = one + "s"
	}
	return best, best != ""
}

// leastPlural is the minimum number of letters of a word whose plural is derived: « PV » makes no « pvs ».
const leastPlural = 4

// The codes of the legal domains.
const (
	travail = "travail"
	impots  = "impots"
	douanes = "douanes"
	civil   = "civil"
	penal   = "penal"
	foncier = "foncier"
	autre   = "autre"
)

// domainWords lists folded words of each domain. An entry counts for all words that begin with it.
var domainWords = []struct {
	code  string
	words []string
}{
	{travail, []string{"travail", "salari", "salaire", "employeur", "conge paye", "licenciement", "syndica", "syndicat", "apprentissage", "inspecteur du travail", "securite sociale", "greve", "emploi", "repos hebdomadaire", "travailleur", "pension de retraite"}},
	{impots, []string{"impot", "fiscal", "taxe", "loi de finances", "contribuable", "tva", "contributions directes", "droits d'enregistrement", "recouvrement", "redevable"}},
	{douanes, []string{"douan", "importation", "exportation", "tarif exterieur", "transitaire", "dedouanement", "droits d'entree", "marchandises import"}},
	{foncier, []string{"foncier", "fonciere", "immatriculation des immeubles", "cadastr", "domaine public", "domaine prive de l'etat", "expropriation", "urbanisme", "parcelle", "lotissement", "permis de construire", "bail rural", "baux ruraux", "propriete des terres"}},
	{penal, []string{"penal", "peines", "infraction", "contravention", "emprisonnement", "delit", "crime", "detenu", "penitentiaire", "puni d", "puni de", "extradition"}},
	{civil, []string{"etat civil", "naissance", "mariage", "divorce", "filiation", "succession", "code civil", "procedure civile", "personnes et de la famille", "code de la famille", "locataire", "bailleur", "location", "nationalite", "tutelle des mineurs", "tutelle legale", "tuteur", "droit international prive", "obligations et des contrats"}},
}

// Domain is the legal domain of a text, and the words that it was judged by.
type Domain struct {
	code  string
	Words []string // words of the text that speak for it, the most frequent first
	Trust float64
}

const (
	// leastScore is the minimum score with which a text belongs to a domain.
	leastScore = 9.0
	// unnamedScore is the minimum score of a text's own words if its title names no domain: every law has a
	// chapter of penalties, and many ministries are « de tutelle ».
	unnamedScore = 15.0
)

// domainOf judges a text's domain by its words. Words of the title weigh most, then words of headings and visas, then
// words of the body, by their frequency. An act that appoints persons, or that the gazette prints without a title,
// belongs to no domain.
func domainOf(d *Draft) Domain {
	title := " " + law.Fold(d.Document.Title)
	if d.Title.Abridged {
		return Domain{code: autre, Trust: remarks.AsInferred}
	}
	if said := appoints.FindString(d.Document.Title); said != "" {
		return Domain{code: autre, Words: []string{said}, Trust: remarks.AsPrinted}
	}
	var heads, body strings.Builder
	for _, a := range d.Articles {
		for _, p := range a.Path {
			heads.WriteString(" " + p)
		}
		if a.Heading == gazette.PreambleHeading {
			heads.WriteString(" " + a.Text)
		} else if body.Len() < 60_000 {
			body.WriteString(" " + a.Text)
		}
	}
	headText, bodyText := law.Fold(heads.String()), law.Fold(body.String())
	best, most, next := Domain{code: autre}, leastScore, 0.0
	for _, of := range domainWords {
		named, spoken := 8*wordsPresent(title, of.words), 60*wordRate(bodyText, of.words)
		score := named + 30*wordRate(headText, of.words) + spoken
		if named == 0 && spoken < unnamedScore {
			continue
		}
		if score > most {
			best, most, next = Domain{code: of.code, Words: mostFrequent(of.words, title+headText+bodyText)}, score, max(next, most)
		} else {
			next = max(next, score)
		}
	}
	best.Trust = most / (most + next)
	return best
}

// mostFrequent returns at most six of the given words that occur in a folded text, the most frequent first.
func mostFrequent(words []string, text string) []string {
	counts := map[string]int{}
	for _, w := range words {
		counts[w] = strings.Count(text, " "+w) + strings.Count(text, "'"+w)
	}
	found := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return counts[w] == 0 })
	slices.SortStableFunc(found, func(a, b string) int { return counts[b] - counts[a] })
	return found[:min(len(found), 6)]
}

// wordsPresent returns how many of the given words occur in a folded text, as the beginning of a word of the text.
func wordsPresent(text string, words []string) float64 {
	n := 0.0
	for _, w := range words {
		if strings.Contains(text, " "+w) || strings.Contains(text, "'"+w) {
			n++
		}
	}
	return n
}

// wordRate returns how often the words occur for each 20 words of a folded text. A text counts as at least 40
// words.
func wordRate(text string, words []string) float64 {
	n := 0
	for _, w := range words {
		n += strings.Count(text, " "+w) + strings.Count(text, "'"+w)
	}
	return 20 * float64(n) / float64(max(40, strings.Count(text, " ")))
}
