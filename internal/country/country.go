// Package country tells whose law a text is and whose law a question asks about,
// from the names that French has for countries, for their people and for their
// chief towns, and for the unions whose law is theirs too (OHADA, UEMOA, CEMAC).
//
// A state that the table has not, such as an invented one, has a code of its own,
// made of the name that it gives itself (Unlisted): its law is not that of another.
//
// Everything is a pure function of the words given; what names no country is no
// country's and fits any question.
package country

import (
	_ "embed" // the table of names
	"slices"
	"strings"
	"sync"

	"vigueur/internal/french"
)

//go:embed names.txt
var namesText string

// Code names a country, or a union of countries: « cm », « ohada ».
type Code string

// names knows the names. It is read-only once made.
type names struct {
	byFirst map[string][]name // by the first term
	members map[Code][]Code   // union -> countries
	shown   map[Code]string   // what people call it
}

type name struct {
	terms []string
	codes []Code
}

// table is what the program carries, read when it is first asked for.
var table = sync.OnceValue(read)

func read() *names {
	t := &names{byFirst: make(map[string][]name), members: make(map[Code][]Code), shown: make(map[Code]string)}
	for line := range strings.Lines(namesText) {
		line = strings.TrimSpace(line)
		code, list, ok := strings.Cut(line, ":")
		if !ok || line[0] == '#' {
			continue
		}
		own, members, _ := strings.Cut(code, "=")
		for m := range strings.FieldsSeq(members) {
			t.members[Code(strings.TrimSpace(own))] = append(t.members[Code(strings.TrimSpace(own))], Code(m))
		}
		first, _, _ := strings.Cut(list, ",")
		t.shown[Code(strings.TrimSpace(own))] = strings.TrimSpace(first)
		for n := range strings.SplitSeq(list, ",") {
			t.add(french.Terms(n), Code(strings.TrimSpace(own)))
		}
	}
	return t
}

// add notes a name; one that several countries have is all of theirs.
func (t *names) add(terms []string, code Code) {
	if len(terms) == 0 {
		return
	}
	list := t.byFirst[terms[0]]
	for i := range list {
		if slices.Equal(list[i].terms, terms) {
			if !slices.Contains(list[i].codes, code) { // two forms of one word have one term
				list[i].codes = append(list[i].codes, code)
			}
			return
		}
	}
	list = append(list, name{terms, []Code{code}})
	// The longest first: « Guinée-Bissau » is not Guinea.
	slices.SortStableFunc(list, func(a, b name) int { return len(b.terms) - len(a.terms) })
	t.byFirst[terms[0]] = list
}

// Mention is a name found among terms.
type Mention struct {
	Start, End int // the terms [Start,End)
	Codes      []Code
}

// Mentions finds the names among the terms of a text (without stop words, in
// order).
func Mentions(terms []string) (out []Mention) {
	t := table()
	for i := 0; i < len(terms); i++ {
		for _, n := range t.byFirst[terms[i]] {
			if len(terms)-i >= len(n.terms) && slices.Equal(terms[i:i+len(n.terms)], n.terms) {
				out = append(out, Mention{i, i + len(n.terms), n.codes})
				i += len(n.terms) - 1
				break
			}
		}
	}
	return out
}

// Fits tells whether a text that is the law of the given countries may answer a
// question about the asked ones: it is of one of them, or of a union that one of
// them belongs to. No country on either side fits any.
func Fits(asked, of []Code) bool {
	t := table()
	if len(asked) == 0 || len(of) == 0 {
		return true
	}
	for _, a := range asked {
		for _, o := range of {
			if a == o || slices.Contains(t.members[o], a) {
				return true
			}
		}
	}
	return false
}

// Name is what people call a country or a union: « Bénin », or the name that a state
// which the table has not gives itself; "" for what is no code.
func Name(c Code) string {
	if name, unlisted := strings.CutPrefix(string(c), unlistedMark); unlisted {
		return name
	}
	return table().shown[c]
}

// Union tells whether a code names a union of countries.
func Union(c Code) bool { return len(table().members[c]) > 0 }

// Tally counts what a text mentions, to tell whose law it is. The zero value is
// ready.
type Tally map[Code]float64

// How clearly a text must speak of a country to be its law.
const (
	fewest  = 2   // mentions, weighted
	clearly = 0.4 // of the mentions of the country most spoken of
)

// Add counts mentions, each as much as weight says.
func (c Tally) Add(mentions []Mention, weight float64) {
	for _, m := range mentions {
		for _, code := range m.Codes {
			c[code] += weight
		}
	}
}

// Of gives the countries that the text speaks of most: one, or several when it
// speaks of them nearly as much, as a convention does. Nil when it hardly speaks
// of any.
func (c Tally) Of() []Code {
	most := 0.0
	for _, n := range c {
		most = max(most, n)
	}
	if most < fewest {
		return nil
	}
	var out []Code
	for code, n := range c {
		if n >= clearly*most {
			out = append(out, code)
		}
	}
	slices.Sort(out)
	return out
}
