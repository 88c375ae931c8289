package extractive

import (
	"regexp"
	"strings"

	"vigueur/internal/french"
)

// figures are kinds of figures, as a set.
type figures uint8

const (
	span    figures = 1 << iota // a length of time, an age, a date
	money                       // a sum
	percent                     // a rate
	other                       // any other number
)

// asked are the words, in folded text, that ask for a kind of figure.
var asked = []struct {
	kind  figures
	words *regexp.Regexp
}{
	{span, regexp.MustCompile(`\b(delai|duree|dure|combien de (temps|jours|mois|semaines|annees|heures|minutes)|jusqu'a quand|quand|age|date|combien d'(heures|annees)|combien de fois)\b`)},
	{money, regexp.MustCompile(`\b(montant|coute|coutent|cout|prix|amende|salaire minimum|valeur|capital|prime|somme|tarif|a combien est fixe|a combien s'eleve)\b`)},
	{percent, regexp.MustCompile(`\b(taux|pourcentage|majoration|combien|prime)\b`)},
	{other, regexp.MustCompile(`\bcombien\b|\bnombre\b|\bnumero\b`)},
}

// asks gives the kinds of figures that would answer a question.
func asks(question string) (kinds figures) {
	folded := french.Fold(question)
	for _, a := range asked {
		if a.words.MatchString(folded) {
			kinds |= a.kind
		}
	}
	return kinds
}

// figuresOf gives the kinds of figures that a text has.
func figuresOf(text string) (kinds figures) {
	for _, f := range french.Facts(text) {
		switch f.Kind {
		case french.Date:
			kinds |= span
		case french.Number:
			kinds |= figureOf(f)
		}
	}
	return kinds
}

func figureOf(f french.Fact) figures {
	_, unit, _ := strings.Cut(f.Value, " ")
	switch unit {
	case "":
		return other
	case "%":
		return percent
	case "franc", "euro", "dinar", "dirham", "écu":
		return money
	}
	return span
}
