package retrieve

import (
	"regexp"
	"strings"

	"vigueur/internal/french"
)

// turnsKept is how many earlier questions a leaning one takes along.
const turnsKept = 2

// shortQuestion is how few words that say something a question has when it is
// taken to lean on the one before.
const shortQuestion = 2

// leans finds the words by which a question points back, in folded text.
var leans = regexp.MustCompile(`^(et|ou|mais|alors|donc|sinon|idem|pareil|meme chose)\b` +
	`|\b(cet article|cette (loi|disposition|regle|duree|periode|indemnite|sanction|peine|amende|procedure|obligation|personne|somme)` +
	`|ce (delai|texte|code|decret|cas|droit|taux|montant|conge|contrat|preavis|point|dernier)|cet (arrete|age|avis)` +
	`|ces (articles|delais|textes|conditions|regles)|celui-ci|celle-ci|ceux-ci|celles-ci|dans ce cas|a ce sujet|la-dessus` +
	`|y a-t-il une exception|le meme|la meme|les memes|aussi)\b`)

// earlier gives the earlier questions that q leans on, the last first, "" when
// it stands by itself.
func earlier(q Question) string {
	if len(q.History) == 0 || !leaning(q.Text) {
		return ""
	}
	var b strings.Builder
	for i := len(q.History) - 1; i >= max(0, len(q.History)-turnsKept); i-- {
		b.WriteString(q.History[i])
		b.WriteByte('\n')
	}
	return b.String()
}

// leaning tells whether a question needs the conversation to be understood.
func leaning(question string) bool {
	if leans.MatchString(french.Fold(strings.TrimSpace(question))) {
		return true
	}
	return len(french.Terms(question)) <= shortQuestion
}
