package retrieve

import (
	"regexp"
	"slices"
	"strings"

	"vigueur/internal/country"
	"vigueur/internal/french"
	"vigueur/internal/law"
)

// turnsKept is how many earlier questions a leaning one takes along at most.
const turnsKept = 4

// shortQuestion is how few words that say something a question has when it is
// taken to lean on the one before.
const shortQuestion = 2

// leans finds the words by which a question points back, in folded text.
var leans = regexp.MustCompile(`^(et|ou|mais|alors|donc|sinon|idem|pareil|meme chose)\b` +
	`|\b(cet article|cette (loi|disposition|regle|duree|periode|indemnite|sanction|peine|amende|procedure|obligation|personne|somme)` +
	`|ce (delai|texte|code|decret|cas|droit|taux|montant|conge|contrat|preavis|point|dernier)|cet (arrete|age|avis)` +
	`|ces (articles|delais|textes|conditions|regles)|celui-ci|celle-ci|ceux-ci|celles-ci|dans ce cas|a ce sujet|la-dessus` +
	`|y a-t-il une exception|le meme|la meme|les memes|aussi)\b`)

// earlier gives the earlier questions that q leans on, the last first, back to one
// that stands by itself; "" when q does. The country that is asked about is the one
// named last: those before it are left out.
func earlier(q Question) string {
	if len(q.History) == 0 || !leaning(q.Text) {
		return ""
	}
	var b strings.Builder
	_, named := content(q.Text)
	for i := len(q.History) - 1; i >= max(0, len(q.History)-turnsKept); i-- {
		text := q.History[i]
		if named != nil {
			text = withoutCountries(text)
		} else {
			_, named = content(text)
		}
		b.WriteString(text)
		b.WriteByte('\n')
		if !leaning(q.History[i]) {
			break
		}
	}
	return b.String()
}

// withoutCountries takes the names of countries out of a text.
func withoutCountries(text string) string {
	tokens := slices.DeleteFunc(french.Analyze(text), func(t french.Token) bool { return t.Stop })
	for _, m := range slices.Backward(country.Mentions(french.Terms(text))) {
		text = text[:tokens[m.Start].Start] + text[tokens[m.End-1].End:]
	}
	return text
}

// leaning tells whether a question needs the conversation to be understood.
func leaning(question string) bool {
	if leans.MatchString(law.Fold(strings.TrimSpace(question))) {
		return true
	}
	terms, countries := content(question)
	own := slices.ContainsFunc(terms, func(t string) bool { return !french.Shaping(t) && !french.Measure(t) })
	return len(french.Terms(question)) <= shortQuestion && (len(countries) == 0 || !own)
}
