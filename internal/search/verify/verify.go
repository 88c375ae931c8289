// Package verify checks what a document says about the law. The document may be a brief, a
// contract or an answer of a chatbot.
//
// A document, a day and perhaps a country go in; a Report comes out. Each reference is resolved
// to a text and articles of the catalogue, with their state on that day. Each quotation is tied
// to its reference and compared with the words of that day.
// References are read by package question and resolved by package named, as those of questions
// are. Texts are untrusted: any bytes are accepted, and lengths and numbers are bounded.
// Files, whose text File returns, are read in confined child processes.
package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/quote"
	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
)

// Limits of one check.
const (
	MostCharacters = 500_000     // code points: about 200 pages
	Longest        = time.Minute // time limit of a check, after the upload
	mostReferences = 1000
	mostLookups    = 4 * mostReferences // names looked up; not all of them are references
	mostQuotations = 500
	mostArticles   = 50  // articles of one reference
	mostSources    = 5   // texts listed for one reference
	mostTried      = 200 // texts with which quotations of ambiguous references are compared
	mostOfText     = 500 // articles searched for a quotation whose reference names no article
)

// Writing is a document to check.
type Writing struct {
	Text    string
	Day     time.Time    // of the law, in UTC
	Country country.Code // country of references that name none; "": unknown
	BaseURL string       // public address of the page, "" if there is none
}

// State is the state of a reference or an article on the day.
type State string

// The states.
const (
	InForce   State = "en_vigueur"
	Amended   State = "modifie" // in force, in words that another act has changed
	Repealed  State = "abroge"
	NotYet    State = "pas_encore" // enters into force later
	Absent    State = "absent"     // not in the catalogue, or the text has no such article
	Ambiguous State = "ambigu"     // several texts have the name
	Own       State = "interne"    // an article of the document itself
	NoText    State = "sans_texte" // an article whose text the document does not name
)

// Verdict is the result of comparing a quotation: a quote.Verdict, or Uncompared.
type Verdict string

// Uncompared is the verdict on a quotation whose article or text is unknown.
const Uncompared Verdict = "non_comparee"

// Report is the result of Check. Places are in code points of Text.
type Report struct {
	Day        string      `json:"date" format:"date"`
	Country    string      `json:"pays"`
	Text       string      `json:"text"` // as it was read
	References []Reference `json:"references"`
	Quotations []Quotation `json:"quotations"`
	More       bool        `json:"more"` // the document has more references or quotations than were checked
}

// Reference is a reference of the document.
type Reference struct {
	Start     int       `json:"start"`
	End       int       `json:"end"`
	Name      string    `json:"name"` // as written in the document
	State     State     `json:"state" enum:"en_vigueur,modifie,abroge,pas_encore,absent,ambigu,interne,sans_texte"`
	Told      string    `json:"told"`      // the state as a French sentence
	Inherited bool      `json:"inherited"` // it names only articles, of the text named before
	Sources   []Source  `json:"texts"`     // the texts that it means, or may mean if it is ambiguous
	Articles  []Article `json:"articles"`
}

// Source is a text of the catalogue, as of the day.
type Source struct {
	ID         uuid.UUID   `json:"document_id"`
	Title      string      `json:"title"`
	Type       law.DocType `json:"doc_type" enum:"loi,decret,arrete,circulaire,code,constitution"`
	Number     string      `json:"numero_officiel"`
	Countries  []string    `json:"pays"`
	State      State       `json:"state" enum:"en_vigueur,modifie,abroge,pas_encore,absent,ambigu,interne,sans_texte"`
	InForce    string      `json:"date_entree_vigueur" format:"date"`
	RepealedOn string      `json:"date_abrogation"` // "" if none is known
	RepealedBy []Act       `json:"repealed_by"`
	AmendedBy  []Act       `json:"amended_by"` // acts in force on the day
	URL        string      `json:"url"`
}

// Act is a text that changes another one.
type Act struct {
	ID    uuid.UUID `json:"document_id"`
	Title string    `json:"title"`
	Since string    `json:"since" format:"date"`
}

// Article is an article that a reference names.
type Article struct {
	Number  string            `json:"number"`
	State   State             `json:"state" enum:"en_vigueur,modifie,abroge,pas_encore,absent,ambigu,interne,sans_texte"`
	ID      *uuid.UUID        `json:"article_id"`
	Page    int               `json:"page"`  // of the gazette, from 1; 0 if the article is absent
	Since   string            `json:"since"` // first day of the state, "" if unknown
	Changes []law.RelationRef `json:"changed_by"`
	URL     string            `json:"url"`

	words string // compared with quotations
}

// Quotation is a quotation of the document.
type Quotation struct {
	Start       int                `json:"start"`
	End         int                `json:"end"`
	Reference   *int               `json:"reference"` // index of its reference
	Verdict     Verdict            `json:"verdict" enum:"identique,differente,absente,non_comparee"`
	Told        string             `json:"told"`
	Words       string             `json:"words"`     // the words of the law that it quotes
	Article     string             `json:"article"`   // number of the article with these words
	Elsewhere   bool               `json:"elsewhere"` // the reference names another article
	Differences []quote.Difference `json:"differences"`
	URL         string             `json:"url"`
}

// Check checks a document. It returns TooLarge if the document is too long, and errors of the
// database and of ctx.
func Check(ctx context.Context, db *postgres.DB, w Writing) (Report, error) {
	if n := utf8.RuneCountInString(w.Text); n > MostCharacters {
		return Report{}, errs.Newf(errs.TooLarge, "Le texte a %d caractères ; %d au plus.", n, MostCharacters)
	}
	text := clean(w.Text)
	c := &checker{db: db, w: w, lookup: named.NewLookup(db), texts: map[uuid.UUID]*known{},
		report: Report{Day: w.Day.Format(time.DateOnly), Country: string(w.Country), Text: text, References: []Reference{}, Quotations: []Quotation{}}}
	quoted := quotations(text)
	if len(quoted) > mostQuotations {
		quoted, c.report.More = quoted[:mostQuotations], true
	}
	if err := c.resolve(ctx, text, quoted); err != nil {
		return Report{}, err
	}
	if err := c.read(ctx); err != nil {
		return Report{}, err
	}
	for i := range c.found {
		c.settle(&c.found[i])
	}
	if err := c.compare(ctx, text, quoted); err != nil {
		return Report{}, err
	}
	c.report.inCodePoints()
	return c.report, nil
}

// softBreak matches a soft hyphen at the end of a line, where a word is broken.
var softBreak = law.Pattern(`\x{00ad}[\x20\t]*\n[\x20\t]*`)

// clean returns a text as it is printed, without control characters.
func clean(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\r\n", "\n")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\r' || r == '\f' || r == '\v' || r == '\u2028' || r == '\u2029' || r == '\u0085':
			return '\n'
		case r != '\n' && r != '\t' && unicode.IsControl(r):
			return -1
		}
		return r
	}, text)
	return strings.TrimSpace(question.NormalizeTyped(softBreak.ReplaceAllString(text, "")))
}

// checker is the state of one check.
type checker struct {
	db     *postgres.DB
	w      Writing
	lookup *named.Lookup
	home   *home // nil unless the writing is an article of the catalogue
	found  []found
	texts  map[uuid.UUID]*known
	tried  int // number of texts of ambiguous references with which quotations were compared
	report Report
}

// found is a resolved reference.
type found struct {
	Reference
	read    question.Reference
	mention named.Mention
	asked   []country.Code // whose law is meant
	text    *known         // the text that it means; nil: none, or several
	maybe   []*known       // the texts that it may mean, if there are several
}

// known is a text of the catalogue and the articles read from it.
type known struct {
	named.Candidate
	source   Source
	day      time.Time // the day of its wording: the day of the check, or the nearest one on which the text is in force
	numbers  []string  // of the articles that references name
	articles map[string]Article
	whole    []postgres.ReadArticle // all articles; loaded when needed
	all      bool                   // whole is loaded
}

// antecedent is the last text named; later articles without a text belong to it.
type antecedent struct {
	question.Reference
	countries []country.Code
}

// kinds matches the word for the kind of a text.
var kinds = law.Pattern(`(?i)(?:^|[^\p{L}])(code|loi|ordonnance|d[ée]cret|arr[êe]t[ée]|constitution|dahir)(?:$|[^\p{L}])`)

// kindWord returns the folded word for the kind of text in a name; "" if there is none.
func kindWord(name string) string {
	m := kinds.FindStringSubmatch(name)
	if m == nil {
		return ""
	}
	return law.Fold(m[1])
}

// resolve finds and resolves the references of a text.
func (c *checker) resolve(ctx context.Context, text string, quoted []span) error {
	var last *antecedent
	lastOf := map[string]*antecedent{} // by the word for the kind: « du même code »
	lookups := 0
	for _, s := range sentences(text, quoted) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		_, countries := country.Content(s.words)
		if len(countries) == 0 && c.w.Country != "" {
			countries = []country.Code{c.w.Country}
		}
		for _, r := range references(s.words, c.home == nil) {
			if lookups++; len(c.found) >= mostReferences || lookups > mostLookups {
				c.report.More = true
				return nil
			}
			f := found{Reference: Reference{Start: s.start + r.Start, End: s.start + r.End, Sources: []Source{}, Articles: []Article{}}, read: r.Reference}
			f.End = s.start + wordEnd(text[s.start:], r.End)
			f.Name = strings.Join(strings.Fields(s.words[r.Start:r.End]), " ")
			if c.home != nil && !r.Same && len(r.Articles) > 0 && !r.NamesText() && !possessed.MatchString(s.words[:r.Start]) {
				f.text = c.know(c.home.text.Candidate, r.Articles[:1])
				c.found = append(c.found, f)
				continue
			}
			if r.own || r.Self {
				f.State = Own
				c.found = append(c.found, f)
				continue
			}
			codes := countries
			previous := last
			if r.Same {
				previous = lastOf[kindWord(s.words[r.Start:r.End])]
			}
			if !r.NamesText() && previous != nil {
				f.read, f.Inherited = previous.Reference, true
				f.read.Articles, f.read.Parts, f.read.Start, f.read.End = r.Articles, r.Parts, r.Start, r.End
				codes = previous.countries
			}
			asked := question.Question{Text: s.words, References: []question.Reference{f.read}, Countries: codes}
			mentions, err := c.lookup.Resolve(ctx, named.Question{Asked: &asked, Today: c.w.Day})
			if err != nil {
				return err
			}
			if len(mentions) == 0 {
				continue // a number, or words that are no title
			}
			if beyond := mentions[0].Beyond; beyond != "" && !f.Inherited {
				f.read = mentions[0].Reference
				f.read.Articles, f.read.Parts, f.read.Start, f.read.End = r.Articles, r.Parts, r.Start, r.End
				if rest, ok := strings.CutSuffix(strings.ToLower(f.Name), " "+beyond); ok {
					f.Name = f.Name[:len(rest)]
					f.End = f.Start + lengthOf(text[f.Start:f.End], f.Name)
				}
			}
			f.mention, f.asked = mentions[0], f.read.AskedCountries(codes)
			if f.read.NamesText() {
				c.mean(&f)
				if !f.Inherited {
					last = &antecedent{f.read, codes}
					lastOf[cmp.Or(kindWord(f.Name), kindWord(f.read.Title))] = last
					if f.text != nil && f.text.Document.Type == law.Code { // « la loi portant code du travail … du même code »
						lastOf["code"] = last
					}
				}
			}
			if r.Enacts > 0 {
				r.End = r.Enacts
			}
			if f.text != nil && (r.Phrase != "" || r.Enacts > 0) {
				end := nameEnd(s.words, r.Reference, f.text.Document.Title)
				f.End = s.start + wordEnd(text[s.start:], end)
				f.Name = strings.Join(strings.Fields(s.words[r.Start:end]), " ")
			}
			c.found = append(c.found, f)
		}
	}
	return nil
}

// lengthOf returns the number of bytes that a name takes in a text whose white space may differ
// from the single blanks of the name.
func lengthOf(text, name string) int {
	pos := 0
	for _, word := range strings.Fields(name) {
		next := strings.Index(text[pos:], word)
		if next < 0 { // the name is broken at the end of a line
			return len(text)
		}
		pos += next + len(word)
	}
	return pos
}

// mean decides which text a reference means. If several texts have a title, it means the one in
// force on the day.
func (c *checker) mean(f *found) {
	texts := f.mention.Texts
	if len(texts) > 1 && f.read.Number == "" {
		current := slices.DeleteFunc(slices.Clone(texts), func(t named.Candidate) bool { return stateOf(t, c.w.Day) != InForce })
		if len(current) == 1 {
			texts = current
		}
	}
	f.read.Articles = f.read.Articles[:min(len(f.read.Articles), mostArticles)]
	if len(texts) != 1 || f.mention.More && len(f.mention.Texts) == len(texts) {
		for _, t := range texts[:min(len(texts), mostSources)] {
			if c.texts[t.Document.ID] == nil {
				if c.tried++; c.tried > mostTried {
					break
				}
			}
			f.maybe = append(f.maybe, c.know(t, f.read.Articles))
		}
		return
	}
	f.text = c.know(texts[0], f.read.Articles)
}

// know returns the entry of a text, and records which of its articles to read.
func (c *checker) know(t named.Candidate, articles []string) *known {
	k := c.texts[t.Document.ID]
	if k == nil {
		k = &known{Candidate: t, articles: map[string]Article{}}
		c.texts[t.Document.ID] = k
	}
	k.numbers = append(k.numbers, articles...)
	return k
}

// stateOf returns whether a text is in force on a day.
func stateOf(t named.Candidate, day time.Time) State {
	switch t.Document.ForceOn(day, t.RepealedOn) {
	case law.NotYet:
		return NotYet
	case law.NoLonger:
		return Repealed
	default:
		return InForce
	}
}

// inCodePoints converts the places of a report from bytes to code points.
func (r *Report) inCodePoints() {
	places := make([]*int, 0, 2*(len(r.References)+len(r.Quotations)))
	for i := range r.References {
		places = append(places, &r.References[i].Start, &r.References[i].End)
	}
	for i := range r.Quotations {
		places = append(places, &r.Quotations[i].Start, &r.Quotations[i].End)
	}
	slices.SortFunc(places, func(a, b *int) int { return *a - *b })
	pos, n := 0, 0
	for _, p := range places {
		n += utf8.RuneCountInString(r.Text[pos:*p])
		pos, *p = *p, n
	}
}

// tell returns the French sentence for the state of a reference.
func (f *found) tell() string {
	switch {
	case f.State == Own:
		return "C’est un article de votre texte."
	case f.State == NoText:
		return "Votre texte ne dit pas de quel texte est cet article."
	case f.State == Ambiguous:
		return "Plusieurs textes portent ce nom : précisez la date, le numéro ou le pays."
	case f.text == nil && len(f.Sources) > 0:
		return "Aucun texte du pays n’a ce nom au catalogue ; d’autres le portent."
	case f.text == nil:
		return "Aucun texte du catalogue ne porte ce numéro ou ce titre."
	}
	s := f.text.source
	var told []string
	switch s.State {
	case Repealed:
		if s.RepealedOn == "" {
			told = append(told, "Le texte est abrogé, selon le catalogue.")
			break
		}
		told = append(told, "Le texte est abrogé depuis le "+writeDay(s.RepealedOn)+by(s.RepealedBy)+".")
	case NotYet:
		told = append(told, "Le texte n’entre en vigueur que le "+writeDay(s.InForce)+".")
	default:
		if s.State == Amended && len(f.Articles) == 0 {
			told = append(told, "Le texte est en vigueur, modifié"+by(s.AmendedBy)+".")
		} else {
			told = append(told, "Le texte est en vigueur.")
		}
		if s.RepealedOn != "" {
			told = append(told, "Il sera abrogé le "+writeDay(s.RepealedOn)+".")
		}
	}
	for _, a := range f.Articles {
		if line := a.tell(s.State); line != "" {
			told = append(told, line)
		}
	}
	if later := f.text.Document.LaterNotice(f.text.day); later != "" {
		told = append(told, "Le catalogue n’en a que la "+later+".")
	}
	return strings.Join(told, " ")
}

// tell returns the French sentence for the state of an article; "" if it is the text's state.
func (a Article) tell(text State) string {
	name := "L’article " + a.Number
	switch {
	case a.State == Absent:
		return name + " n’existe pas dans ce texte."
	case a.State == text && a.State != Amended:
		return ""
	case a.State == Repealed:
		return name + " est abrogé" + since(a.Since) + changers(a.Changes) + "."
	case a.State == NotYet:
		return name + " n’entre en vigueur que le " + writeDay(a.Since) + "."
	case a.State == Amended:
		return name + " est modifié" + since(a.Since) + changers(a.Changes) + "."
	}
	return ""
}

// describe returns the French sentence for the verdict on a quotation.
func (q Quotation) describe() string {
	place := ""
	if q.Article != "" {
		place = " l’article " + q.Article
	}
	switch {
	case q.Verdict == Uncompared && q.Reference == nil:
		return "Rien ne dit d’où vient cette citation."
	case q.Verdict == Uncompared:
		return "Le catalogue n’a pas de quoi comparer cette citation."
	case q.Verdict == Verdict(quote.Absent):
		return "Ces mots ne sont pas dans le texte cité."
	case q.Elsewhere:
		return fmt.Sprintf("Ces mots sont à%s, non à celui que la référence nomme.", place)
	case q.Verdict == Verdict(quote.Different):
		return fmt.Sprintf("La citation diffère de%s en %s.", place, places(len(q.Differences)))
	}
	return fmt.Sprintf("La citation a les mots de%s.", place)
}

func places(n int) string {
	if n == 1 {
		return "un endroit"
	}
	return fmt.Sprintf("%d endroits", n)
}

// writeDay formats a day in French.
func writeDay(day string) string {
	d, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return law.WriteDate(d)
}

func since(day string) string {
	if day == "" {
		return ""
	}
	return " depuis le " + writeDay(day)
}

// by returns the name of the last act that changes a text.
func by(acts []Act) string {
	if len(acts) == 0 {
		return ""
	}
	return " par « " + acts[len(acts)-1].Title + " »"
}

// changers returns the name of the last act that changes an article.
func changers(list []law.RelationRef) string {
	if len(list) == 0 {
		return ""
	}
	return " par « " + law.RemoveMarks(list[len(list)-1].Title) + " »"
}
