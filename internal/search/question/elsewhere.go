package question

import (
	_ "embed" // the names of states
	"strings"
	"sync"
	"unicode"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
)

//go:embed elsewhere.txt
var elsewhereText string

// state is a state whose law no catalogue in French is expected to have.
type state struct {
	words []string // folded
	code  country.Code
}

// states holds the states by the first word of their names, longer names first.
var states = sync.OnceValue(func() map[string][]state {
	out := make(map[string][]state)
	for line := range strings.Lines(elsewhereText) {
		name := strings.TrimSpace(line)
		if name == "" || name[0] == '#' {
			continue
		}
		code, ok := country.Parse("x-" + strings.ReplaceAll(name, " ", "-"))
		words := strings.FieldsFunc(law.Fold(name), func(r rune) bool { return !unicode.IsLetter(r) })
		if !ok {
			panic("question: no code for " + name) // the list is embedded
		}
		list := append([]state{{words, code}}, out[words[0]]...)
		if n := len(list); n > 1 && len(list[0].words) < len(list[n-1].words) {
			list[0], list[n-1] = list[n-1], list[0]
		}
		out[words[0]] = list
	}
	return out
})

// going are words for what ends in another country, and is ruled by the law of the asker's.
var going = wordSet("aller va vont voyager voyage voyages partir depart exporter exportation exportations expedier expedition envoyer envoi transferer transfert transferts extrader extradition emigrer rendre entrer vendre")

// elsewhere returns the state whose law a question asks about, if no table lists it: it stands where French puts the
// scope of a question, at its beginning or its end (« Quelle est la durée du congé de paternité au Japon ? »). At the end
// of one's own story, or after a participle or a word for going there, it is only a place.
func elsewhere(text string) []country.Code {
	r := &reading{text: text, words: wordsOutsideQuotes(text)}
	own := false
	for _, w := range r.words {
		own = own || personals[w.text]
	}
	for i := range r.words {
		in := r.at(i - 1)
		if in != "en" && in != "au" && in != "aux" && in != "a" {
			continue
		}
		for _, s := range states()[r.at(i)] {
			end := i + len(s.words)
			if !r.has(i, strings.Join(s.words, " ")) {
				continue
			}
			happened := participle(r.printed(i-2)) && !determiners[r.at(i-3)] && !governing[r.at(i-3)] && r.at(i-2) != "payes"
			place := own || going[r.at(i-2)] || happened
			if i == 1 || i == 2 && r.at(0) == "et" || end == len(r.words) && !place {
				return []country.Code{s.code}
			}
			break
		}
	}
	return nil
}
