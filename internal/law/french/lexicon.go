package french

import (
	_ "embed" // the table of lay words
	"strings"
)

//go:embed lexicon.txt
var lexiconText string

// Lexicon leads from the words and acronyms of people to those of the law
// (« CDD », « contrat à durée déterminée »; « virer », « licencier »). It is
// read-only once made.
type Lexicon struct {
	entries map[string][]entry // by the first term of the lay phrase
}

type entry struct {
	lay   []string   // its terms
	legal [][]string // the terms of each alternative
}

// Match is a lay phrase found in a question.
type Match struct {
	Start, End int        // the terms [Start,End) of the question
	Legal      [][]string // what the law may say for it, each by its terms
}

// NewLexicon reads the table that the program carries.
func NewLexicon() *Lexicon {
	l := &Lexicon{entries: make(map[string][]entry)}
	for line := range strings.Lines(lexiconText) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			l.add(line)
		}
	}
	return l
}

func (l *Lexicon) add(line string) {
	left, right, _ := strings.Cut(line, "=")
	lay := Terms(left)
	if len(lay) == 0 {
		return
	}
	e := entry{lay: lay}
	for alternative := range strings.SplitSeq(right, "|") {
		e.legal = append(e.legal, Terms(alternative))
	}
	l.entries[lay[0]] = append(l.entries[lay[0]], e)
}

// Matches finds the lay phrases among the terms of a question (without stop
// words, in order).
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
