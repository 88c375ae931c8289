// Package verify checks what a text that somebody wrote says of the law: a brief, a contract, an
// answer of a chatbot.
//
// A text, a day and perhaps a country go in; a Report comes out. Each reference of the text is
// resolved to a text and articles of the catalogue, with their state on that day; each quotation
// is tied to the reference that it belongs to and compared with the words of that day.
// References are read by package question and resolved by package named, as those of questions
// are. Texts are untrusted: any bytes are accepted, and lengths and numbers are bounded.
// Files, whose text File returns, are read in confined child processes.
package verify

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/law/quote"
	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
)

// Bounds on one text.
const (
	MostCharacters = 500_000     // code points: some 200 pages
	Longest        = time.Minute // that a check may take, once the text has arrived
	mostReferences = 1000
	mostLookups    = 4 * mostReferences // of names in the catalogue, of which not all are references
	mostQuotations = 500
	mostArticles   = 50  // that one reference names
	mostSources    = 5   // texts that are listed for one reference
	mostTried      = 200 // texts that quotations are tried in because a reference may mean them
	mostOfText     = 500 // articles of a text in which a quotation without an article is looked for
)

// Writing is what is to be checked.
type Writing struct {
	Text    string
	Day     time.Time    // of the law, in UTC
	Country country.Code // whose law a reference without a country means; "": unknown
	BaseURL string       // public address of the page, "" if there is none
}

// State is the state of a reference or an article on the day.
type State string

// The states.
const (
	InForce   State = "en_vigueur"
	Amended   State = "modifie" // in force with words that another act has changed
	Repealed  State = "abroge"
	NotYet    State = "pas_encore" // in force later
	Absent    State = "absent"     // not in the catalogue, or the text has no such article
	Ambiguous State = "ambigu"     // several texts have the name
	Own       State = "interne"    // an article of the written text itself
	NoText    State = "sans_texte" // an article, and the written text does not say of what
)

// Verdict is what came of a quotation: a quote.Verdict, or Uncompared.
type Verdict string

// Uncompared is the verdict on a quotation with no words to compare it with.
const Uncompared Verdict = "non_comparee"

// Report is the result of Check. Places are in code points of Text.
type Report struct {
	Day        string      `json:"date"`
	Country    string      `json:"pays"`
	Text       string      `json:"text"` // as it was read
	References []Reference `json:"references"`
	Quotations []Quotation `json:"quotations"`
	More       bool        `json:"more"` // the text has more references or quotations than are checked
}

// Reference is a reference of the text.
type Reference struct {
	Start     int       `json:"start"`
	End       int       `json:"end"`
	Name      string    `json:"name"` // as it is written
	State     State     `json:"state"`
	Told      string    `json:"told"`      // the state as a French sentence
	Inherited bool      `json:"inherited"` // it names only articles; the text is the one named before
	Sources   []Source  `json:"texts"`     // what it means, or if that is doubtful, what it might mean
	Articles  []Article `json:"articles"`
}

// Source is a text of the catalogue on the day.
type Source struct {
	ID         uuid.UUID   `json:"document_id"`
	Title      string      `json:"title"`
	Type       law.DocType `json:"doc_type"`
	Number     string      `json:"numero_officiel"`
	Countries  []string    `json:"pays"`
	State      State       `json:"state"`
	InForce    string      `json:"date_entree_vigueur"`
	RepealedOn string      `json:"date_abrogation"` // "" if none is known
	RepealedBy []Act       `json:"repealed_by"`
	AmendedBy  []Act       `json:"amended_by"` // up to the day
	URL        string      `json:"url"`
}

// Act is a text that changes another.
type Act struct {
	ID    uuid.UUID `json:"document_id"`
	Title string    `json:"title"`
	Since string    `json:"since"`
}

// Article is an article that a reference names.
type Article struct {
	Number  string            `json:"number"`
	State   State             `json:"state"`
	ID      *uuid.UUID        `json:"article_id"`
	Page    int               `json:"page"`  // of the gazette, from 1; 0 if the article is absent
	Since   string            `json:"since"` // first day of the state, "" if that is not known
	Changes []law.RelationRef `json:"changed_by"`
	URL     string            `json:"url"`

	words string // to compare with
}

// Quotation is a quotation of the text.
type Quotation struct {
	Start       int                `json:"start"`
	End         int                `json:"end"`
	Reference   *int               `json:"reference"` // index of what it belongs to
	Verdict     Verdict            `json:"verdict"`
	Told        string             `json:"told"`
	Words       string             `json:"words"`     // of the law, that it renders
	Article     string             `json:"article"`   // number of the article that has them
	Elsewhere   bool               `json:"elsewhere"` // that is another article than the reference names
	Differences []quote.Difference `json:"differences"`
	URL         string             `json:"url"`
}

// Check checks a text. Errors: TooLarge for one that is too long, and those of the database and
// of ctx.
func Check(ctx context.Context, db *postgres.DB, w Writing) (Report, error) {
	if n := utf8.RuneCountInString(w.Text); n > MostCharacters {
		return Report{}, errs.Newf(errs.TooLarge, "Le texte a %d caractères ; %d au plus.", n, MostCharacters)
	}
	text := cleaned(w.Text)
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

// softBreak matches a soft hyphen at the end of a line, where a word was broken.
var softBreak = law.Pattern(`\x{00ad}[\x20\t]*\n[\x20\t]*`)

// cleaned returns a text as it is printed, without control characters.
func cleaned(text string) string {
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
	return strings.TrimSpace(question.Printed(softBreak.ReplaceAllString(text, "")))
}

// checker is the state of one check.
type checker struct {
	db     *postgres.DB
	w      Writing
	lookup *named.Lookup
	found  []found
	texts  map[uuid.UUID]*known
	tried  int // texts that are only among those that a reference may mean
	report Report
}

// found is a reference with what it means.
type found struct {
	Reference
	read    question.Reference
	mention named.Mention
	text    *known   // the one text that it means, nil if there is none
	maybe   []*known // the texts that it may mean, if these are several
}

// known is a text of the catalogue with what is read of it.
type known struct {
	named.Text
	source   Source
	day      time.Time // on which its words are read: the day, or the nearest on which it is in force
	numbers  []string  // of articles that references name
	articles map[string]Article
	whole    []postgres.ReadArticle // all articles, once they are needed
	all      bool                   // whole was read
}

// antecedent is a text that was named, for articles that follow without one.
type antecedent struct {
	question.Reference
	countries []country.Code
}

// kinds matches the word for the kind of a text.
var kinds = law.Pattern(`(?i)(?:^|[^\p{L}])(code|loi|ordonnance|d[ée]cret|arr[êe]t[ée]|constitution|dahir)(?:$|[^\p{L}])`)

// kindWord returns the folded word for the kind of a text in a name, « » for none.
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
		_, countries := question.Content(s.words)
		if len(countries) == 0 && c.w.Country != "" {
			countries = []country.Code{c.w.Country}
		}
		for _, r := range references(s.words) {
			if lookups++; len(c.found) >= mostReferences || lookups > mostLookups {
				c.report.More = true
				return nil
			}
			f := found{Reference: Reference{Start: s.start + r.Start, End: s.start + r.End, Sources: []Source{}, Articles: []Article{}}, read: r.Reference}
			f.End = s.start + wordEnd(text[s.start:], r.End)
			f.Name = strings.Join(strings.Fields(s.words[r.Start:r.End]), " ")
			if r.own || r.Self {
				f.State = Own
				c.found = append(c.found, f)
				continue
			}
			on := countries
			before := last
			if r.Same {
				before = lastOf[kindWord(s.words[r.Start:r.End])]
			}
			if !r.NamesText() && before != nil {
				f.read, f.Inherited = before.Reference, true
				f.read.Articles, f.read.Parts, f.read.Start, f.read.End = r.Articles, r.Parts, r.Start, r.End
				on = before.countries
			}
			asked := question.Question{Text: s.words, References: []question.Reference{f.read}, Countries: on}
			mentions, err := c.lookup.Resolve(ctx, named.Question{Asked: &asked, Today: c.w.Day})
			if err != nil {
				return err
			}
			if len(mentions) == 1 && len(mentions[0].WithName()) == 0 && f.read.Title != "" && f.read.Number == "" {
				if mentions, err = c.shorter(ctx, asked, &f, mentions); err != nil {
					return err
				}
			}
			if len(mentions) == 0 {
				continue // a number, or words that are no title
			}
			f.mention = mentions[0]
			if f.read.NamesText() {
				c.mean(&f)
				if !f.Inherited {
					last = &antecedent{f.read, on}
					lastOf[cmp.Or(kindWord(f.Name), kindWord(f.read.Title))] = last
					if f.text != nil && f.text.Document.Type == law.Code { // « la loi portant code du travail … du même code »
						lastOf["code"] = last
					}
				}
			}
			if f.text != nil && r.Phrase != "" {
				end := nameEnd(s.words, r.Reference, f.text.Document.Title)
				f.End = s.start + wordEnd(text[s.start:], end)
				f.Name = strings.Join(strings.Fields(s.words[r.Start:end]), " ")
			}
			c.found = append(c.found, f)
		}
	}
	return nil
}

// shorter resolves a title that may be longer than the name of a text (« code du travail protège »
// in a sentence) without its last words, until a text has it. The catalogue shows where a name
// ends. It returns mentions if no text has any part of it.
func (c *checker) shorter(ctx context.Context, asked question.Question, f *found, mentions []named.Mention) ([]named.Mention, error) {
	const fewest = 2 // « code pénal »
	words := strings.Fields(f.read.Title)
	for n := len(words) - 1; n >= fewest; n-- {
		if len(french.Terms(words[n-1])) == 0 {
			continue // « code de la » ends no name
		}
		r := f.read
		r.Title = strings.Join(words[:n], " ")
		asked.References = []question.Reference{r}
		got, err := c.lookup.Resolve(ctx, named.Question{Asked: &asked, Today: c.w.Day})
		if err != nil {
			return nil, err
		}
		if len(got) == 1 && len(got[0].WithName()) > 0 {
			if name := strings.ToLower(f.Name); !f.Inherited && strings.HasSuffix(name, f.read.Title) {
				f.Name = f.Name[:len(f.Name)-len(f.read.Title)+len(r.Title)]
				f.End = f.Start + lengthOf(c.report.Text[f.Start:f.End], f.Name)
			}
			f.read = r
			return got, nil
		}
	}
	return mentions, nil
}

// lengthOf returns how many bytes of a text a name takes that has single blanks in place of its
// white space.
func lengthOf(text, name string) int {
	at := 0
	for _, word := range strings.Fields(name) {
		next := strings.Index(text[at:], word)
		if next < 0 { // it is broken at the end of a line
			return len(text)
		}
		at += next + len(word)
	}
	return at
}

// mean decides which text a reference means. A title means, of several texts, the one that is in
// force on the day.
func (c *checker) mean(f *found) {
	texts := f.mention.Texts
	if len(texts) > 1 && f.read.Number == "" {
		current := slices.DeleteFunc(slices.Clone(texts), func(t named.Text) bool { return stateOf(t, c.w.Day) != InForce })
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

// know returns what is known of a text, of which some articles are to be read.
func (c *checker) know(t named.Text, articles []string) *known {
	k := c.texts[t.Document.ID]
	if k == nil {
		k = &known{Text: t, articles: map[string]Article{}}
		c.texts[t.Document.ID] = k
	}
	k.numbers = append(k.numbers, articles...)
	return k
}

// stateOf returns whether a text is in force on a day.
func stateOf(t named.Text, day time.Time) State {
	switch {
	case day.Before(t.Document.EntersInForce):
		return NotYet
	case t.RepealedOn != nil && !day.Before(*t.RepealedOn):
		return Repealed
	}
	return InForce
}

// inCodePoints converts the places of a report from bytes.
func (r *Report) inCodePoints() {
	places := make([]*int, 0, 2*(len(r.References)+len(r.Quotations)))
	for i := range r.References {
		places = append(places, &r.References[i].Start, &r.References[i].End)
	}
	for i := range r.Quotations {
		places = append(places, &r.Quotations[i].Start, &r.Quotations[i].End)
	}
	slices.SortFunc(places, func(a, b *int) int { return *a - *b })
	at, n := 0, 0
	for _, p := range places {
		n += utf8.RuneCountInString(r.Text[at:*p])
		at, *p = *p, n
	}
}
