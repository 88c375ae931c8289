package refer

import (
	"fmt"
	"strings"
	"time"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/law"
	"vigueur/internal/search/named"
)

// ofName returns the name of the text with « de »: « de la loi n° 2010-05 du 3 mai 2010 portant … ».
func ofName(t named.Candidate) string { return extractive.OfText(t.Document.Title) }

// theText returns the name of the text within a sentence: « la loi n° 2010-05 … ».
func theText(t named.Candidate) string {
	of := ofName(t)
	for from, to := range map[string]string{"de la ": "la ", "de l’": "l’", "du texte ": "le texte ", "du ": "le "} {
		if rest, ok := strings.CutPrefix(of, from); ok {
			return to + rest
		}
	}
	return of
}

// feminine reports whether the noun for the text is feminine.
func feminine(t named.Candidate) bool {
	of := ofName(t)
	if strings.HasPrefix(of, "de la ") {
		return true
	}
	word, _, _ := strings.Cut(strings.TrimPrefix(of, "de l’"), " ")
	switch law.Fold(word) {
	case "ordonnance", "instruction":
		return true
	}
	return false
}

// agree returns a participle that agrees with the text: « abrogée », « abrogé ».
func agree(t named.Candidate, participle string) string {
	if feminine(t) {
		return participle + "e"
	}
	return participle
}

// article names an article: « l’article 5 », « l’annexe I », or a part of a text without a number.
func article(number, heading string) string {
	switch folded := law.Fold(number); {
	case number == "" && heading != "":
		return "la partie « " + heading + " »"
	case number == "":
		return "le corps du texte"
	case strings.HasPrefix(folded, "annexe"), strings.HasPrefix(folded, "article"):
		return "l’" + law.Small(number)
	}
	return "l’article " + number
}

// listArticles names articles: « l’article 3 », « les articles 3, 5 et 7 ».
func listArticles(numbers []string) string {
	const limit = 12
	if len(numbers) == 1 {
		return article(numbers[0], "")
	}
	if more := len(numbers) - limit; more > 0 {
		return fmt.Sprintf("les articles %s et %d autres", strings.Join(numbers[:limit], ", "), more)
	}
	return "les articles " + strings.Join(numbers[:len(numbers)-1], ", ") + " et " + numbers[len(numbers)-1]
}

func day(t time.Time) string { return law.WriteDate(t) }
