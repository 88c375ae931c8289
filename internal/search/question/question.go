// Package question parses a question once: its language, the texts and articles it refers to,
// the countries and dates it names, what kind of answer it asks for, whether it is only a
// greeting, and whether it depends on earlier messages. Search, ranking, gate and generators
// use the value returned by Read and do not parse the question again.
//
// All functions depend only on their arguments and on embedded tables (abbreviations of texts,
// names of countries, letter frequencies of languages). Which text of the catalogue a reference
// means is resolved elsewhere: a Reference only says how the question names it. Questions are
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
)

// Question is what a question says.
type Question struct {
	Text     string // as plain writes it; places are its bytes
	Language Language
	Courtesy Courtesy // what it is when it is nothing else
	Empty    bool     // it has no word of any language: « ? », « 42 », a smiley

	References []Reference    // own ones and those it points back at, in order
	Terms      []string       // its terms but the names of countries
	Countries  []country.Code // that it names
	Day        *time.Time     // the day whose law it asks about, midnight UTC; nil: it does not say

	dayAt [2]int // where it says the day

	Kind    Kind
	Figures french.Figures  // the kinds of figures that would answer it
	Counted string          // the term of what « combien de … » counts, "" for none
	Status  Aspect          // what of a text's life it asks for, 0 for nothing
	Names   map[string]bool // terms that it writes with a capital, its first word aside
	Asking  map[string]bool // terms of the sentences that end with a question mark, those it leans on too
	Lawless bool            // no law answers it, whatever words it shares with one
	Own     bool            // it asks about a case of the asker's own
	Leans   bool            // it needs what was said before

	// Earlier are the earlier questions that it leans on, the last first, with what
	// they say; "" when it stands by itself.
	Earlier          string
	EarlierTerms     []string
	EarlierCountries []country.Code
}

// Conversation is what was said before a question, oldest first: Answers has the
// answer to each question of Asked, as far as there are.
type Conversation struct {
	Asked   []string
	Answers []string
}

// Read reads a question in its conversation.
func Read(text string, before Conversation) Question {
	text, before = asked(text), before.plain()
	folded := law.Fold(text)
	q := Question{Text: text, Language: languageOf(text), Courtesy: courtesyOf(folded),
		Figures: french.Asks(text), Counted: counted(text), Names: properNames(text),
		Lawless: lawless(folded), Own: personal.MatchString(folded)}
	q.Empty = !strings.ContainsFunc(text, unicode.IsLetter)
	q.Terms, q.Countries = Content(text)
	own := References(text)
	q.References = slices.Concat(own, before.pointedAt(folded, own))
	q.Leans = leaning(text, before.said(len(before.Asked))) && (leans.MatchString(strings.TrimSpace(folded)) || !slices.ContainsFunc(own, Reference.NamesText))
	q.Day, q.dayAt = dayOf(text, own)
	q.Status = aspectOf(text, own)
	q.Kind = kindOf(folded, q)
	if len(before.Asked) > 0 && q.Leans {
		q.Earlier = before.earlier(q.Countries)
		q.EarlierTerms, q.EarlierCountries = Content(q.Earlier)
	}
	q.Asking = askingTerms(text + "\n" + q.Earlier)
	if q.Status != 0 && !slices.ContainsFunc(q.References, Reference.NamesText) {
		q.lean(before)
	}
	return q
}

// lean gives a question for the status of « elle » the text that the conversation
// named last; without one it asks for no status.
func (q *Question) lean(before Conversation) {
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

// AskedCountries are the countries that are asked about: those that the question names, else
// those of the questions that it leans on.
func (q Question) AskedCountries() []country.Code {
	if q.Countries != nil {
		return q.Countries
	}
	return q.EarlierCountries
}

// Meant is the text whose meaning is searched: the question, after those that it
// leans on.
func (q Question) Meant() string {
	if q.Earlier != "" {
		return q.Earlier + " " + q.Text
	}
	return q.Text
}

// Content returns the terms of a text but the names of countries, and these.
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
