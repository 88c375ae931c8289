// Package question parses a question once: its language, the texts and articles it refers to,
// the countries and dates it names, what kind of answer it asks for, whether it is only a
// greeting, and whether it depends on earlier messages. Search, ranking, gate and generators
// use the value returned by Read and do not parse the question again.
//
// All functions depend only on their arguments and on embedded tables (abbreviations of texts,
// names of countries, letter frequencies of languages). Which text of the catalogue a reference
// means is decided by package named: a Reference only says how the question names it. Questions are
// untrusted: any bytes are accepted, in time linear in their number.
package question

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/law/naming"
)

// Question is a parsed question.
type Question struct {
	Text     string // the normalized question, to which offsets refer
	Language Language
	Courtesy Courtesy // the kind of courtesy, if the message is nothing else
	Empty    bool     // it contains no letter: « ? », « 42 », a smiley

	References []Reference    // references in the question, then those that it makes by pointing back
	Terms      []string       // its terms, without the names of countries
	Countries  []country.Code // the countries that it names, else the one that the asker chose
	Replaces   int            // number of earlier questions that it replaces by asking for another day
	Day        *time.Time     // the day whose law it asks about, midnight UTC; nil if it does not say
	Undated    bool           // whether it asks about the law of the past without naming a day

	dayAt [2]int // byte range of the words that give the day

	Kind    Kind
	Figures french.Figures  // the kinds of figures that would answer it
	Offers  french.Offers   // the kinds of statements that would answer it
	Counted string          // the term of what « combien de … » counts, "" for none
	Status  Aspect          // what it asks about the state of a text, 0 for nothing
	Names   map[string]bool // terms that it writes with a capital, without first words of sentences
	Asking  map[string]bool // terms of the sentences that end with a question mark, in Earlier too
	Request Request         // what it wants done
	Unnamed bool            // it refers to a text that nobody has named: « cette loi »
	Hurt    bool            // the asker tells of violence, or wants to die
	Own     bool            // it is about the asker's own case
	Leans   bool            // it depends on the conversation

	// Earlier holds the earlier questions that it depends on, the last first, or "". The next fields are the terms and
	// countries of Earlier.
	Earlier          string
	EarlierTerms     []string
	EarlierCountries []country.Code
}

// Conversation is what was said before a question, oldest first. Answers holds the answers to the questions
// of Asked, and may be shorter. Country is the country that the asker chose beforehand, "" for none. Today is the day of
// the question, midnight UTC: « l'an dernier » depends on it. If it is zero, such words do not say which day they mean.
type Conversation struct {
	Asked   []string
	Answers []string
	Country country.Code
	Today   time.Time
	Names   []naming.Given // what operators call texts
}

// Read parses a question in its conversation.
func Read(text string, before Conversation) Question {
	text, before = normalize(text), before.normalize()
	text, before, replaced := before.onAnotherDay(text)
	folded := law.Fold(text)
	q := Question{Text: text, Replaces: replaced, Language: languageOf(text), Courtesy: courtesyOf(folded),
		Figures: french.Asks(text), Offers: french.AsksFor(text), Counted: countedTerm(text), Names: properNames(text),
		Hurt: inDistress.MatchString(folded), Own: personal.MatchString(folded)}
	q.Empty = !strings.ContainsFunc(text, unicode.IsLetter)
	if q.Terms, q.Countries = Content(text); q.Countries == nil {
		q.Countries = elsewhere(text)
	}
	q.Request = requestOf(folded, q.Terms)
	if q.Countries == nil && before.Country != "" {
		q.Countries = []country.Code{before.Country}
	}
	own := withOwners(text, References(text, before.Names...))
	q.References = slices.Concat(own, before.pointedAt(folded, own))
	q.Leans = dependsOnConversation(text, before.saidBefore(len(before.Asked))) && (pointsBack.MatchString(strings.TrimSpace(folded)) || !slices.ContainsFunc(own, Reference.NamesText))
	q.Unnamed = len(q.References) == 0 && pointsNowhere(folded)
	asks := timeIn(text, own, before.Today)
	q.Day, q.Undated, q.dayAt = asks.day, asks.undated, asks.at
	q.References = slices.DeleteFunc(q.References, func(r Reference) bool { return r.Alone && asks.at[0] <= r.Start && r.End <= asks.at[1] }) // « en 02/2015 »
	q.Status = aspectOf(text, own)
	q.Kind = kindOf(folded, q)
	if len(before.Asked) > 0 && q.Leans {
		q.Earlier = before.earlier(q.Countries)
		q.EarlierTerms, q.EarlierCountries = Content(q.Earlier)
		if q.Day == nil && !asks.now {
			if q.Day = before.lastDay(); q.Day != nil {
				q.Undated = false
			}
		}
	}
	q.Asking = askingTerms(text + "\n" + q.Earlier)
	if q.Status != 0 && !slices.ContainsFunc(q.References, Reference.NamesText) {
		q.addPointedText(before)
	}
	return q
}

// addPointedText adds the text that the conversation named last to a question about the status of « elle ». If there is
// no such text, the question asks for no status.
func (q *Question) addPointedText(before Conversation) {
	last, ok := before.lastNamed(Reference.NamesText)
	if !ok {
		q.Status = 0
		return
	}
	if len(q.References) == 0 && !strings.Contains(law.Fold(q.Text), "article") {
		last.Articles, last.Parts = nil, nil
	}
	var articles, parts []string // « l'article 5 et l'article 6 sont-ils en vigueur ? »
	for _, r := range q.References {
		articles, parts = append(articles, r.Articles...), append(parts, r.Parts...)
	}
	if len(articles) > 0 {
		last.Articles, last.Parts = articles, parts
	}
	last.Pointed = true
	q.References = []Reference{last}
}

// AskedCountries returns the countries that the question is about: those that it names, else the one that the asker
// chose, else those of the questions that it depends on.
func (q Question) AskedCountries() []country.Code {
	if q.Countries != nil {
		return q.Countries
	}
	return q.EarlierCountries
}

// Meant returns the text whose meaning is searched for: the questions that this one depends on, then the
// question.
func (q Question) Meant() string {
	if q.Earlier != "" {
		return q.Earlier + " " + q.Text
	}
	return q.Text
}

// Content returns the terms of a text without the names of countries, and these countries.
func Content(text string) (terms []string, countries []country.Code) {
	all := french.Terms(text)
	at := 0
	for _, m := range country.Mentions(all) {
		terms = append(terms, all[at:m.Start]...)
		countries = append(countries, m.Codes...)
		at = m.End
	}
	return append(terms, all[at:]...), countries
}
