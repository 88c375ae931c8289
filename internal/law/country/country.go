// Package country determines to which country a text belongs and about which country a
// question asks, from the French names of countries, their people and their main cities,
// and of unions whose law applies in their member states (OHADA, UEMOA, CEMAC).
//
// A state that is not in the table, such as an invented one, gets its own code, made from
// the name it gives itself (Unlisted), so that its law never counts as another country's.
//
// All functions depend only on their arguments. A text that names no country belongs to
// none and fits any question.
package country

import (
	_ "embed" // the table of names
	"maps"
	"slices"
	"strings"
	"sync"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law/french"
)

//go:embed names.txt
var namesText string

// Code is the code of a country, or of a union of countries: « cm », « ohada ».
type Code string

// names is an index of the names. It is read-only once built.
type names struct {
	byFirst map[string][]name // by the first term
	members map[Code][]Code   // union -> countries
	shown   map[Code]string   // display name
}

type name struct {
	terms []string
	codes []Code
}

// table returns the embedded table, which is parsed on first use.
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

// add adds a name, which several countries may share.
func (t *names) add(terms []string, code Code) {
	if len(terms) == 0 {
		return
	}
	list := t.byFirst[terms[0]]
	for i := range list {
		if slices.Equal(list[i].terms, terms) {
			if !slices.Contains(list[i].codes, code) { // several forms of one word may give the same term
				list[i].codes = append(list[i].codes, code)
			}
			return
		}
	}
	list = append(list, name{terms, []Code{code}})
	// Longest first, so that « Guinée-Bissau » is not taken for Guinea.
	slices.SortStableFunc(list, func(a, b name) int { return len(b.terms) - len(a.terms) })
	t.byFirst[terms[0]] = list
}

// Mention is a name found among terms.
type Mention struct {
	Start, End int // the terms [Start,End)
	Codes      []Code
}

// Mentions finds the names among the terms of a text (in order, without stop words).
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

// In finds the names in a text. Names of languages are none: a bilingual law is published « en français et en anglais ».
func In(text string) []Mention { return Mentions(french.Terms(languages.ReplaceAllString(text, " "))) }

var languages = lazyre.New(`(?i)\b(?:en|langues?)\s+(?:français|anglais|espagnol|portugais|allemand|italien)e?s?(?:[^\p{L}]|$)`)

// Fits reports whether a text may answer a question. asked are the countries that the
// question is about; of are the countries and unions whose law the text is. The text must
// be the law of an asked country, or of a union that has an asked country as a member. If
// either list is empty, the text fits.
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

// Fitting lists the countries and unions whose law may answer a question about the asked
// countries: these countries, and the unions of which they are members. Fits accepts
// exactly the texts of these countries and unions, and the texts of no country.
func Fitting(asked []Code) []Code {
	out := slices.Clone(asked)
	for union, members := range table().members {
		if slices.ContainsFunc(asked, func(a Code) bool { return slices.Contains(members, a) }) {
			out = append(out, union)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Name returns the display name of a country or union: « Bénin ». For an unlisted state it
// is the state's own name, for an unknown code "".
func Name(c Code) string {
	if name, unlisted := strings.CutPrefix(string(c), unlistedMark); unlisted {
		return name
	}
	return table().shown[c]
}

// List returns the codes of the countries and unions of the table, in order.
func List() []Code { return slices.Sorted(maps.Keys(table().shown)) }

// IsListed reports whether the table has a code.
func IsListed(c Code) bool { return table().shown[c] != "" }

// Parse returns the code that a person wrote, in either case (« BF »). ok is false unless it is in the table or has
// the form of an unlisted state's.
func Parse(written string) (c Code, ok bool) {
	written = strings.TrimSpace(written)
	if name, unlisted := strings.CutPrefix(written, unlistedMark); unlisted {
		return Code(written), unlistedName.MatchString(name)
	}
	c = Code(strings.ToLower(written))
	if table().shown[c] == "" {
		return "", false
	}
	return c, true
}

// Union reports whether a code is a union of countries.
func Union(c Code) bool { return len(table().members[c]) > 0 }

// Tally counts mentions of countries in a text, to determine the country of the text. The
// zero value is ready to use.
type Tally map[Code]float64

// How often a text must mention a country so that it belongs to it.
const (
	// Enough is the minimum weighted number of mentions of the most mentioned country.
	Enough  = 2
	clearly = 0.4 // minimum share, relative to the most mentioned country
)

// Add counts mentions with a weight.
func (c Tally) Add(mentions []Mention, weight float64) {
	for _, m := range mentions {
		for _, code := range m.Codes {
			c[code] += weight
		}
	}
}

// One returns the most mentioned country, none if no country is mentioned often enough. If
// several are mentioned about as often, it is the one of them that mentions names first: a
// party's own print of a convention names that party first. Names that countries share
// decide nothing.
func (c Tally) One(mentions []Mention) (Code, bool) {
	of := c.Of()
	if len(of) == 1 {
		return of[0], true
	}
	for _, m := range mentions {
		if len(m.Codes) == 1 && slices.Contains(of, m.Codes[0]) {
			return m.Codes[0], true
		}
	}
	return "", false
}

// Of returns the most mentioned country, or several countries if they are mentioned about
// as often, as in a convention. It returns nil if no country is mentioned often enough.
func (c Tally) Of() []Code {
	most := 0.0
	for _, n := range c {
		most = max(most, n)
	}
	if most < Enough {
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
