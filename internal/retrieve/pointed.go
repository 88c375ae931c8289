package retrieve

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/french"
	"vigueur/internal/law"
)

// How a question points, in folded text, at an article or a text that the
// conversation named.
var (
	sameArticle = regexp.MustCompile(`\b(le meme article|cet article|ledit article|l'article en question|l'article (cite|vise|mentionne)|(cite|donne|montre|affiche|recopie|lire|lis|voir)[rz]?(-moi|-nous)? (le texte de )?(l'|cet )?article)\b`)
	sameText    = regexp.MustCompile(`\b(?:(?:ladite|cette|(?:de )?la meme) (?:loi|ordonnance|convention|circulaire|constitution)|(?:ledit|ce|le meme) (?:code|decret|texte|reglement|dahir)|(?:ledit|cet|le meme) (?:arrete|acte))\b`)
	nextArticle = regexp.MustCompile(`\b(l'article (precedent|suivant|d'avant|d'apres))\b`)
)

// prognosis finds, in folded text, the questions that no law answers: how a case
// of one's own will end.
var prognosis = regexp.MustCompile(`\b((vais|va)(-| )?(je|t-on)? ?(gagner|perdre)|(mes|nos|quelles) (sont mes )?chances|(je|on) vais? (gagner|perdre|reussir|obtenir gain)|gagnerai|perdrai)\b`)

// lawless tells whether no law answers a question, whatever words it shares with one.
func lawless(question string) bool {
	folded := law.Fold(question)
	return prognosis.MatchString(folded) || advice.MatchString(folded)
}

// advice finds, in folded text, the questions that ask what to do with one's life or
// money, whose name an office bears, or for some other work: no law says either.
var advice = regexp.MustCompile(`\b(?:que (me |nous )?conseill|a ma place|(vaut-il|vaut) mieux|(dois-je|je dois|devrais-je|je devrais|faut-il que je) (quitter (mon|ma) (mari|femme|epou|conjoint|compagn|copain|copine|petite? ami)|epouser|pardonner|croire)` +
	`|qui est (actuellement|l'actuel|l'actuelle|en ce moment)|comment s'appelle (le|la|l'|les|notre) ?(actuel(le)? )?(president|premier|ministre|maire|chef|direct|roi|gouverneur|juge|inspect|prefet|depute|senateur)` +
	`|date d(e|u) (la |l'|les )?prochaine?s?)` +
	`|^ *(traduis|traduisez|ecris|ecrivez|raconte|racontez|chante|dessine|redige|redigez|invente)\b`)

// pointed are the references of a question, those that it makes by pointing back
// included.
func pointed(q Question) []law.Reference {
	out := law.References(q.Text)
	folded := law.Fold(q.Text)
	step := 0
	switch m := nextArticle.FindStringSubmatch(folded); {
	case len(m) > 0 && (m[2] == "precedent" || m[2] == "d'avant"):
		step = -1
	case len(m) > 0:
		step = 1
	case !sameArticle.MatchString(folded) || slices.ContainsFunc(out, func(r law.Reference) bool { return len(r.Articles) > 0 }):
		return append(out, sameTextOf(q, folded, out)...)
	}
	last, ok := q.lastNamed(func(r law.Reference) bool { return len(r.Articles) > 0 })
	if !ok {
		return out
	}
	number := last.Articles[len(last.Articles)-1]
	if step != 0 {
		if number, ok = beside(number, step); !ok {
			return out
		}
	}
	last.Articles = []string{number}
	return append(out, last)
}

// sameTextOf is the text that the conversation named last, where a question
// points at one and names none itself.
func sameTextOf(q Question, folded string, own []law.Reference) []law.Reference {
	if !sameText.MatchString(folded) || slices.ContainsFunc(own, namesText) {
		return nil
	}
	last, ok := q.lastNamed(namesText)
	if !ok {
		return nil
	}
	last.Articles = nil
	return []law.Reference{last}
}

// lastNamed is the last reference of its kind in the conversation: of an answer
// the first, which is what the answer rests on.
func (q Question) lastNamed(fits func(law.Reference) bool) (law.Reference, bool) {
	for i, asked := range slices.Backward(q.History) {
		if i < len(q.Answers) {
			for _, r := range law.References(q.Answers[i]) {
				if fits(r) {
					return r, true
				}
			}
		}
		for _, r := range slices.Backward(law.References(asked)) {
			if fits(r) {
				return r, true
			}
		}
	}
	return law.Reference{}, false
}

// suffixes are what numbers of articles that were put in later end with, in order.
var suffixes = []string{"", " bis", " ter", " quater", " quinquies"}

// beside is the number of the article before or behind one: « 52 bis » before
// « 52 ter », « 11 » before « 12 ».
func beside(number string, step int) (string, bool) {
	base, suffix, _ := strings.Cut(number, " ")
	if at := slices.Index(suffixes, " "+suffix) + step; suffix != "" && at >= 0 && at < len(suffixes) {
		return base + suffixes[at], true
	}
	n, err := strconv.Atoi(strings.TrimSuffix(base, "er"))
	if err != nil || suffix != "" || n+step < 1 {
		return "", false
	}
	return strconv.Itoa(n + step), true
}

// kinds are the words that names of texts begin with.
var kinds = []string{"loi", "ordonnance", "décret", "arrêté", "circulaire", "dahir", "code", "constitution", "convention", "acte", "traité", "règlement"}

// textName is how a question names a text, without the articles before it.
func textName(question string, r law.Reference) string {
	name := strings.TrimSpace(question[r.Start:r.End])
	for _, word := range kinds {
		if i := strings.Index(strings.ToLower(name), word); i >= 0 && i < len(name) {
			return strings.TrimRight(name[i:], " ?.,;:!\u00a0\u202f")
		}
	}
	if r.Number == "" {
		return r.Title
	}
	return "n° " + r.Number
}

// plain are the terms of a title without the country whose it is: « code du
// travail burkinabè » calls itself « Code du travail ».
func plain(title string) string {
	terms, _ := content(title)
	return strings.Join(terms, " ")
}

// spokenHits is how many of the best hits may speak of a text.
const spokenHits = 5

// spokenOf tells whether one of the hits names the text, as an amending law does.
func spokenOf(r law.Reference, hits []Hit) bool {
	return slices.ContainsFunc(hits[:min(len(hits), spokenHits)], func(h Hit) bool {
		all := h.Document.Title + "\n" + h.Text()
		if h.Article.Wording != nil {
			all += "\n" + h.Article.Wording.TargetTitle
		}
		if r.Number == "" {
			return strings.Contains(" "+strings.Join(french.Terms(all), " ")+" ", " "+plain(r.Title)+" ")
		}
		number := french.TextTerm(r.Number)
		return slices.ContainsFunc(french.Terms(all), func(t string) bool { return french.SameText(t, number) })
	})
}
