package french

import (
	_ "embed" // the table of lay words
	"iter"
	"strings"
)

//go:embed lexicon.txt
var lexiconText string

// Lexicon maps everyday words and acronyms to the words of the law (« CDD » to « contrat à
// durée déterminée », « virer » to « licencier »). It must not be changed once it is in
// use.
type Lexicon struct {
	entries map[string][]entry // entries by the first term of their everyday phrase
}

type entry struct {
	lay   []string   // terms of the everyday phrase
	legal [][]string // alternatives in the law's words, each as terms
}

// Match is an everyday phrase that was found in a question.
type Match struct {
	Start, End int        // terms [Start,End) of the question
	Legal      [][]string // words that the law may use instead, each alternative as terms
}

// NewLexicon parses the embedded table.
func NewLexicon() *Lexicon {
	l := &Lexicon{entries: make(map[string][]entry)}
	for phrase, alternatives := range lexiconRows() {
		lay := Terms(phrase)
		if len(lay) == 0 {
			continue
		}
		e := entry{lay: lay}
		for _, a := range alternatives {
			e.legal = append(e.legal, Terms(a))
		}
		l.entries[lay[0]] = append(l.entries[lay[0]], e)
	}
	return l
}

// lexiconRows yields the everyday phrases of the table, each with the alternatives in the law's
// words.
func lexiconRows() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for line := range strings.Lines(lexiconText) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			left, right, _ := strings.Cut(line, "=")
			if !yield(strings.TrimSpace(left), strings.Split(right, "|")) {
				return
			}
		}
	}
}

// Matches finds the everyday phrases among the terms of a question (in order, without stop
// words).
func (l *Lexicon) Matches(terms []string) []Match {
	var out []Match
	for i, t := range terms {
		for _, e := range l.entries[t] {
			if startsWith(terms[i:], e.lay) {
				out = append(out, Match{i, i + len(e.lay), e.legal})
			}
		}
	}
	return out
}

func startsWith(terms, head []string) bool {
	if len(terms) < len(head) {
		return false
	}
	for i, h := range head {
		if terms[i] != h {
			return false
		}
	}
	return true
}
