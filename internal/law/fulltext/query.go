package fulltext

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"vigueur/internal/law/french"
)

// Query is what is looked for: words, and phrases whose words follow one another.
type Query struct {
	units []unit
	words map[string]bool // of all units
}

// unit is a word, or the words of a phrase with how far each is from the one before.
type unit struct {
	words []string
	steps []int
}

// Phrases stand between these marks.
var quotes = strings.NewReplacer("«", `"`, "»", `"`, "“", `"`, "”", `"`, "„", `"`)

// Parse reads what a person types. Words between quotation marks are a phrase; an
// opening mark without a closing one is none. « article » before a number is that
// number's. What has no words but stop words is empty.
func Parse(typed string) Query {
	q := Query{words: map[string]bool{}}
	parts := strings.Split(quotes.Replace(typed), `"`)
	for i, part := range parts {
		if quoted := i%2 == 1 && i < len(parts)-1; quoted {
			q.add(phraseOf(part))
			continue
		}
		for _, word := range phraseOf(part).words {
			q.add(unit{words: []string{word}, steps: []int{0}})
		}
	}
	return q
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

// articleWord is the word « article ».
var articleWord = french.Terms("article")[0]

func (q *Query) add(u unit) {
	if len(u.words) == 0 || slices.ContainsFunc(q.units, func(other unit) bool { return slices.Equal(other.words, u.words) }) {
		return
	}
	q.units = append(q.units, u)
	for _, word := range u.words {
		q.words[word] = true
	}
}

// Empty reports whether there is nothing to look for.
func (q Query) Empty() bool { return len(q.units) == 0 }

// Len is how many words and phrases there are.
func (q Query) Len() int { return len(q.units) }

// All is the tsquery of what has every word and phrase, one of them at least in its
// own words and not only in the title of its text; "" of an Empty query.
func (q Query) All() string {
	list := make([]string, len(q.units))
	for i, u := range q.units {
		list[i] = u.spell("")
	}
	return owning(strings.Join(list, " & "), q.units)
}

// Relaxable is how many words of a query are let go in turn, its longest: the more
// often a word is used the shorter it is (Zipf), so these say the most. Others are not
// looked for then. Seven words give no condition of more than 35 parts, which an index
// weighs in milliseconds; ten give 252.
const Relaxable = 7

// Fewer returns the numbers of words to ask for, one after the other, when nothing has
// them all.
func (q Query) Fewer() []int {
	var list []int
	for n := min(len(q.units)-1, Relaxable); n > 0; n-- {
		list = append(list, n)
	}
	return list
}

// telling are the units that a relaxed search looks for.
func (q Query) telling() []unit {
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

// Most is the tsquery of what has at least n of the words and phrases, of the longest
// Relaxable ones. Fewer than one is one, more than there are is all of them; "" of an Empty
// query.
func (q Query) Most(n int) string {
	units := q.telling()
	n = max(1, min(n, len(units)))
	var parts []string
	chosen := make([]string, 0, n)
	var choose func(from int)
	choose = func(from int) {
		if len(chosen) == n {
			parts = append(parts, strings.Join(chosen, " & "))
			return
		}
		for i := from; i <= len(units)-(n-len(chosen)); i++ {
			chosen = append(chosen, units[i].spell(""))
			choose(i + 1)
			chosen = chosen[:len(chosen)-1]
		}
	}
	choose(0)
	return owning(strings.Join(parts, " | "), units)
}

// owning asks for a word outside the title of an article's text as well.
func owning(condition string, units []unit) string {
	if len(units) == 0 {
		return ""
	}
	list := make([]string, len(units))
	for i, u := range units {
		list[i] = u.spell(":ABC")
	}
	return "(" + condition + ") & (" + strings.Join(list, " | ") + ")"
}

// spell writes a unit as a tsquery, each word with the labels given.
func (u unit) spell(labels string) string {
	var b strings.Builder
	for i, word := range u.words {
		if i > 0 {
			fmt.Fprintf(&b, " <%d> ", u.steps[i])
		}
		b.WriteString("'" + escape.Replace(word) + "'" + labels)
	}
	if len(u.words) > 1 {
		return "(" + b.String() + ")"
	}
	return b.String()
}

// escape makes a word one of a tsquery whatever it holds.
var escape = strings.NewReplacer(`'`, `''`, `\`, `\\`)

// Any is the tsquery of what has one of the words or phrases.
func (q Query) Any() string {
	list := make([]string, len(q.units))
	for i, u := range q.units {
		list[i] = u.spell("")
	}
	return strings.Join(list, " | ")
}

// AnyOf is the tsquery of what has one of some words, as Lexemes gives them, at
// least one.
func AnyOf(words []string) string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = "'" + escape.Replace(word) + "'"
	}
	return strings.Join(list, " | ")
}
