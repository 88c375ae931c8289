// Package naming makes the keys by which a text is found when a question names it: keys for
// the terms of its title, its number, its kind, its day and its country. A store keeps the
// keys with the text, so that no process needs the names of all texts in memory. Shares plans
// which of the keys of a question to look up first.
//
// Keys of different kinds begin with different signs. No term begins with one of these
// signs. All functions depend only on their arguments.
package naming

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
)

// Analysis is the version of how keys are made from a text. Whoever changes this package,
// the analysis of package french or the names of package country must increase it if keys
// change, so that stores make the keys of all texts again. It is at least 1; 0 marks a text
// whose keys were not made yet.
const Analysis = 3

// Given is a short name that somebody gave to a text: what it means is the text's number or title.
type Given struct {
	Name, Means string
	Country     country.Code // "" for any
}

// longest is the maximum length of a key in bytes: far below the limit of an index, and far
// above the length of any word.
const longest = 200

// Plain is the key of texts whose title does not say that they change another text.
const Plain = "~"

// Silent is the key of texts whose country is unknown.
const Silent = "&"

// Name holds all properties by which a question may name a text.
type Name struct {
	Title, Nature string
	Number        string // official number; "" if there is none
	Type          law.DocType
	Promulgated   time.Time
	Countries     []string // codes of the countries whose law the text is; empty: the title may name them
}

// Terms returns the terms of the text's title and nature, in order, with repetitions.
func (t Name) Terms() []string { return french.Terms(t.Title + " " + t.Nature) }

// Codes returns the countries whose law a text is: Countries, or else the countries in its
// title; nil if there are neither.
func (t Name) Codes() (codes []country.Code) {
	for _, c := range t.Countries {
		codes = append(codes, country.Code(c))
	}
	if codes == nil {
		spoken := make(country.Tally)
		spoken.Add(country.Mentions(french.Terms(t.Title)), 2)
		codes = spoken.Of()
	}
	return codes
}

// Keys returns the keys of a text in ascending order, each once.
func (t Name) Keys() []string {
	terms := t.Terms()
	keys := append(Terms(terms), Type(t.Type), Day(t.Promulgated), Year(t.Promulgated.Year()))
	for _, called := range t.callings() {
		keys = append(keys, Called(called))
	}
	if number := french.TextTerm(t.Number); number != "" {
		keys = append(keys, Number(number), Stem(french.TextStem(number)))
	}
	if !Amending(terms) {
		keys = append(keys, Plain)
	}
	codes := t.Codes()
	if len(codes) == 0 {
		keys = append(keys, Silent)
	}
	for _, c := range codes {
		keys = append(keys, key("&"+string(c)))
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Terms returns the keys of terms of a title.
func Terms(terms []string) []string {
	keys := make([]string, len(terms), len(terms)+8)
	for i, t := range terms {
		keys[i] = key(t)
	}
	return keys
}

// Number returns the key of texts whose number has exactly this term.
func Number(term string) string { return key("=" + term) }

// Stem returns the key of texts whose number has this stem (french.TextStem).
func Stem(stem string) string { return key("#" + stem) }

// Type returns the key of texts of a type.
func Type(docType law.DocType) string { return key("@" + string(docType)) }

// Called returns the key of texts that a question may call by the type.
func Called(kind law.DocType) string { return key("!" + string(kind)) }

// Day returns the key of texts promulgated on a day.
func Day(day time.Time) string { return "/" + day.Format(time.DateOnly) }

// Year returns the key of texts promulgated in a year.
func Year(year int) string { return "/" + time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Format("2006") }

// Fitting returns the keys of texts whose country is known and that may answer a question
// about the asked countries (country.Fits).
func Fitting(asked []country.Code) (keys []string) {
	for _, c := range country.Fitting(asked) {
		keys = append(keys, key("&"+string(c)))
	}
	return keys
}

// Amending reports whether the terms of a title say that the text changes another one.
func Amending(terms []string) bool {
	for _, change := range french.Terms("modifiant complétant abrogeant modification") {
		if slices.Contains(terms, change) {
			return true
		}
	}
	return false
}

// callings returns the types that a question may use for a text: its own, and that of its nature. A code or a constitution
// may also be called a law.
func (t Name) callings() []law.DocType {
	out := []law.DocType{t.Type}
	if t.Type == law.Code || t.Type == law.Constitution {
		out = append(out, law.Loi)
	}
	if nature := law.TypeOf(t.Nature); nature != "" {
		out = append(out, nature)
	}
	return out
}

// CalledSo reports whether a question may use a type for a text.
func (t Name) CalledSo(called law.DocType) bool {
	return called == "" || slices.Contains(t.callings(), called)
}

// key returns s in a form that an index can store: valid UTF-8 of limited length.
func key(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
	if len(s) <= longest {
		return s
	}
	end := longest
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// visit is the number of index entries that a store reads in the time in which it
// fetches one row and compares its keys. The value affects how long a lookup takes, never
// what it finds.
const visit = 500

// Shares is how common keys are, from the statistics of a store. The zero value treats all keys
// as equally rare.
type Shares struct {
	Of   map[string]float64 // share of the texts that have a key, from 0 to 1; only for common keys
	Rest float64            // upper bound of the share of each other key
}

// share returns an upper bound of the share of texts that have one of the keys.
func (s Shares) share(keys ...string) (sum float64) {
	for _, k := range keys {
		if value, common := s.Of[k]; common {
			sum += value
		} else {
			sum += s.Rest
		}
	}
	return min(sum, 1)
}

// Plan is how the texts with given keys are found. The index finds the texts that have all keys
// of Looked and one of AnyLooked; each of these texts must then also have all keys of Compared
// and one of AnyCompared. Together these are exactly the given keys, so every plan finds the
// same texts.
type Plan struct {
	Looked, Compared       []string
	AnyLooked, AnyCompared []string
}

// Plan plans how to find the texts that have all keys of all and, unless it is empty, one of
// anyOf. It looks up the rarest keys in the index. It compares a key if reading the key's list
// in the index takes longer than fetching the texts that the list would exclude: the list
// of a key that most texts have is as long as the catalogue. The estimate treats keys as
// independent of each other.
func (s Shares) Plan(all, anyOf []string) (p Plan) {
	keys := slices.Clone(all)
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(s.share(a), s.share(b)) })
	left := 1.0 // share of the texts that have all keys looked up so far
	for i, k := range keys {
		value := s.share(k)
		if i > 0 && !worthReading(left, value) {
			p.Compared = keys[i:]
			break
		}
		p.Looked, left = append(p.Looked, k), left*value
	}
	if len(keys) == 0 || worthReading(left, s.share(anyOf...)) {
		p.AnyLooked = anyOf
	} else {
		p.AnyCompared = anyOf
	}
	return p
}

// worthReading reports whether it takes less time to read the index list of a key than to
// fetch the texts that the list excludes. left is the share of texts that the other keys
// leave, share is the share of texts with the key.
func worthReading(left, share float64) bool { return share <= left*(1-share)*visit }
