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
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // a container may have no time zones

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
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

// Content returns the terms of a text without the names of countries, and these countries.
func Content(text string) (terms []string, countries []Code) {
	all := french.Terms(text)
	pos := 0
	for _, m := range Mentions(all) {
		terms = append(terms, all[pos:m.Start]...)
		countries = append(countries, m.Codes...)
		pos = m.End
	}
	return append(terms, all[pos:]...), countries
}

// In finds the names in a text. Names of languages are none: a bilingual law is published « en français et en anglais ».
func In(text string) []Mention { return Mentions(french.Terms(languages.ReplaceAllString(text, " "))) }

var languages = lazyre.New(`(?i)\b(?:en|langues?)\s+(?:français|anglais|espagnol|portugais|allemand|italien)e?s?(?:[^\p{L}]|$)`)

// Several reports whether a text names two countries or more, beside those of persons, and no union. Names that one country
// may share, and several of one country, are none: « droit congolais », « au Maroc, à Rabat ».
func Several(text string) bool {
	several, last := false, []Code(nil)
	for _, m := range In(persons.ReplaceAllStringFunc(text, withoutPerson)) {
		if slices.ContainsFunc(m.Codes, Union) {
			return false
		}
		several = several || last != nil && !slices.ContainsFunc(m.Codes, func(c Code) bool { return slices.Contains(last, c) })
		last = m.Codes
	}
	return several
}

// persons matches an article and the word behind it. No adjective of a country stands there: « un Tunisien », « les Congolais ».
var persons = lazyre.New(`(?i)(?:^|[^\p{L}])(?:une?|des|les|aux)\s+\p{L}+`)

// withoutPerson removes what persons matches if it names a person, not a country: « les Comores ».
func withoutPerson(found string) string {
	words := strings.Fields(found)
	if m := In(words[len(words)-1]); len(m) == 1 && !strings.EqualFold(words[len(words)-1], Name(m[0].Codes[0])) {
		return " "
	}
	return found
}

// Fits reports whether a text may answer a question. asked are the countries that the
// question is about; codes are the countries and unions whose law the text is. The text must
// be the law of an asked country, or of a union that has an asked country as a member. If
// either list is empty, the text fits.
func Fits(asked, codes []Code) bool {
	t := table()
	if len(asked) == 0 || len(codes) == 0 {
		return true
	}
	for _, a := range asked {
		for _, o := range codes {
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
	codes := c.Of()
	if len(codes) == 1 {
		return codes[0], true
	}
	for _, m := range mentions {
		if len(m.Codes) == 1 && slices.Contains(codes, m.Codes[0]) {
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

// Clear reports whether a text that mentions countries as tallied would hardly mention one of them so often if each mention
// were as likely another's: the sign test at 5 %.
func (c Tally) Clear(code Code) bool {
	all := 0.0
	for _, n := range c {
		all += n
	}
	n, own := int(math.Round(all)), int(math.Round(c[code]))
	chance, exact := 0.0, -float64(n)*math.Ln2 // exact is the logarithm of the probability of k mentions of others, which may be tiny
	for k := 0; k <= n-own; k++ {
		chance += math.Exp(exact)
		exact += math.Log(float64(n-k) / float64(k+1))
	}
	return chance < 0.05
}

// unlistedMark is the prefix of the codes of unlisted states; no code of ISO 3166 has it.
const unlistedMark = "x-"

// state matches the full name of a state: its form of government, at most two adjectives
// (« République islamique de … »), and the first word of its name, which is enough to
// distinguish it. There is no list of states, only of the forms that French uses.
var state = regexp.MustCompile(`(?i:république|republique|royaume|principauté|principaute|sultanat)(?:\s+\pL{3,}[eE]){0,2}\s+(?i:de\s+la\s+|de\s+l['’]\s*|de\s+|du\s+|des\s+|d['’]\s*)(\p{Lu}[\pL-]{2,})`)

// unlistedName matches the name of an unlisted state, as state finds it.
var unlistedName = regexp.MustCompile(`^\p{Lu}[\pL-]{2,99}$`)

// FindUnlisted returns the code of each state that a text names in full (« République
// d’Astrevalle ») and that the table does not list, once per mention. A name that is one
// misread letter away from a name of the table is none.
func FindUnlisted(text string) (codes []Code) {
	for _, m := range state.FindAllStringSubmatchIndex(text, -1) {
		whole := text[m[0]:min(len(text), m[1]+nameRoom)] // « République de Côte » goes on: « d’Ivoire »
		name := text[m[2]:m[3]]
		previous := len(french.Terms(text[m[0]:m[2]]))
		listed := slices.ContainsFunc(Mentions(french.Terms(whole)), func(x Mention) bool { return x.Start <= previous })
		if terms := french.Terms(name); len(terms) > 0 && !listed && !misspelled(terms[0]) {
			codes = append(codes, unlistedMark+Code(law.Capital(strings.ToLower(name)))) // « ASTREVALLE » and « Astrevalle » give the same code
		}
	}
	return codes
}

// nameRoom is the maximum number of bytes of a name after its first word.
const nameRoom = 24

// leastMisread is the minimum number of letters of a name that is recognized although one of
// them is misread.
const leastMisread = 5

// misspelled reports whether a term is a name of the table with one letter misread.
func misspelled(term string) bool {
	for first := range table().byFirst {
		if len(first) >= leastMisread && law.Distance(first, term) == 1 {
			return true
		}
	}
	return false
}

// zones are the time zones of countries, by the names of the IANA. Of a country that has several it is that of the capital, or
// of the provinces whose law is in French. The page (api/web/src/lib/zones.ts) and PostgreSQL (the function law_day) have the
// same; tests compare them.
var zones = map[Code]string{
	"bj": "Africa/Porto-Novo", "bf": "Africa/Ouagadougou", "bi": "Africa/Bujumbura", "cm": "Africa/Douala", "cf": "Africa/Bangui", "td": "Africa/Ndjamena",
	"km": "Indian/Comoro", "cg": "Africa/Brazzaville", "cd": "Africa/Kinshasa", "ci": "Africa/Abidjan", "dj": "Africa/Djibouti", "dz": "Africa/Algiers",
	"ga": "Africa/Libreville", "gn": "Africa/Conakry", "gq": "Africa/Malabo", "gw": "Africa/Bissau", "ht": "America/Port-au-Prince", "lu": "Europe/Luxembourg",
	"ma": "Africa/Casablanca", "mg": "Indian/Antananarivo", "ml": "Africa/Bamako", "mr": "Africa/Nouakchott", "mu": "Indian/Mauritius", "ne": "Africa/Niamey",
	"rw": "Africa/Kigali", "sc": "Indian/Mahe", "sn": "Africa/Dakar", "tg": "Africa/Lome", "tn": "Africa/Tunis", "fr": "Europe/Paris", "be": "Europe/Brussels",
	"ca": "America/Toronto", "ch": "Europe/Zurich",
}

// locations are the zones as they are loaded.
var locations = sync.OnceValue(func() map[Code]*time.Location {
	out := make(map[Code]*time.Location, len(zones))
	for code, name := range zones {
		zone, err := time.LoadLocation(name)
		if err != nil {
			panic("country: " + err.Error()) // the zones are in the program
		}
		out[code] = zone
	}
	return out
})

// Today returns the day, midnight UTC, that an instant has where the law is in force: in the first of some countries, and that of UTC,
// the time of Abidjan and Dakar, for a union, a country without a known zone, or none.
func Today[C ~string](now time.Time, of ...C) time.Time {
	now = now.UTC()
	if len(of) > 0 {
		if zone := locations()[Code(of[0])]; zone != nil {
			now = now.In(zone)
		}
	}
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
}
