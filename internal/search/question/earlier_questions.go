package question

import (
	"slices"
	"strings"
	"time"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
)

// turnsKept is the maximum number of earlier questions that a dependent question takes along.
const turnsKept = 4

// shortQuestion is the maximum number of words, without stop words, of a question that is taken to depend on the one
// before because it is short.
const shortQuestion = 2

// pointsBack matches, in folded text, the words by which a question points back.
var pointsBack = lazyre.New(`^(et|ou|mais|alors|donc|sinon|idem|pareil|meme chose)\b` +
	`|\b(cet article|cette (loi|disposition|regle|duree|periode|indemnite|sanction|peine|amende|procedure|obligation|personne|somme)` +
	`|ce (delai|texte|code|decret|cas|droit|taux|montant|conge|contrat|preavis|point|dernier)|cet (arrete|age|avis)` +
	`|ces (articles|delais|textes|conditions|regles)|celui-ci|celle-ci|ceux-ci|celles-ci|dans ce cas|a ce sujet|la-dessus` +
	`|y a-t-il une exception|le meme|la meme|les memes|aussi)\b`)

// earlier returns the earlier questions that the current one depends on, the last first, back to one that
// depends on none. named are the countries that the current question names. Only the country named last is
// asked about, so those before it are left out.
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
		if !dependsOnConversation(c.Asked[i], c.saidBefore(i)) {
			break
		}
	}
	return b.String()
}

// lastDay returns the day whose law the earlier questions ask about that the current one depends on, nil if there is none.
func (c Conversation) lastDay() *time.Time {
	for i := len(c.Asked) - 1; i >= max(0, len(c.Asked)-turnsKept); i-- {
		asked := Conversation{Asked: c.Asked[:i], Answers: c.Answers[:min(i, len(c.Answers))], Today: c.Today}
		text, _, _ := asked.onAnotherDay(c.Asked[i])
		if t := timeIn(text, References(text), c.Today); t.day != nil || t.now {
			return t.day
		}
		if !dependsOnConversation(c.Asked[i], c.saidBefore(i)) {
			break
		}
	}
	return nil
}

// dayAlone are words that may stand beside a day in a message that says nothing else.
var dayAlone = wordSet("et ou mais alors donc c' est etait plutot disons svp merci bonjour bonsoir oui non celui celle la le du de l' d' en au version redaction droit pour je veux voulais voudrais parle date jour plait s' il vous te stp a")

// onAnotherDay handles a message that only names another day, such as « et en 2015 ? », or answers which day was meant.
// It returns the last question as of that day, what was said before it, and the number of questions that it replaces.
// It returns any other message unchanged.
func (c Conversation) onAnotherDay(text string) (string, Conversation, int) {
	last := len(c.Asked) - 1
	if last < 0 {
		return text, c, 0
	}
	r := &reading{text: text, words: wordsOutsideQuotes(text), today: c.Today}
	moments := r.moments(func(int) bool { return false })
	if len(moments) == 0 && len(r.words) == 1 { // « 2015 »
		if year, next := r.yearAt(0); next > 0 {
			first, end := yearDays(year)
			moments = []moment{{to: next, first: first, last: end}}
		}
	}
	if len(moments) != 1 || !moments[0].known() && moments[0].how != present {
		return text, c, 0
	}
	for i, w := range r.words {
		if (i < moments[0].from || i >= moments[0].to) && !dayAlone[w.text] {
			return text, c, 0
		}
	}
	before := c
	before.Asked, before.Answers = c.Asked[:last], c.Answers[:min(last, len(c.Answers))]
	whole, before, replaced := before.onAnotherDay(c.Asked[last])
	if at := timeIn(whole, References(whole), c.Today).at; at[1] > 0 {
		whole = whole[:at[0]] + whole[at[1]:]
	}
	when := "aujourd’hui"
	if moments[0].known() {
		when = "à la date du " + law.WriteDate(moments[0].last)
	}
	return strings.TrimRight(whole, " ?!.,\u00a0\u202f") + " " + when + " ?", before, replaced + 1
}

// saidBefore returns everything that was said before the question with the given index.
func (c Conversation) saidBefore(place int) []string {
	return slices.Concat(c.Asked[:place], c.Answers[:min(place, len(c.Answers))])
}

// withoutCountries removes the names of countries from a text.
func withoutCountries(text string) string {
	tokens := slices.DeleteFunc(french.Analyze(text), func(t french.Token) bool { return t.Stop })
	for _, m := range slices.Backward(country.Mentions(french.Terms(text))) {
		text = text[:tokens[m.Start].Start] + text[tokens[m.End-1].End:]
	}
	return text
}

// withoutNames removes the names of countries from terms.
func withoutNames(terms []string) []string {
	for _, m := range slices.Backward(country.Mentions(terms)) {
		terms = slices.Delete(terms, m.Start, m.End)
	}
	return terms
}

// dependsOnConversation reports whether a question depends on the conversation, because it points back, or because it
// is short and not clear alone. A short question that names a country, or a body, a place or a person that nobody has
// mentioned, and says something about it, is clear alone (« Quelle est la capitale de l’Australie ? »).
func dependsOnConversation(text string, before []string) bool {
	if pointsBack.MatchString(law.Fold(strings.TrimSpace(text))) {
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

// newNames returns the names that a text writes with a capital and that no earlier text contains.
func newNames(text string, before []string) map[string]bool {
	names := properNames(text)
	for _, earlier := range before {
		for _, t := range french.Terms(earlier) {
			delete(names, t)
		}
	}
	return names
}
