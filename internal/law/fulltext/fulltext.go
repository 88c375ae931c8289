// Package fulltext prepares a search by words for a store that holds the index: the words of
// a text with their positions, the query for a question, and the excerpt of a text to show
// with its matches.
//
// Words are those of package french, as in answers. The formats are PostgreSQL's (tsvector,
// tsquery): a word has positions from 1, each with a label A to D for the part of the text it
// occurs in. All functions are pure.
package fulltext

import (
	"cmp"
	"slices"

	"vigueur/internal/law/french"
)

// Analysis numbers how words are made of a text. Whoever changes that changes it:
// stores make the words of all texts anew.
const Analysis = 2

// Label says what part of a text a word stands in. PostgreSQL's own weights of the
// labels are 1, 0.4, 0.2 and 0.1.
type Label byte

// The labels.
const (
	Name     Label = 'A' // the number and title of an article, the title of a text
	Headings Label = 'B' // the headings above an article
	Body     Label = 'C' // the words of an article
	Above    Label = 'D' // of an article: the title and number of its text
)

// Part is a text with its label.
type Part struct {
	Text  string
	Label Label
}

// Place is where a word stands.
type Place struct {
	Position uint16 // from 1
	Label    Label
}

// Lexeme is a word with its places, in ascending order.
type Lexeme struct {
	Word   string
	Places []Place
}

// What PostgreSQL can hold.
const (
	lastPosition = 16383
	mostPlaces   = 255
	longestWord  = 2046 // bytes
)

// apart is how far the first word of a part is from the last of the part before, so
// that no phrase goes from one to the other.
const apart = 8

// Lexemes returns the words of the parts, which follow one another. Stop words have a
// place and are no lexemes. A number of a text is found without the signs of its
// authors too.
func Lexemes(parts ...Part) []Lexeme {
	var a french.Analyzer
	var tokens []french.Token
	places := map[string][]Place{}
	add := func(word string, p Place) {
		if len(word) > longestWord {
			return
		}
		list := places[word]
		if n := len(list); n > 0 && (list[n-1].Position == p.Position || n == mostPlaces) {
			return
		}
		places[word] = append(list, p)
	}
	at := 0
	for _, part := range parts {
		tokens = a.Append(tokens[:0], part.Text)
		for i, t := range tokens {
			if i == 0 || t.Start != tokens[i-1].Start { // a date and its year have one place
				at++
			}
			if t.Stop {
				continue
			}
			place := Place{uint16(min(at, lastPosition)), part.Label}
			add(t.Term, place)
			if stem := french.TextStem(t.Term); t.Kind == french.Text && stem != t.Term {
				add(stem, place)
			}
		}
		at += apart
	}
	out := make([]Lexeme, 0, len(places))
	for word, list := range places {
		out = append(out, Lexeme{word, list})
	}
	slices.SortFunc(out, func(a, b Lexeme) int { return cmp.Compare(a.Word, b.Word) })
	return out
}
