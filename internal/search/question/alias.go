package question

import (
	_ "embed" // the table of abbreviations
	"slices"
	"strings"
	"sync"
	"unicode"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
)

//go:embed aliases.txt
var aliasesText string

// alias is a short name of a text.
type alias struct {
	title  string // words that the text's own title has
	exact  bool   // only as it is written in the table: a short one is a word else
	writes string
	of     []country.Code // whose text it is, nil for anybody's
}

// shortAlias is how many letters an abbreviation has at most to be read only in the
// capitals of the table: « AUS », « AUA » would else be found in misspelled words.
const shortAlias = 4

var aliasTable = sync.OnceValue(func() map[string]alias {
	table := make(map[string]alias)
	for line := range strings.Lines(aliasesText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "|")
		a := alias{title: strings.TrimSpace(fields[1])}
		for code := range strings.FieldsSeq(fields[2]) {
			a.of = append(a.of, country.Code(code))
		}
		for name := range strings.SplitSeq(fields[0], ",") {
			a.writes = strings.TrimSpace(name)
			a.exact = len(a.writes) <= shortAlias && strings.ToUpper(a.writes) == a.writes
			table[law.Fold(a.writes)] = a
		}
	}
	return table
})

// aliases finds the abbreviations of texts in a question.
func aliases(text string) (out []Reference) {
	for start, end := range wordsOf(text) {
		word := text[start:end]
		a, ok := aliasTable()[law.Fold(word)]
		if ok && (!a.exact || word == a.writes) {
			out = append(out, Reference{Alias: true, Reference: law.Reference{Start: start, End: end, Title: a.title}})
		}
	}
	return out
}

// wordsOf returns the bytes at which each run of letters begins and ends.
func wordsOf(text string) func(yield func(start, end int) bool) {
	return func(yield func(int, int) bool) {
		start := -1
		for i, r := range text {
			letter := unicode.IsLetter(r)
			switch {
			case letter && start < 0:
				start = i
			case !letter && start >= 0:
				if !yield(start, i) {
					return
				}
				start = -1
			}
		}
		if start >= 0 {
			yield(start, len(text))
		}
	}
}

// AliasCountries are the countries whose text an abbreviation names, nil for
// anybody's.
func (r Reference) AliasCountries() []country.Code {
	for _, a := range aliasTable() {
		if r.Alias && a.title == r.Title {
			return slices.Clone(a.of)
		}
	}
	return nil
}
