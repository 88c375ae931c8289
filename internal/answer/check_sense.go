package answer

import (
	"fmt"
	"strings"

	"vigueur/internal/french"
)

const (
	// fewestWords is how many tokens a sentence needs to be laid beside a source.
	fewestWords = 5
	// nearlySame is the share of a sentence's tokens that must stand alike in the
	// source: below it the sentence tells in its own words, where a missing « ne »
	// means nothing.
	nearlySame = 0.6
	// longSkip is how many tokens one after the other are a clause left out or put
	// in, not a word changed.
	longSkip = 4
)

// turned compares a sentence with the stretch of its sources that it repeats
// nearly word for word: a number, unit, date or reference that stands in the
// place of another, and a negation, a « peut », « doit », « interdit », « au plus »
// that was put in, left out or turned round. It tells what it finds first.
func (s sentence) turned(cited []*source) (fault string) {
	own := french.Analyze(outsideQuotations(withoutNumeral(s.words)))
	if len(own) < fewestWords {
		return ""
	}
	var path []pair
	var beside *source
	most := 0
	for _, c := range cited {
		if p, same := align(own, c.tokens()); same > most {
			path, most, beside = p, same, c
		}
	}
	if beside == nil || float64(most) < nearlySame*float64(len(own)) {
		return ""
	}
	return compare(s.words, own, beside, path)
}

// compare walks along a sentence and its source.
func compare(words string, own []french.Token, beside *source, path []pair) string {
	other := beside.tokens()
	for at, p := range path {
		switch {
		case p.own >= 0 && p.other >= 0:
			a, b := own[p.own], other[p.other]
			if a.Term != b.Term && weighty(a) && weighty(b) && kindOf(a) == kindOf(b) {
				return fmt.Sprintf("« %s » ne dit pas ce que dit %s, qui porte « %s ».", shorten(words), names([]*source{beside}),
					beside.passage.Text[b.Start:b.End])
			}
			if sense(a.Term) != sense(b.Term) {
				return fmt.Sprintf("Le sens de « %s » n’est pas celui de %s.", shorten(words), names([]*source{beside}))
			}
		case sense(lone(p, own, other)) != "" && skipped(path, at) < longSkip:
			return fmt.Sprintf("Le sens de « %s » n’est pas celui de %s.", shorten(words), names([]*source{beside}))
		}
	}
	return ""
}

// lone is the term of a step of one text only.
func lone(p pair, own, other []french.Token) string {
	if p.own >= 0 {
		return own[p.own].Term
	}
	return other[p.other].Term
}

// skipped is how many steps around one go along the same text only.
func skipped(path []pair, at int) int {
	n := 1
	mine := path[at].own >= 0
	lonely := func(p pair) bool { return (p.own < 0 || p.other < 0) && (p.own >= 0) == mine }
	for i := at - 1; i >= 0 && lonely(path[i]); i-- {
		n++
	}
	for i := at + 1; i < len(path) && lonely(path[i]); i++ {
		n++
	}
	return n
}

// weighty tells whether a token carries the substance of a rule.
func weighty(t french.Token) bool {
	return t.Kind != french.Word && !t.Stop || t.Kind == french.Word && french.Unit(t.Term) != ""
}

// kindOf parts units from other words.
func kindOf(t french.Token) string {
	if t.Kind == french.Word {
		return "unit"
	}
	return fmt.Sprint(t.Kind)
}

// sense is what a word does to a rule, "" when it does nothing: two words of one
// sense may stand for one another.
func sense(term string) string { return senses[term] }

var senses = func() map[string]string {
	out := make(map[string]string)
	for sense, words := range map[string]string{
		"negation": "ne pas jamais aucun aucune nul nulle ni",
		"leave":    "peut peuvent pourra pourront pourrait pourraient",
		"duty":     "doit doivent devra devront devrait devraient",
		"ban":      "interdit interdite interdits interdites prohibé prohibée prohibés prohibées défendu défendue",
		"allowed":  "autorisé autorisée autorisés autorisées permis permise permises",
		"binding":  "obligatoire obligatoires obligatoirement",
		"free":     "facultatif facultative facultatifs facultatives",
		"most":     "maximum maximal maximale maximum",
		"least":    "minimum minimal minimale",
		"above":    "supérieur supérieure supérieurs supérieures",
		"below":    "inférieur inférieure inférieurs inférieures",
		"before":   "avant",
		"after":    "après",
	} {
		for word := range strings.FieldsSeq(words) {
			for _, t := range french.Analyze(word) {
				out[t.Term] = sense
			}
		}
	}
	return out
}()

// outsideQuotations takes what is quoted out of a sentence: it is held against
// the source word for word.
func outsideQuotations(words string) string {
	var b strings.Builder
	depth := 0
	for _, r := range words {
		switch {
		case r == '«':
			depth++
		case r == '»':
			depth = max(0, depth-1)
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}
