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
	title     string         // words of the text's title
	exact     bool           // matches only as written in the table, because it is short and may be another word
	written   string         // the alias as written in the table
	countries []country.Code // countries that the text belongs to, nil for texts of no particular country
}

// shortAlias is the maximum number of letters of an abbreviation that is only read in the capitals of the table.
// Otherwise « AUS » or « AUA » would be found in misspelled words.
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
			a.countries = append(a.countries, country.Code(code))
		}
		for name := range strings.SplitSeq(fields[0], ",") {
			a.written = strings.TrimSpace(name)
			a.exact = len(a.written) <= shortAlias && strings.ToUpper(a.written) == a.written
			table[law.Fold(a.written)] = a
		}
	}
	return table
})

// aliases finds the abbreviations of texts in a question.
func aliases(text string) (out []Reference) {
	for start, end := range wordsOf(text) {
		word := text[start:end]
		a, ok := aliasTable()[law.Fold(word)]
		if ok && (!a.exact || word == a.written) {
			out = append(out, Reference{Alias: true, Reference: law.Reference{Start: start, End: end, Title: a.title}})
		}
	}
	return out
}

// wordsOf yields the byte ranges of the runs of letters in a text.
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

// AliasCountries returns the countries to which the text of an abbreviation belongs, nil for a text of no
// particular country.
func (r Reference) AliasCountries() []country.Code {
	for _, a := range aliasTable() {
		if r.Alias && a.title == r.Title {
			return slices.Clone(a.countries)
		}
	}
	return nil
}
