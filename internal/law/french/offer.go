package french

import (
	"regexp"
	"unicode"

	"vigueur/internal/law"
)

// Offers is a set of kinds of statements that answer a question, or that an article makes.
type Offers uint8

// The kinds of statements, each with the interrogative that asks for it.
const (
	Authority  Offers = 1 << iota // « qui »: who decides or acts
	Permission                    // « peut-on »: what may, must or must not be done
	Period                        // « combien de temps »: a length of time
	Condition                     // « à quelle condition »: what must be the case
	Place                         // « où »: where something is or is done
)

// askedOffers maps each kind to the words that ask for it, in folded text: the interrogatives of
// French, and the verbs and nouns that stand for them. What a match is worth is learned with the
// order (lab/training/ranking), which may give a kind no weight.
var askedOffers = []struct {
	kind  Offers
	words *regexp.Regexp
}{
	{Authority, regexp.MustCompile(`\b(qui|quelle? (est l.)?autorite|quels? organes?)\b`)},
	{Permission, regexp.MustCompile(`\b(peut|peuvent|puis|pourra|droit de|autorise|interdit|permis|possible|oblige|doit|doivent|faut)\b`)},
	{Period, regexp.MustCompile(`\b(duree|delai|combien de temps|quand|jours|mois|ans|annees)\b`)},
	{Condition, regexp.MustCompile(`\b(conditions?|comment|dans quels cas|criteres?|faut)\b`)},
	{Place, regexp.MustCompile(`\b(ou|siege|lieu)\b`)},
}

// AsksFor returns the kinds of statements that would answer a question.
func AsksFor(question string) (kinds Offers) {
	folded := law.Fold(question)
	for _, a := range askedOffers {
		if a.words.MatchString(folded) {
			kinds |= a.kind
		}
	}
	return kinds
}

// offered maps the folded words of articles to the kinds of statements that they occur in.
var offered = func() map[string]Offers {
	words := make(map[string]Offers)
	for kind, of := range map[Offers][]string{
		Authority: {"ministre", "president", "prefet", "wali", "gouverneur", "directeur", "juge", "tribunal", "cour", "conseil", "commission", "comite", "maire",
			"procureur", "autorite", "inspecteur", "secretaire", "greffier", "administration"},
		Permission: {"peut", "peuvent", "interdit", "interdite", "interdits", "interdites", "autorise", "autorisee", "autorises", "tenu", "tenus", "doit", "doivent", "nul"},
		Period:     {"jour", "jours", "mois", "an", "ans", "annee", "annees", "heure", "heures", "semaine", "semaines"},
		Condition:  {"condition", "conditions", "doit", "doivent", "lorsque", "si"},
		Place:      {"siege", "lieu", "local", "sis", "situe"},
	} {
		for _, w := range of {
			words[w] |= kind
		}
	}
	return words
}()

// OffersOf returns the kinds of statements that an article makes, as its words tell.
func OffersOf(text string) (kinds Offers) {
	folded := law.Fold(text)
	from := -1 // where the word that is being read begins
	for i, r := range folded {
		switch letter := unicode.IsLetter(r); {
		case letter && from < 0:
			from = i
		case !letter && from >= 0:
			kinds |= offered[folded[from:i]]
			from = -1
		}
	}
	if from >= 0 {
		kinds |= offered[folded[from:]]
	}
	return kinds
}
