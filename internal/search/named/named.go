// Package named decides which texts of the catalogue a question means by its references: « la
// loi n° 2010-05 », « le code du travail du Bénin », « AUSCGIE », « l'article 5 » of the text
// that the conversation is about. It is the only place that decides this.
//
// Package question says how a question names a text. A Lookup takes these references, and
// returns a Mention of each: the texts that it means, or why it means none. The rules
// (rules.go) are functions of a list of texts. A Source supplies a list from which they select
// the same texts as from the whole catalogue; it finds them by the keys of package naming.
// *postgres.DB is a Source, and InMemory makes one of texts in memory.
//
// Errors are those of the source. Finding the passages of a named article is left to the
// index.
package named

import (
	"cmp"
	"context"
	_ "embed" // words that make another name
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/law/naming"
	"vigueur/internal/law/read"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
)

// Source finds texts of a catalogue by the keys of package naming, as *postgres.DB does,
// whose methods say what each of these returns.
type Source interface {
	NamedBy(ctx context.Context, queries ...postgres.NameQuery) ([][]postgres.NamedText, error)
	FirstNamed(ctx context.Context, queries ...postgres.NameQuery) (int, error)
	TextsNamed(ctx context.Context, ids []uuid.UUID) ([]postgres.NamedText, error)
	Behind(ctx context.Context, most int) (postgres.Behind, error)
}

// Candidate is a text of the catalogue, with its name prepared for comparisons.
type Candidate struct {
	postgres.NamedText
	number string   // the term of its number
	terms  []string // the terms of its title
	codes  []country.Code
}

// CandidateOf prepares the name of a text of the catalogue for comparisons.
func CandidateOf(n postgres.NamedText) Candidate {
	n.Document.Title = law.RemoveMarks(n.Document.Title)
	name := nameOf(n)
	return Candidate{NamedText: n, number: french.TextTerm(n.Document.OfficialNumber), terms: name.Terms(), codes: name.Codes()}
}

// nameOf returns the data by which a text may be named.
func nameOf(n postgres.NamedText) naming.Name {
	d := n.Document
	return naming.Name{Title: d.Title, Nature: d.Nature, Number: d.OfficialNumber, Type: d.Type, Promulgated: d.Promulgated, Countries: n.Countries}
}

// Admitted reports whether the filters of a question admit a text.
func (t Candidate) Admitted(f law.Filters) bool {
	d := t.Document
	return f.Admit(d.ID, d.Domain, d.Type, d.Status)
}

// Fits reports whether a text may be meant by a question that names some countries (see
// country.Fits).
func (t Candidate) Fits(asked []country.Code) bool { return country.Fits(asked, t.codes) }

// MeantBy reports whether a reference in the words of a law means the text.
func (t Candidate) MeantBy(r read.Reference) bool {
	if r.Number == "" {
		terms, _ := country.Content(r.Title)
		return t.Document.Type == law.Code && holds(t.terms, french.Terms(r.Title)) && question.CanBeCalled(t.Document.Title, terms)
	}
	same := french.SameText(french.TextTerm(r.Number), t.number)
	kind := r.Type == "" || r.Type == t.Document.Type || r.Type == law.Loi && t.Document.Type == law.Code
	return same && kind && (r.Date.IsZero() || r.Date.Equal(t.Document.Promulgated))
}

// Mention is a reference in a question, and the texts that it means. If it means none, at
// most one of Barred and Alike has texts.
type Mention struct {
	question.Reference
	Texts  []Candidate // the texts that it means, the likeliest first; at most MostTexts
	More   bool        // it means more texts than Texts has
	Barred []Candidate // the texts that it would mean without the filters of the question
	// Alike are texts that have the name but are not meant: too many have it, or they are law
	// of other countries than the question is about, or of another type (a decree about a
	// constitution). There may be more of them.
	Alike []Candidate
	// Beyond are the last words of the title that the question gives, if the catalogue has no text of the whole title: the
	// mention is then of the longest one that it has, and Title is this.
	Beyond string
}

// WithName returns the texts that have the name: those that the mention means, or if there
// are none, those that it might mean.
func (m Mention) WithName() []Candidate {
	for _, texts := range [][]Candidate{m.Texts, m.Barred} {
		if len(texts) > 0 {
			return texts
		}
	}
	return m.Alike
}

// Absent reports whether the catalogue has no text with the number or the title that the
// question gives. A number alone may belong to no text.
func (m Mention) Absent() bool { return m.AbsentIn(nil) }

// AbsentIn reports whether Absent is so for texts of the countries that a question is about.
func (m Mention) AbsentIn(asked []country.Code) bool {
	fits := func(t Candidate) bool { return t.Fits(asked) }
	return len(m.Texts)+len(m.Barred) == 0 && !slices.ContainsFunc(m.Alike, fits) && !m.Alone && (m.Number != "" || m.Title != "")
}

// OfAnyText reports whether any text with these articles may be meant: the question names no text, and few texts have
// such articles (« L. 1224-1 »).
func (m Mention) OfAnyText() bool {
	return len(m.WithName()) == 0 && !m.NamesText() && len(m.Articles) > 0 && lettered(m.Articles[0])
}

// lettered reports whether the number of an article has letters, as those of long codes have.
func lettered(article string) bool {
	return strings.ContainsFunc(article, func(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' }) && strings.Contains(article, "-")
}

// InWords reports whether words name the text of a reference, as the title of a law that
// amends it does.
func InWords(words string, r question.Reference) bool {
	terms := french.Terms(words)
	if r.Number == "" {
		title, _ := country.Content(r.Title)
		return strings.Contains(" "+strings.Join(terms, " ")+" ", " "+strings.Join(title, " ")+" ")
	}
	number := french.TextTerm(r.Number)
	return slices.ContainsFunc(terms, func(t string) bool { return french.SameText(t, number) })
}

// Question is a question whose references are to be resolved.
type Question struct {
	Asked   *question.Question
	Before  question.Conversation
	Filters law.Filters
	Today   time.Time // in UTC
	Exact   bool      // titles are meant as they are written: those in the words of a law
}

// Resolve returns what the references of a question mean, in their order. It leaves out a
// number alone, a year that may be none of a text, and words that may be a title, unless a text has them. An article
// without a text belongs to the text that the filters give, else to the one that the
// conversation named last. The result is never nil.
func (l *Lookup) Resolve(ctx context.Context, q Question) ([]Mention, error) {
	out := make([]Mention, 0, len(q.Asked.References))
	for _, r := range q.Asked.References {
		m, err := l.mention(ctx, q, r)
		if err != nil {
			return nil, err
		}
		doubt, err := l.isDoubtful(ctx, q, r)
		if err != nil {
			return nil, err
		}
		if len(m.Texts)+len(m.Barred) == 0 && doubt {
			continue
		}
		if last := len(out) - 1; last >= 0 && q.Asked.Apposed(out[last].Reference, r) {
			if joined, same := out[last].join(m); same {
				out[last] = joined
				continue
			}
		}
		out = append(out, m)
	}
	return out, nil
}

// join returns one mention for two that stand side by side and name the same texts, by a number and by a title: « loi 65-99,
// code du travail ».
func (m Mention) join(next Mention) (Mention, bool) {
	if len(m.Articles) > 0 && len(next.Articles) > 0 || (m.Title == "") == (next.Title == "") {
		return m, false
	}
	shared := keepGood(m.Texts, func(t Candidate) bool {
		return slices.ContainsFunc(next.Texts, func(other Candidate) bool { return other.Document.ID == t.Document.ID })
	})
	if len(next.Articles) > 0 {
		m.Articles, m.Parts = next.Articles, next.Parts
	}
	m.Texts, m.More = shared, m.More && next.More
	return m, len(shared) > 0
}

// FindCalled returns the texts of the countries that are meant by the name that a law gives another text: « Constitution »,
// « code du travail ».
func (l *Lookup) FindCalled(ctx context.Context, name string, codes []country.Code) ([]Candidate, error) {
	references := question.Read(name, question.Conversation{}).References
	if len(references) == 0 || !references[0].NamesText() {
		return nil, nil
	}
	texts, _, err := l.lookUp(ctx, references[0], codes)
	return texts, err
}

// isDoubtful reports whether a reference is one only if the catalogue has such a text: a number alone, words that may be a
// title, and a year unless the catalogue has no text of it, of whatever type.
func (l *Lookup) isDoubtful(ctx context.Context, q Question, r question.Reference) (bool, error) {
	_, ahead := r.Ahead(q.Today)
	switch {
	case r.Alone, r.Loose && r.Title == "" && !ahead, r.Phrase != "" && r.Year == 0:
		return true, nil
	case r.Year == 0 || r.Title != "" || ahead:
		return false, nil
	}
	some, err := l.anyOfYear(ctx, r.Year, r.AskedCountries(q.Asked.Countries))
	return some, err
}

// mention returns what one reference means.
func (l *Lookup) mention(ctx context.Context, q Question, r question.Reference) (Mention, error) {
	if !r.NamesText() {
		texts, err := l.ofConversation(ctx, q)
		return Mention{Reference: r, Texts: texts}.filter(q.Filters), err
	}
	texts, named, err := l.lookUp(ctx, r, q.Asked.Countries)
	if err != nil {
		return Mention{}, err
	}
	beyond := ""
	if len(named) == 0 && r.Title != "" && r.Number == "" && !r.Alias && !q.Exact {
		if r, beyond, err = l.longestKnown(ctx, r, q.Asked.Countries); err == nil && beyond != "" {
			texts, named, err = l.lookUp(ctx, r, q.Asked.Countries)
		}
		if err != nil {
			return Mention{}, err
		}
	}
	if len(texts) == 0 {
		return Mention{Reference: r, Alike: named, Beyond: beyond}, nil
	}
	return Mention{Reference: r, Texts: texts[:min(len(texts), MostTexts)], More: len(texts) > MostTexts, Beyond: beyond}.filter(q.Filters), nil
}

//go:embed branches.txt
var branchesText string

// branches holds the terms of words that make the name of a code another code's: « maritime » behind « code du travail ».
var branches = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, t := range french.Terms(branchesText) {
		out[t] = true
	}
	return out
})

// OfAnother reports whether the words behind the known title may make it that of another text: « code du travail des marins ».
func (m Mention) OfAnother() bool { return m.Beyond != "" && ties.MatchString(law.Fold(m.Beyond)) }

// ties matches words that tie a noun to the name before it.
var ties = lazyre.New(`^(?:(?:de|du|des|d')\b ?(?:la |l')?|et (?:de |du |des |d')(?:la |l')?)`)

// longestKnown returns a reference with the longest title that begins the one given and that the catalogue has, and the words
// behind it, "" if there is none. A branch that follows makes it the name of another text, which the catalogue lacks.
func (l *Lookup) longestKnown(ctx context.Context, r question.Reference, asked []country.Code) (question.Reference, string, error) {
	const fewest = 2 // « code pénal »
	words := strings.Fields(r.Title)
	for n := len(words) - 1; n >= fewest; n-- {
		if len(french.Terms(words[n-1])) == 0 {
			continue // « code de la » ends no name
		}
		shorter := r
		shorter.Title = strings.Join(words[:n], " ")
		_, named, err := l.lookUp(ctx, shorter, asked)
		if err != nil {
			return r, "", err
		}
		if len(named) == 0 {
			continue
		}
		beyond := strings.Join(words[n:], " ")
		next := strings.Fields(ties.ReplaceAllString(law.Fold(beyond), ""))
		if len(next) > 0 && slices.ContainsFunc(french.Terms(next[0]), func(t string) bool { return branches()[t] }) {
			return r, "", nil
		}
		if rest, ok := strings.CutSuffix(strings.ToLower(strings.Join(strings.Fields(r.Name), " ")), " "+beyond); ok {
			shorter.Name = string([]rune(strings.Join(strings.Fields(r.Name), " "))[:len([]rune(rest))])
		}
		return shorter, beyond, nil
	}
	return r, "", nil
}

// filter removes the texts that the filters of a question exclude.
func (m Mention) filter(f law.Filters) Mention {
	admitted := keepGood(m.Texts, func(t Candidate) bool { return t.Admitted(f) })
	if len(admitted) == 0 {
		m.Barred = m.Texts
	}
	m.Texts = admitted
	return m
}

// ofConversation returns the text that the filters give, else the one that was named last.
func (l *Lookup) ofConversation(ctx context.Context, q Question) ([]Candidate, error) {
	if q.Filters.DocumentID != nil {
		t, ok, err := l.ByID(ctx, *q.Filters.DocumentID)
		if !ok {
			return nil, err
		}
		return []Candidate{t}, err
	}
	var failed error
	last, ok := q.Before.LastText(func(r question.Reference) bool {
		if failed != nil {
			return false
		}
		var known []Candidate
		known, _, failed = l.lookUp(ctx, r, nil)
		return len(known) > 0
	})
	if !ok || failed != nil {
		return nil, failed
	}
	texts, _, err := l.lookUp(ctx, last, q.Asked.Countries)
	return texts, err
}

// Typed is what the words say that a person has typed into a search.
type Typed struct {
	Texts    []uuid.UUID             // those whose short names are among them: « moudawana », « AUSCGIE »
	Rest     string                  // the words that are left without these names; all if there are none
	Articles []postgres.NamedArticle // those they name: « code du travail, art. 36 »; the articles that have changed one follow it
}

// mostNamed is the maximum number of articles that words name: several codes may have the name, and a list may be long.
const mostNamed = 10

// InTyped reads what a person has typed into a search. Articles are those of texts of a country, "" for any, on a day.
func InTyped(ctx context.Context, db *postgres.DB, typed, owner string, today time.Time) (t Typed, err error) {
	t.Rest = typed
	names, err := db.GivenNames(ctx)
	if err != nil {
		return t, err
	}
	called, rest := question.Names(typed, names)
	list, err := textsCalled(ctx, db, called)
	if err != nil {
		return t, err
	}
	for _, c := range list {
		t.Texts, t.Rest = append(t.Texts, c.Document.ID), rest
	}
	t.Articles, err = articlesTyped(ctx, db, typed, names, owner, today)
	return t, err
}

func articlesTyped(ctx context.Context, db *postgres.DB, typed string, names []naming.Given, owner string, today time.Time) (list []postgres.NamedArticle, err error) {
	asked := question.Read(typed, question.Conversation{Names: names})
	asked.References = slices.DeleteFunc(asked.References, func(r question.Reference) bool { return len(r.Articles) == 0 || !r.NamesText() })
	mentions, err := NewLookup(db).Resolve(ctx, Question{Asked: &asked, Filters: law.Filters{Country: owner}, Today: today})
	if err != nil {
		return nil, err
	}
	for _, m := range mentions {
		for _, t := range m.Texts {
			articles, err := db.ReadArticlesNumbered(ctx, t.Document.ID, m.Articles, today)
			if err != nil && !errs.Is(err, errs.NotFound) { // deleted meanwhile
				return nil, err
			}
			for _, a := range articles {
				list = append(list, postgres.NamedArticle{Text: t.Document.ID, ID: a.ID})
				if a.Assembled == nil {
					continue
				}
				for _, e := range a.Assembled.Evidence { // an inserted article has words only in the act
					if e.Article != nil {
						list = append(list, postgres.NamedArticle{Text: a.Assembled.Act, ID: *e.Article})
					}
				}
			}
		}
	}
	return list[:min(len(list), mostNamed)], nil
}

// Suggest completes what a person is typing, as (*postgres.DB).SuggestTitles does, and, if no title begins so, by the
// short names that begin so.
func Suggest(ctx context.Context, db *postgres.DB, typed, owner string, limit int) (items []law.Document, alike bool, err error) {
	items, alike, err = db.SuggestTitles(ctx, typed, owner, limit)
	if err != nil || len(items) > 0 && !alike {
		return items, alike, err
	}
	names, err := db.GivenNames(ctx)
	if err != nil {
		return nil, false, err
	}
	var called []question.Reference
	for _, n := range question.Begun(typed, names) {
		found, _ := question.Names(n.Name, names)
		called = append(called, found...)
	}
	list, err := textsCalled(ctx, db, called)
	if err != nil || len(list) == 0 {
		return items, alike, err
	}
	items = items[:0]
	for _, t := range list[:min(len(list), limit)] {
		items = append(items, t.Document)
	}
	return items, false, nil
}

// Effect is what a name would change that somebody wants to give to a text.
type Effect struct {
	Texts     []law.Document   // that it would mean
	Already   []law.Document   // others that it means without being given
	Unread    bool             // whether it has no words
	Common    bool             // whether its words are in every question
	Said      *postgres.Saying // a place of other texts whose words would mean it; nil: none
	Questions int              // that were asked with its words and answered by other texts
}

// Limits of what EffectOf reads.
const (
	mostSayings   = 100
	mostQuestions = 10_000
)

// EffectOf finds what a name would change.
func EffectOf(ctx context.Context, db *postgres.DB, n naming.Given) (e Effect, err error) {
	meaning, ok := read.Stands(n)
	if e.Unread = !read.Means(n.Name, n); !ok || e.Unread {
		return e, nil
	}
	meant, err := textsCalled(ctx, db, []question.Reference{meaning})
	if err != nil {
		return e, err
	}
	ids := make([]uuid.UUID, len(meant))
	for i, t := range meant {
		ids[i] = t.Document.ID
		e.Texts = append(e.Texts, t.Document)
	}
	already, err := textsCalled(ctx, db, slices.DeleteFunc(question.References(n.Name), func(r question.Reference) bool { return !r.NamesText() }))
	if err != nil {
		return e, err
	}
	for _, t := range already {
		if !slices.Contains(ids, t.Document.ID) {
			e.Already = append(e.Already, t.Document)
		}
	}
	query := fulltext.Parse(`"` + strings.ReplaceAll(n.Name, `"`, " ") + `"`)
	if e.Common = query.Empty(); e.Common {
		return e, nil
	}
	places, err := db.Sayings(ctx, query.All(), ids, mostSayings)
	if err != nil {
		return e, err
	}
	for i, s := range places {
		if read.Means(s.Text, n) {
			e.Said = &places[i]
			break
		}
	}
	asked, err := db.AnsweredByOthers(ctx, n.Name, ids, mostQuestions)
	for _, q := range asked {
		if read.Means(q, n) {
			e.Questions++
		}
	}
	return e, err
}

// textsCalled returns the texts that references mean, in their order.
func textsCalled(ctx context.Context, source Source, called []question.Reference) (found []Candidate, err error) {
	l, seen := NewLookup(source), map[uuid.UUID]bool{}
	for _, r := range called {
		texts, _, err := l.lookUp(ctx, r, nil)
		if err != nil {
			return nil, err
		}
		for _, t := range texts {
			if !seen[t.Document.ID] {
				seen[t.Document.ID] = true
				found = append(found, t)
			}
		}
	}
	return found, nil
}

// mostOfName is the maximum number of texts that one name may mean. A name that fits more is the name of a kind of
// text.
const mostOfName = 5

// fewestTerms is the minimum number of terms of a phrase without a year that a title must contain: the kind of text,
// and two words of its subject.
const fewestTerms = 3

// meantAmong returns the texts that a reference in a question means among those that have its name, in their order.
// asked are the countries that the question names; if there are any, only their law is meant.
func meantAmong(named []Candidate, r question.Reference, asked []country.Code) []Candidate {
	if r.Number == "" && r.Title != "" && r.Type != "" && r.Type != law.Code {
		// a decree about the constitution is not the constitution; laws enact codes
		named = keepGood(named, func(t Candidate) bool { return t.Document.Type == r.Type })
	}
	found := keepGood(named, func(t Candidate) bool { return t.Fits(asked) })
	if len(asked) > 0 {
		found = preferGood(found, func(t Candidate) bool { return len(t.codes) > 0 })
	}
	if len(found) > mostOfName && r.Number == "" {
		return nil
	}
	return found
}

// byName returns the texts with the number, the date, the year or the title of a reference.
func byName(all []Candidate, r question.Reference) (found []Candidate) {
	switch {
	case r.Number != "":
		return byNumber(all, r)
	case r.Draft:
		return nil
	case r.Title != "":
		terms, _ := country.Content(r.Title) // stemmed once, as titles are, because the stem of a stem may differ (« procédure »)
		if found = byTitle(all, r, terms); r.Year != 0 && !strings.HasSuffix(r.Title, strconv.Itoa(r.Year)) {
			return keepGood(found, func(t Candidate) bool { return ofYear(t, r.Year) })
		}
		return found
	case !r.Date.IsZero():
		return ofKind(all, r, func(t Candidate) bool { return t.Document.Promulgated.Equal(r.Date) })
	case r.Year != 0:
		found = ofKind(all, r, func(t Candidate) bool { return t.Document.Promulgated.Year() == r.Year })
		if r.Phrase != "" {
			return longest(found, phraseTerms(r.Phrase), 1)
		}
		return found
	case r.Phrase != "":
		return longest(all, phraseTerms(r.Phrase), fewestTerms)
	}
	return nil
}

// ofYear reports whether a text is called by a year: that of its day, of its edition, or one in its title.
func ofYear(t Candidate, year int) bool {
	return t.Document.Promulgated.Year() == year || t.Document.AsOf != nil && t.Document.AsOf.Year() == year || slices.Contains(t.terms, strconv.Itoa(year))
}

// phraseTerms returns the terms of words that may be a title, without the country or the union that the text belongs to. The
// first words, as « acte uniforme », may name a union, and are part of the title.
func phraseTerms(words string) []string {
	terms := french.Terms(words)
	for _, m := range slices.Backward(country.Mentions(terms)) {
		if m.Start > 0 || !slices.ContainsFunc(m.Codes, country.Union) {
			terms = slices.Delete(terms, m.Start, m.End)
		}
	}
	return terms
}

// byNumber returns the texts with a number, whatever the initials of their authors, that may have the type of the
// reference. Among several it prefers those of the same date, and those with exactly the same number.
func byNumber(all []Candidate, r question.Reference) []Candidate {
	number := french.TextTerm(r.Number)
	found := keepGood(all, func(t Candidate) bool { return t.number != "" && french.SameText(t.number, number) })
	found = keepGood(found, func(t Candidate) bool { return nameOf(t.NamedText).CalledSo(r.Type) })
	if !r.Date.IsZero() {
		found = preferGood(found, func(t Candidate) bool { return t.Document.Promulgated.Equal(r.Date) })
	}
	return preferGood(found, func(t Candidate) bool { return t.number == number })
}

// byTitle returns the texts whose title contains all the terms and, for a code, may be called by them, the shortest
// first. It omits texts that only amend such a text, and texts for which the name is only a part of theirs if another
// text has exactly this name.
func byTitle(all []Candidate, r question.Reference, terms []string) []Candidate {
	if len(terms) == 0 {
		return nil
	}
	found := keepGood(all, func(t Candidate) bool {
		return holds(t.terms, terms) && calledSo(t, r)
	})
	found = preferGood(found, func(t Candidate) bool { return r.Type == "" || t.Document.Type == r.Type })
	found = preferGood(found, func(t Candidate) bool { return !amending(t.terms) })
	slices.SortStableFunc(found, func(a, b Candidate) int { return cmp.Compare(len(a.terms), len(b.terms)) })
	return found
}

// calledSo reports whether a text whose title contains the terms of a reference's title may be called by it. For a
// code question.CanBeCalled decides.
func calledSo(t Candidate, r question.Reference) bool {
	if r.Title == "" || r.Number != "" || r.Type != law.Code {
		return true
	}
	terms, _ := country.Content(r.Title)
	return question.CanBeCalled(t.Document.Title, terms)
}

// ofKind returns the good texts that may be called by the type of a reference.
func ofKind(all []Candidate, r question.Reference, good func(Candidate) bool) []Candidate {
	return keepGood(all, func(t Candidate) bool { return nameOf(t.NamedText).CalledSo(r.Type) && good(t) })
}

// longest returns the texts that contain the most of the first terms of a phrase, but at least fewest. The name of
// the text ends somewhere within the phrase.
func longest(all []Candidate, terms []string, fewest int) (found []Candidate) {
	best := 0
	for _, t := range all {
		n := 0
		for n < len(terms) && slices.Contains(t.terms, terms[n]) {
			n++
		}
		switch {
		case n < fewest || n < best:
		case n > best:
			best, found = n, []Candidate{t}
		default:
			found = append(found, t)
		}
	}
	return preferGood(found, func(t Candidate) bool { return !amending(t.terms) })
}

func holds(terms, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(w string) bool { return !slices.Contains(terms, w) })
}

// amending reports whether a title announces a change of another text.
func amending(terms []string) bool { return naming.Amending(terms) }

func keepGood(all []Candidate, good func(Candidate) bool) (out []Candidate) {
	for _, t := range all {
		if good(t) {
			out = append(out, t)
		}
	}
	return out
}

// preferGood returns the good texts, or all if none is good.
func preferGood(all []Candidate, good func(Candidate) bool) []Candidate {
	if kept := keepGood(all, good); len(kept) > 0 {
		return kept
	}
	return all
}
