// Package naming makes the keys by which a text is found when a question names it: the
// terms of its title, its number, its kind, its day and whose law it is. A store keeps
// them beside the text, so that no process needs the names of all texts in memory.
//
// Keys of different kinds begin with different signs, none of which begins a term. All
// functions depend only on their arguments.
package naming

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
)

// Analysis numbers how keys are made of a text. Whoever changes that, the analysis of
// package french or the names of package country changes it: stores make the keys of all
// texts anew. It is at least 1; 0 marks a text whose keys are still to be made.
const Analysis = 1

// longest is how many bytes of a term a key has at the most: far below what an index can
// hold, and far above any word.
const longest = 200

// Plain is the key of texts whose title does not say that they change another text.
const Plain = "~"

// Silent is the key of texts that tell of no country.
const Silent = "&"

// Text is what a text may be named by.
type Text struct {
	Title, Nature string
	Number        string // official, "" for none
	Type          law.DocType
	Promulgated   time.Time
	Countries     []string // codes of the countries whose law it is; none: its title may tell
}

// Terms are the terms of what a text calls itself, in order, repetitions included.
func (t Text) Terms() []string { return french.Terms(t.Title + " " + t.Nature) }

// Codes are the countries whose law a text is, by what is known of it, else by its title;
// nil if neither tells.
func (t Text) Codes() (codes []country.Code) {
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

// Keys are those of a text, each once, in ascending order.
func (t Text) Keys() []string {
	terms := t.Terms()
	keys := append(Terms(terms), Type(t.Type), Day(t.Promulgated), Year(t.Promulgated.Year()))
	for _, called := range callings(t.Type) {
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

// Terms are the keys of terms of a title.
func Terms(terms []string) []string {
	keys := make([]string, len(terms), len(terms)+8)
	for i, t := range terms {
		keys[i] = key(t)
	}
	return keys
}

// Number is the key of texts whose number has exactly this term.
func Number(term string) string { return key("=" + term) }

// Stem is the key of texts whose number has this stem.
func Stem(stem string) string { return key("#" + stem) }

// Type is the key of texts of a type.
func Type(is law.DocType) string { return key("@" + string(is)) }

// Called is the key of texts that may be called one of a type: codes and constitutions are
// made by laws.
func Called(as law.DocType) string { return key("!" + string(as)) }

// Day is the key of texts made on a day.
func Day(on time.Time) string { return "/" + on.Format(time.DateOnly) }

// Year is the key of texts made in a year.
func Year(year int) string { return "/" + time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Format("2006") }

// Fitting are the keys of texts that tell whose law they are and fit a question about
// countries (country.Fits).
func Fitting(asked []country.Code) (keys []string) {
	for _, c := range country.Fitting(asked) {
		keys = append(keys, key("&"+string(c)))
	}
	return keys
}

// Amending reports whether the terms of a title say that its text changes another.
func Amending(terms []string) bool {
	for _, change := range french.Terms("modifiant complétant abrogeant modification") {
		if slices.Contains(terms, change) {
			return true
		}
	}
	return false
}

// callings are the types that a text of a type may be called.
func callings(is law.DocType) []law.DocType {
	if is == law.Code || is == law.Constitution {
		return []law.DocType{is, law.Loi}
	}
	return []law.DocType{is}
}

// key is a string as an index can hold it.
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
