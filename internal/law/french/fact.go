package french

import "vigueur/internal/law"

// Fact is what carries the substance of a rule and can be compared: a number
// with its unit, a date, the number of an article or of a text.
type Fact struct {
	Kind  Kind   // Number, Date, Article or Text
	Value string // « 3 mois », « 5 % », « 2010-05-03 », « art14bis »: equal facts are equal
	Bare  string // of a number with a unit, the number alone; else the Value
	Text  string // as it is written
}

// unitLookahead is how many tokens may stand between a number and its unit:
// « 15 ou 20 jours », « deux à cinq ans ».
const unitLookahead = 3

// Facts returns the facts of text in order. A number takes the unit that follows
// it, or that follows the next number of a range.
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

// Unit is the name of a unit of measure by the term that it is written as, "" for
// any other term: « annee » and « an » are one.
func Unit(term string) string { return units[term] }

// rangeWords stand between the numbers of a range, folded.
var rangeWords = set("a ou et")

// units maps the term of a unit to the name it is compared by.
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
