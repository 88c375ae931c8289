package retrieve

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/french"
	"vigueur/internal/law"
)

// How a question points, in folded text, at an article that the conversation
// named.
var (
	sameArticle = regexp.MustCompile(`\b(le meme article|cet article|ledit article|l'article en question|l'article (cite|vise|mentionne))\b`)
	nextArticle = regexp.MustCompile(`\b(l'article (precedent|suivant|d'avant|d'apres))\b`)
)

// prognosis finds, in folded text, the questions that no law answers: how a case
// of one's own will end.
var prognosis = regexp.MustCompile(`\b((vais|va)(-| )?(je|t-on)? ?(gagner|perdre)|(mes|nos|quelles) (sont mes )?chances|(je|on) vais? (gagner|perdre|reussir|obtenir gain)|gagnerai|perdrai)\b`)

// pointed are the references of a question, those that it makes by pointing back
// included.
func pointed(q Question) []law.Reference {
	out := law.References(q.Text)
	folded := french.Fold(q.Text)
	step := 0
	switch m := nextArticle.FindStringSubmatch(folded); {
	case len(m) > 0 && (m[2] == "precedent" || m[2] == "d'avant"):
		step = -1
	case len(m) > 0:
		step = 1
	case !sameArticle.MatchString(folded):
		return out
	}
	last, ok := lastNamed(q.History)
	if !ok {
		return out
	}
	if step != 0 {
		n, err := strconv.Atoi(strings.TrimSuffix(last.Articles[0], "er"))
		if err != nil || n+step < 1 {
			return out
		}
		last.Articles = []string{strconv.Itoa(n + step)}
	}
	return append(out, last)
}

// lastNamed is the article that the conversation named last.
func lastNamed(history []string) (r law.Reference, ok bool) {
	for _, asked := range slices.Backward(history) {
		for _, r := range slices.Backward(law.References(asked)) {
			if len(r.Articles) > 0 {
				r.Articles = slices.Clone(r.Articles)
				return r, true
			}
		}
	}
	return r, false
}

// textName is how a question names a text, without the articles before it.
func textName(question string, r law.Reference) string {
	name := strings.TrimSpace(question[r.Start:r.End])
	for _, word := range []string{"loi", "ordonnance", "décret", "arrêté", "circulaire", "dahir"} {
		if i := strings.Index(strings.ToLower(name), word); i >= 0 {
			return name[i:]
		}
	}
	return "n° " + r.Number
}

// spokenOf tells whether one of the hits names the text, as an amending law does.
func spokenOf(r law.Reference, hits []Hit) bool {
	term := french.TextTerm(r.Number)
	return slices.ContainsFunc(hits[:min(len(hits), judgedHits)], func(h Hit) bool {
		return slices.Contains(french.Terms(h.Document.Title+"\n"+h.Text()), term)
	})
}
