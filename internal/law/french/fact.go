package french

import "vigueur/internal/law"

// Fact is a checkable part of a rule: a number with its unit, a date, or the number of an
// article or of a text. Facts can be compared.
type Fact struct {
	Kind  Kind   // Number, Date, Article or Text
	Value string // « 3 mois », « 5 % », « 2010-05-03 », « art14bis »: equal facts are equal
	Bare  string // for a number with a unit: the number without the unit; else Value
	Text  string // the fact as the text writes it
}

// unitLookahead is the maximum number of tokens between a number and its unit, as in « 15
// ou 20 jours » and « deux à cinq ans ».
const unitLookahead = 3

// Facts returns the facts of text in order. The unit of a number follows it directly, or
// follows the next number of a range.
func Facts(text string) []Fact {
	tokens := Analyze(text)
	var out []Fact
	for i, t := range tokens {
		switch {
		case t.Kind == Number && !t.Stop:
			out = append(out, number(text, tokens, i))
		case t.Kind == Date || t.Kind == Article || t.Kind == Text:
			out = append(out, Fact{Kind: t.Kind, Value: t.Term, Bare: t.Term, Text: text[t.Start:t.End]})
		}
	}
	return out
}

func number(text string, tokens []Token, i int) Fact {
	t := tokens[i]
	f := Fact{Kind: Number, Value: t.Term, Bare: t.Term, Text: text[t.Start:t.End]}
	for j := i + 1; j < len(tokens) && j <= i+unitLookahead; j++ {
		next := tokens[j]
		if unit, ok := units[next.Term]; ok && next.Kind == Word {
			f.Value += " " + unit
			if j == i+1 {
				f.Text = text[t.Start:next.End]
			}
			break
		}
		if next.Kind != Number && !rangeWords[law.Fold(text[next.Start:next.End])] {
			break
		}
	}
	return f
}

// Unit returns the name of the unit of measure that a term means, "" if the term means
// none. « annee » and « an » mean the same unit.
func Unit(term string) string { return units[term] }

// rangeWords are the folded words that may stand between the numbers of a range.
var rangeWords = set("a ou et")

// units maps the term of a unit to the unit's name.
var units = func() map[string]string {
	out := map[string]string{"%": "%"}
	for name, forms := range map[string]string{"an": "an année", "mois": "mois", "jour": "jour journée", "semaine": "semaine",
		"heure": "heure", "minute": "minute", "trimestre": "trimestre", "semestre": "semestre",
		"franc": "franc f fcfa cfa", "euro": "euro", "dinar": "dinar", "dirham": "dirham", "écu": "écu", "dollar": "dollar",
		"ariary": "ariary", "ouguiya": "ouguiya", "gourde": "gourde", "naira": "naira", "mètre": "mètre", "kilomètre": "kilomètre km",
		"hectare": "hectare", "kilogramme": "kilogramme kg", "tonne": "tonne", "litre": "litre"} {
		for _, t := range Analyze(forms) {
			out[t.Term] = name
		}
	}
	return out
}()
