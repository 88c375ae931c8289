package answering

import (
	"fmt"
	"strings"

	"vigueur/internal/law/french"
)

const (
	// fewestWords is the minimum number of tokens of a sentence that is aligned with a
	// source.
	fewestWords = 5
	// nearlySame is the minimum fraction of a sentence's tokens that must be equal in the
	// source. Below it the sentence is a paraphrase, in which a missing « ne » proves
	// nothing.
	nearlySame = 0.6
	// longSkip is the number of consecutive unpaired tokens of one text from which on they
	// are an omitted or inserted clause and not a changed word.
	longSkip = 4
)

// alteredRule compares a sentence with the part of its sources that it repeats nearly word
// for word, and returns the first difference that changes the rule: a number, unit, date
// or reference in the place of another, or a negation, « peut », « doit », « interdit » or
// « au plus » that was added, omitted or replaced by its opposite.
func (s sentence) alteredRule(cited []*source) (fault string) {
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

// compare returns the French fault for the first step of the alignment at which the
// sentence says something else than its source, "" if there is none.
func compare(words string, own []french.Token, beside *source, path []pair) string {
	other := beside.tokens()
	for pos, p := range path {
		switch {
		case p.own >= 0 && p.other >= 0:
			a, b := own[p.own], other[p.other]
			if a.Term != b.Term && significant(a) && significant(b) && kindOf(a) == kindOf(b) {
				return fmt.Sprintf("« %s » ne dit pas ce que dit %s, qui porte « %s ».", shorten(words), names([]*source{beside}),
					beside.passage.Text[b.Start:b.End])
			}
			if sense(a.Term) != sense(b.Term) {
				return fmt.Sprintf("Le sens de « %s » n’est pas celui de %s.", shorten(words), names([]*source{beside}))
			}
		case sense(unpairedTerm(p, own, other)) != "" && countSkipped(path, pos) < longSkip:
			return fmt.Sprintf("Le sens de « %s » n’est pas celui de %s.", shorten(words), names([]*source{beside}))
		}
	}
	return ""
}

// unpairedTerm returns the term of a step that has a token of only one text.
func unpairedTerm(p pair, own, other []french.Token) string {
	if p.own >= 0 {
		return own[p.own].Term
	}
	return other[p.other].Term
}

// countSkipped returns the number of consecutive steps, path[at] among them, that have a token
// of the same text only.
func countSkipped(path []pair, pos int) int {
	n := 1
	mine := path[pos].own >= 0
	sameSide := func(p pair) bool { return (p.own < 0 || p.other < 0) && (p.own >= 0) == mine }
	for i := pos - 1; i >= 0 && sameSide(path[i]); i-- {
		n++
	}
	for i := pos + 1; i < len(path) && sameSide(path[i]); i++ {
		n++
	}
	return n
}

// significant reports whether a token is a number, date, reference or unit.
func significant(t french.Token) bool {
	return t.Kind != french.Word && !t.Stop || t.Kind == french.Word && french.Unit(t.Term) != ""
}

// kindOf returns the kind of a significant token; units are a kind of their own.
func kindOf(t french.Token) string {
	if t.Kind == french.Word {
		return "unit"
	}
	return fmt.Sprint(t.Kind)
}

// sense names the effect of a word on a rule, such as negation or duty, "" for none: a word
// may be replaced by another word with the same sense.
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

// outsideQuotations removes the quotations from a sentence: they are compared with the
// source word for word.
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
