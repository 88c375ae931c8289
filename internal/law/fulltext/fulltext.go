// Package fulltext prepares a search by words for a store that holds the index: the words of
// a text with their positions, the query for a question, and the excerpt of a text to show
// with its matches.
//
// Words are normalized by package french, as in answers. The formats are PostgreSQL's (tsvector,
// tsquery): a word has positions from 1, each with a label A to D for the part of the text it
// occurs in. All functions are pure.
package fulltext

import (
	"cmp"
	"slices"

	"vigueur/internal/law/french"
)

// Analysis is the version of how words are made from a text. Whoever changes the result
// must increase it, so that stores make the words of all texts again.
const Analysis = 2

// Label is the part of a text in which a word occurs. PostgreSQL's default weights of A to
// D are 1, 0.4, 0.2 and 0.1.
type Label byte

// The labels.
const (
	Name     Label = 'A' // number and title of an article, or title of a text
	Headings Label = 'B' // headings above an article
	Body     Label = 'C' // text of an article
	Above    Label = 'D' // for an article: title and number of its text
)

// Part is a part of a text with its label.
type Part struct {
	Text  string
	Label Label
}

// Place is one occurrence of a word.
type Place struct {
	Position uint16 // from 1
	Label    Label
}

// Lexeme is a word with its occurrences, in ascending order.
type Lexeme struct {
	Word   string
	Places []Place
}

// Limits of PostgreSQL's tsvector.
const (
	lastPosition = 16383
	mostPlaces   = 255
	longestWord  = 2046 // bytes
)

// apart is the distance between the last word of a part and the first word of the next one,
// so that no phrase matches across parts.
const apart = 8

// Lexemes returns the words of the parts, which follow one another. Stop words take a
// position but are left out. The number of a text is also found without the initials of its
// authors.
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
			if i == 0 || t.Start != tokens[i-1].Start { // a date and its year have the same position
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
