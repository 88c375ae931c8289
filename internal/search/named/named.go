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
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/law/naming"
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

// Text is a text of the catalogue, with its name prepared for comparisons.
type Text struct {
	postgres.NamedText
	number string   // the term of its number
	terms  []string // the terms of its title
	codes  []country.Code
}

// TextOf prepares the name of a text of the catalogue for comparisons.
func TextOf(n postgres.NamedText) Text {
	n.Document.Title = law.RemoveMarks(n.Document.Title)
	name := nameOf(n)
	return Text{NamedText: n, number: french.TextTerm(n.Document.OfficialNumber), terms: name.Terms(), codes: name.Codes()}
}

// nameOf returns the data by which a text may be named.
func nameOf(n postgres.NamedText) naming.Text {
	d := n.Document
	return naming.Text{Title: d.Title, Nature: d.Nature, Number: d.OfficialNumber, Type: d.Type, Promulgated: d.Promulgated, Countries: n.Countries}
}

// Admitted reports whether the filters of a question admit a text.
func (t Text) Admitted(f law.Filters) bool {
	d := t.Document
	return f.Admit(d.ID, d.Domain, d.Type, d.Status)
}

// Fits reports whether a text may be meant by a question that names some countries (see
// country.Fits).
func (t Text) Fits(asked []country.Code) bool { return country.Fits(asked, t.codes) }

// MeantBy reports whether a reference in the words of a law means the text.
func (t Text) MeantBy(r law.Reference) bool {
	if r.Number == "" {
		terms, _ := question.Content(r.Title)
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
	Texts  []Text // the texts that it means, the likeliest first; at most MostTexts
	More   bool   // it means more texts than Texts has
	Barred []Text // the texts that it would mean without the filters of the question
	// Alike are texts that have the name but are not meant: too many have it, or they are law
	// of other countries than the question is about, or of another type (a decree about a
	// constitution). There may be more of them.
	Alike []Text
}

// WithName returns the texts that have the name: those that the mention means, or if there
// are none, those that it might mean.
func (m Mention) WithName() []Text {
	for _, texts := range [][]Text{m.Texts, m.Barred} {
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
	fits := func(t Text) bool { return t.Fits(asked) }
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
		title, _ := question.Content(r.Title)
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
		if len(m.Texts)+len(m.Barred) > 0 || !doubt {
			out = append(out, m)
		}
	}
	return out, nil
}

// FindCalled returns the texts of the countries that are meant by the name that a law gives another text: « Constitution »,
// « code du travail ».
func (l *Lookup) FindCalled(ctx context.Context, name string, of []country.Code) ([]Text, error) {
	references := question.Read(name, question.Conversation{}).References
	if len(references) == 0 || !references[0].NamesText() {
		return nil, nil
	}
	texts, _, err := l.lookUp(ctx, references[0], of)
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
	if len(texts) == 0 {
		return Mention{Reference: r, Alike: named}, nil
	}
	return Mention{Reference: r, Texts: texts[:min(len(texts), MostTexts)], More: len(texts) > MostTexts}.filter(q.Filters), nil
}

// filter removes the texts that the filters of a question exclude.
func (m Mention) filter(f law.Filters) Mention {
	admitted := keepGood(m.Texts, func(t Text) bool { return t.Admitted(f) })
	if len(admitted) == 0 {
		m.Barred = m.Texts
	}
	m.Texts = admitted
	return m
}

// ofConversation returns the text that the filters give, else the one that was named last.
func (l *Lookup) ofConversation(ctx context.Context, q Question) ([]Text, error) {
	if q.Filters.DocumentID != nil {
		t, ok, err := l.ByID(ctx, *q.Filters.DocumentID)
		if !ok {
			return nil, err
		}
		return []Text{t}, err
	}
	var failed error
	last, ok := q.Before.LastText(func(r question.Reference) bool {
		if failed != nil {
			return false
		}
		var known []Text
		known, _, failed = l.lookUp(ctx, r, nil)
		return len(known) > 0
	})
	if !ok || failed != nil {
		return nil, failed
	}
	texts, _, err := l.lookUp(ctx, last, q.Asked.Countries)
	return texts, err
}
