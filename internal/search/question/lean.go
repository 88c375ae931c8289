package question

import (
	"slices"
	"strings"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
)

// turnsKept is how many earlier questions a leaning one takes along at most.
const turnsKept = 4

// shortQuestion is how few words that say something a question has when it is
// taken to lean on the one before.
const shortQuestion = 2

// leans finds the words by which a question points back, in folded text.
var leans = lazyre.New(`^(et|ou|mais|alors|donc|sinon|idem|pareil|meme chose)\b` +
	`|\b(cet article|cette (loi|disposition|regle|duree|periode|indemnite|sanction|peine|amende|procedure|obligation|personne|somme)` +
	`|ce (delai|texte|code|decret|cas|droit|taux|montant|conge|contrat|preavis|point|dernier)|cet (arrete|age|avis)` +
	`|ces (articles|delais|textes|conditions|regles)|celui-ci|celle-ci|ceux-ci|celles-ci|dans ce cas|a ce sujet|la-dessus` +
	`|y a-t-il une exception|le meme|la meme|les memes|aussi)\b`)

// earlier returns the earlier questions that one which names the given countries leans
// on, the last first, back to one that stands by itself. The country that is asked
// about is the one named last: those before it are left out.
func (c Conversation) earlier(named []country.Code) string {
	var b strings.Builder
	for i := len(c.Asked) - 1; i >= max(0, len(c.Asked)-turnsKept); i-- {
		text := c.Asked[i]
		if named != nil {
			text = withoutCountries(text)
		} else {
			_, named = Content(text)
		}
		b.WriteString(text)
		b.WriteByte('\n')
		if !leaning(c.Asked[i], c.said(i)) {
			break
		}
	}
	return b.String()
}

// said is what was said before the question of a place in the conversation.
func (c Conversation) said(place int) []string {
	return slices.Concat(c.Asked[:place], c.Answers[:min(place, len(c.Answers))])
}

// withoutCountries takes the names of countries out of a text.
func withoutCountries(text string) string {
	tokens := slices.DeleteFunc(french.Analyze(text), func(t french.Token) bool { return t.Stop })
	for _, m := range slices.Backward(country.Mentions(french.Terms(text))) {
		text = text[:tokens[m.Start].Start] + text[tokens[m.End-1].End:]
	}
	return text
}

// withoutNames takes the names of countries out of terms.
func withoutNames(terms []string) []string {
	for _, m := range slices.Backward(country.Mentions(terms)) {
		terms = slices.Delete(terms, m.Start, m.End)
	}
	return terms
}

// leaning reports whether a question needs the conversation to be understood: because it
// points back, or because it is short and says nothing that stands by itself. One that
// names a country, or a body, a place or a person that nobody has spoken of, and says
// something of it, asks about that (« Quelle est la capitale de l’Australie ? »).
func leaning(text string, before []string) bool {
	if leans.MatchString(law.Fold(strings.TrimSpace(text))) {
		return true
	}
	if len(french.Terms(text)) > shortQuestion {
		return false
	}
	terms, countries := Content(text)
	names := newNames(text, before)
	own := slices.ContainsFunc(terms, func(t string) bool { return !french.Shaping(t) && !french.Measure(t) && !names[t] })
	return len(countries) == 0 && len(names) == 0 || !own
}

// newNames are the names that a text writes with a capital and that none of the texts
// before it has.
func newNames(text string, before []string) map[string]bool {
	names := properNames(text)
	for _, earlier := range before {
		for _, t := range french.Terms(earlier) {
			delete(names, t)
		}
	}
	return names
}

// prognosis finds, in folded text, the questions that no law answers: how a case
// of one's own will end.
var prognosis = lazyre.New(`\b((vais|va)(-| )?(je|t-on)? ?(gagner|perdre)|(mes|nos|quelles) (sont mes )?chances|(je|on) vais? (gagner|perdre|reussir|obtenir gain)|gagnerai|perdrai)\b`)

// lawless reports whether no law answers a question, folded, whatever words it shares with one.
func lawless(folded string) bool {
	return prognosis.MatchString(folded) || advice.MatchString(folded)
}

// advice finds, in folded text, the questions that ask what to do with one's life or
// money, whose name an office bears, or for some other work: no law says either.
var advice = lazyre.New(`\b(?:que (me |nous )?conseill|a ma place|(vaut-il|vaut) mieux|(dois-je|je dois|devrais-je|je devrais|faut-il que je) (quitter (mon|ma) (mari|femme|epou|conjoint|compagn|copain|copine|petite? ami)|epouser|pardonner|croire)` +
	`|qui est (actuellement|l'actuel|l'actuelle|en ce moment)|comment s'appelle (le|la|l'|les|notre) ?(actuel(le)? )?(president|premier|ministre|maire|chef|direct|roi|gouverneur|juge|inspect|prefet|depute|senateur)` +
	`|date d(e|u) (la |l'|les )?prochaine?s?)` +
	`|^ *(traduis|traduisez|ecris|ecrivez|raconte|racontez|chante|dessine|redige|redigez|invente)\b`)
