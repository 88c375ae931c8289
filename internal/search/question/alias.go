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
	table, _ := readAliases()
	return table
})

// shortCodes maps the words after « C. » in the short name of a code to the words of its title: « trav » is the « code
// du travail ».
var shortCodes = sync.OnceValue(func() map[string]alias {
	_, codes := readAliases()
	return codes
})

// readAliases reads the table.
func readAliases() (table, codes map[string]alias) {
	table, codes = make(map[string]alias), make(map[string]alias)
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
			if words, code := strings.CutPrefix(a.written, "C. "); code {
				codes[law.Fold(strings.Join(strings.FieldsFunc(words, func(r rune) bool { return r == '.' || r == ' ' }), " "))] = a
				continue
			}
			a.exact = len(a.written) <= shortAlias && strings.ToUpper(a.written) == a.written
			table[law.Fold(a.written)] = a
		}
	}
	return table, codes
}

// aliases finds the abbreviations of texts in a question.
func aliases(text string) (out []Reference) {
	for start, end := range wordsOf(text) {
		word := text[start:end]
		a, ok := aliasTable()[law.Fold(word)]
		if ok && (!a.exact || word == a.written) {
			out = append(out, Reference{Alias: true, Reference: law.Reference{Start: start, End: end, Title: a.title}})
		}
	}
	return append(out, readShortNames(text)...)
}

// mostShort is the maximum number of words after « C. » in the short name of a code.
const mostShort = 3

// readShortNames finds codes by their short names: « C. trav. », « Code proc. civ. ».
func readShortNames(text string) (out []Reference) {
	type place struct{ start, end int }
	var words []place
	for start, end := range wordsOf(text) {
		words = append(words, place{start, end})
	}
	for i := 0; i < len(words); i++ {
		first := law.Fold(text[words[i].start:words[i].end])
		if first != "c" && first != "code" {
			continue
		}
		var parts []string
		dotted := strings.HasPrefix(text[words[i].end:], ".")
		found := Reference{}
		for j := i + 1; j < len(words) && j <= i+mostShort; j++ {
			if strings.Trim(text[words[j-1].end:words[j].start], ". \t\n\u00a0\u202f") != "" {
				break
			}
			parts = append(parts, law.Fold(text[words[j].start:words[j].end]))
			end := words[j].end
			ends := strings.HasPrefix(text[end:], ".")
			if a, ok := shortCodes()[strings.Join(parts, " ")]; ok && (dotted || ends && first == "code") {
				if ends {
					end++
				}
				found = Reference{Alias: true, Reference: law.Reference{Start: words[i].start, End: end, Type: law.Code, Title: a.title}}
			}
		}
		if found.Title != "" {
			out = append(out, found)
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
