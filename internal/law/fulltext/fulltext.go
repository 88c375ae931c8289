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
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
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
	pos := 0
	for _, part := range parts {
		tokens = a.Append(tokens[:0], part.Text)
		for i, t := range tokens {
			if i == 0 || t.Start != tokens[i-1].Start { // a date and its year have the same position
				pos++
			}
			if t.Stop {
				continue
			}
			place := Place{uint16(min(pos, lastPosition)), part.Label}
			add(t.Term, place)
			if stem := french.TextStem(t.Term); t.Kind == french.Text && stem != t.Term {
				add(stem, place)
			}
		}
		pos += apart
	}
	out := make([]Lexeme, 0, len(places))
	for word, list := range places {
		out = append(out, Lexeme{word, list})
	}
	slices.SortFunc(out, func(a, b Lexeme) int { return cmp.Compare(a.Word, b.Word) })
	return out
}

// Beginnings splits what a person has typed into folded beginnings of words, which consist
// of letters and digits.
func Beginnings(typed string) []string {
	return strings.FieldsFunc(law.Fold(typed), func(r rune) bool { return !isOfWord(r) })
}

func isOfWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// MarkBeginnings returns the places of the words in text that start with one of the
// beginnings.
func MarkBeginnings(text string, beginnings []string) []Mark {
	marks := []Mark{}
	characters, pos := 0, 0
	for pos < len(text) {
		size := strings.IndexFunc(text[pos:], func(r rune) bool { return !isOfWord(r) && !unicode.Is(unicode.Mn, r) })
		switch {
		case size < 0:
			size = len(text) - pos
		case size == 0: // between two words
			_, size = utf8.DecodeRuneInString(text[pos:])
			pos, characters = pos+size, characters+1
			continue
		}
		word := text[pos : pos+size]
		n := utf8.RuneCountInString(word)
		if begins(law.Fold(word), beginnings) {
			marks = append(marks, Mark{characters, characters + n})
		}
		pos, characters = pos+size, characters+n
	}
	return marks
}

func begins(word string, beginnings []string) bool {
	for _, b := range beginnings {
		if strings.HasPrefix(word, b) {
			return true
		}
	}
	return false
}

// Query is what a person searches for: words, and phrases whose words follow one another.
type Query struct {
	units []unit
	words map[string]bool // words of all units
}

// unit is a word, or a phrase: words with the distance of each from the word before it.
// Without steps the words are in any order: those that an acronym stands for, which the law
// separates (« contrat de travail à durée déterminée »).
type unit struct {
	words []string
	steps []int
	other []string // words in any order that mean the same: of an acronym, or the acronym
}

// quotes maps the French and curved quotation marks around phrases to plain ones.
var quotes = strings.NewReplacer("«", `"`, "»", `"`, "“", `"`, "”", `"`, "„", `"`)

// Parse reads what a person has typed. Words between quotation marks are a phrase; an
// opening mark without a closing one is ignored. « article » before a number belongs to the
// number. If there are only stop words, the Query is empty.
func Parse(typed string) Query {
	q := Query{words: map[string]bool{}}
	parts := strings.Split(quotes.Replace(typed), `"`)
	for i, part := range parts {
		if quoted := i%2 == 1 && i < len(parts)-1; quoted {
			q.add(phraseOf(part))
			continue
		}
		words := phraseOf(part).words
		for len(words) > 0 {
			u := firstUnit(words)
			q.add(u)
			words = words[len(u.words):]
		}
	}
	return q
}

// firstUnit returns the unit that begins a list of words outside of a phrase: an acronym or the
// words that one stands for, together with the other, or a word.
func firstUnit(words []string) unit {
	for _, a := range french.Acronyms() {
		if words[0] == a.Term {
			return unit{words: words[:1], steps: []int{0}, other: a.Long}
		}
		if len(words) >= len(a.Long) && slices.Equal(words[:len(a.Long)], a.Long) {
			return unit{words: a.Long, other: []string{a.Term}}
		}
	}
	return unit{words: words[:1], steps: []int{0}}
}

func phraseOf(text string) (u unit) {
	place, last := 0, 0
	tokens := french.Analyze(text)
	for i, t := range tokens {
		if i == 0 || t.Start != tokens[i-1].Start {
			place++
		}
		named := i+1 < len(tokens) && tokens[i+1].Kind == french.Article && t.Term == articleWord
		if t.Stop || named {
			continue
		}
		u.words = append(u.words, t.Term)
		u.steps = append(u.steps, place-last)
		last = place
	}
	return u
}

// articleWord is the term of the word « article ».
var articleWord = french.Terms("article")[0]

func (q *Query) add(u unit) {
	if len(u.words) == 0 || slices.ContainsFunc(q.units, func(other unit) bool { return slices.Equal(other.words, u.words) }) {
		return
	}
	q.units = append(q.units, u)
	for _, word := range slices.Concat(u.words, u.other) {
		q.words[word] = true
	}
}

// Empty reports whether the query has no words.
func (q Query) Empty() bool { return len(q.units) == 0 }

// Len returns the number of words and phrases.
func (q Query) Len() int { return len(q.units) }

// All returns the tsquery for entries with all words and phrases. At least one of them must
// occur outside the title of the article's text. It is "" for an Empty query.
func (q Query) All() string {
	list := make([]string, len(q.units))
	for i, u := range q.units {
		list[i] = u.spell("")
	}
	return requireOwn(strings.Join(list, " & "), q.units)
}

// Relaxable is the maximum number of words in a query that need not all match. Of a longer
// query only the longest words are used: frequent words tend to be short (Zipf), so long
// words say more. With seven words a condition has at most 35 parts, which an index
// evaluates in milliseconds; with ten words it would have 252.
const Relaxable = 7

// Fewer returns the numbers of words to require, one after the other, if nothing has all
// words.
func (q Query) Fewer() []int {
	var list []int
	for n := min(len(q.units)-1, Relaxable); n > 0; n-- {
		list = append(list, n)
	}
	return list
}

// tellingUnits returns the units that a relaxed search uses.
func (q Query) tellingUnits() []unit {
	if len(q.units) <= Relaxable {
		return q.units
	}
	units := slices.Clone(q.units)
	slices.SortStableFunc(units, func(a, b unit) int { return cmp.Compare(b.length(), a.length()) })
	return units[:Relaxable]
}

func (u unit) length() (n int) {
	for _, word := range u.words {
		n += utf8.RuneCountInString(word)
	}
	return n
}

// Most returns the tsquery for entries with at least n of the query's words and phrases; of
// a long query, it uses the Relaxable longest ones. n is raised to 1 or lowered to the
// number of units if necessary. It is "" for an Empty query.
func (q Query) Most(n int) string {
	units := q.tellingUnits()
	n = max(1, min(n, len(units)))
	var parts []string
	chosen := make([]string, 0, n)
	var choose func(start int)
	choose = func(start int) {
		if len(chosen) == n {
			parts = append(parts, strings.Join(chosen, " & "))
			return
		}
		for i := start; i <= len(units)-(n-len(chosen)); i++ {
			chosen = append(chosen, units[i].spell(""))
			choose(i + 1)
			chosen = chosen[:len(chosen)-1]
		}
	}
	choose(0)
	return requireOwn(strings.Join(parts, " | "), units)
}

// requireOwn adds to a condition that at least one unit must occur outside the title of the
// article's text.
func requireOwn(condition string, units []unit) string {
	if len(units) == 0 {
		return ""
	}
	list := make([]string, len(units))
	for i, u := range units {
		list[i] = u.spell(":ABC")
	}
	return "(" + condition + ") & (" + strings.Join(list, " | ") + ")"
}

// spell writes a unit as a tsquery. Each word is restricted to the given labels.
func (u unit) spell(labels string) string {
	var b strings.Builder
	write := func(words []string, steps []int) {
		for i, word := range words {
			switch {
			case i == 0:
			case steps == nil:
				b.WriteString(" & ")
			default:
				fmt.Fprintf(&b, " <%d> ", steps[i])
			}
			b.WriteString("'" + escape.Replace(word) + "'" + labels)
		}
	}
	write(u.words, u.steps)
	if len(u.other) > 0 { // & binds more closely than |
		b.WriteString(" | ")
		write(u.other, nil)
	}
	if len(u.words)+len(u.other) > 1 {
		return "(" + b.String() + ")"
	}
	return b.String()
}

// escape escapes the characters of a word that have a meaning in a tsquery.
var escape = strings.NewReplacer(`'`, `''`, `\`, `\\`)

// Any returns the tsquery for entries with at least one of the words or phrases.
func (q Query) Any() string {
	list := make([]string, len(q.units))
	for i, u := range q.units {
		list[i] = u.spell("")
	}
	return strings.Join(list, " | ")
}

// AnyOf returns the tsquery for entries with at least one of the words. The words have the
// form that Lexemes returns, and there is at least one.
func AnyOf(words []string) string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = "'" + escape.Replace(word) + "'"
	}
	return strings.Join(list, " | ")
}
