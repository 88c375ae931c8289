package extractive

import (
	"cmp"
	"strings"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/decide"
	read "vigueur/internal/search/question"
)

// undone are the introductions of answers to messages that want more done than the law quoted.
var undone = map[read.Request]string{
	read.Summary:     "Ce service ne résume ni ne reformule ; voici ce que disent les textes, mot pour mot",
	read.Draft:       "Ce service n’écrit ni lettre ni acte ; voici ce que les textes disent du sujet",
	read.Calculation: "Ce service ne fait pas le calcul ; voici la règle",
}

// lawless are the answers to messages that no law answers.
var lawless = map[read.Request]string{
	read.Prognosis:   "Aucun texte ne dit comment une affaire finira.",
	read.Advice:      "Ce service ne donne pas de conseil : il cite ce que les textes prévoient.",
	read.News:        "Le catalogue contient des textes, et non l’actualité ni le nom de qui exerce une fonction.",
	read.Translation: "Ce service ne traduit pas.",
	read.Arithmetic:  "Ce service ne fait pas de calcul.",
	read.OtherWork:   "Ce service ne fait que citer des textes officiels.",
	read.Despair:     "Parlez-en tout de suite à un proche, à un médecin ou aux secours : aucun texte de loi ne répond à cela.",
}

// abstain writes that nothing found answers: what was understood of the question, which
// texts are near, and what to ask instead.
func abstain(p llm.Prompt, yield func(string) error) error {
	q := p.Read()
	sentences := []string{cmp.Or(lawless[q.Request], "Je n’ai trouvé dans le catalogue aucun texte qui réponde à cette question.")}
	if not, _, undone := strings.Cut(undone[q.Request], " ;"); undone {
		sentences = append([]string{not + "."}, sentences...)
	}
	if len(p.Missing) > 0 {
		sentences = append(sentences, "Le catalogue n’a pas le texte demandé : "+strings.Join(p.Missing, " ; ")+".")
	}
	if about := understood(q); about != "" {
		sentences = append(sentences, "J’ai cherché : "+about+".")
	}
	if q.Own && q.Request != read.Despair {
		sentences = append(sentences, "Pour un avis sur votre situation, adressez-vous à un avocat ou à un service d’aide juridique.")
	}
	for i, s := range sentences {
		if i > 0 {
			s = " " + s
		}
		if err := yield(s); err != nil {
			return err
		}
	}
	if names := nearest(p.Passages); len(names) > 0 && !q.Request.Lawless() {
		if err := yield("\n\nLes textes les plus proches, à lire sans certitude d’y trouver la réponse : " + strings.Join(names, " ; ") + "."); err != nil {
			return err
		}
	}
	return yield("\n\n" + advice(p, q))
}

// understood returns what the search was bound to: the countries, the day and the earlier
// question; "" if it was bound to nothing.
func understood(q read.Question) string {
	var parts []string
	for _, c := range q.AskedCountries() {
		if name := country.Name(c); name != "" {
			parts = append(parts, name)
		}
	}
	if len(parts) > 0 {
		parts = []string{"le droit de ce pays (" + strings.Join(parts, ", ") + ")"}
	}
	if q.Day != nil {
		parts = append(parts, "le droit en vigueur le "+q.Day.Format("02/01/2006"))
	}
	if q.Earlier != "" {
		parts = append(parts, "à la suite de votre question précédente")
	}
	return strings.Join(parts, " ; ")
}

// advice returns what to ask instead, which depends on why nothing answers.
func advice(p llm.Prompt, q read.Question) string {
	switch {
	case q.Request == read.Despair:
		return "Vous n’êtes pas seul."
	case p.Verdict.Why == decide.NotFrench:
		return "Posez la question en français."
	case p.Verdict.Why == decide.NoLaw:
		return "Demandez ce qu’un texte prévoit : une condition, un délai, une peine, une autorité, une procédure."
	case p.Verdict.Why == decide.TextAbsent || len(p.Missing) > 0:
		return "Vérifiez le numéro et la date du texte, ou posez la question sans le nommer."
	case p.Verdict.Why == decide.OtherCountry:
		return "Le catalogue ne semble rien avoir de ce pays à ce sujet : posez la question pour un autre pays, ou nommez un texte."
	case len(q.AskedCountries()) == 0:
		return "Précisez le pays, le texte ou l’article, ou posez la question avec les mots de la loi."
	}
	return "Précisez le texte ou l’article, ou posez la question avec les mots de la loi."
}

// nearestLimit is the maximum number of texts that an abstention names.
const nearestLimit = 3

func nearest(passages []llm.Passage) []string {
	var names []string
	seen := make(map[string]bool)
	for _, p := range passages {
		if !p.Readable || seen[owningTitle(p)] || len(names) == nearestLimit {
			continue
		}
		seen[owningTitle(p)] = true
		name := law.Within(owningTitle(p))
		if p.Article != "" {
			name += ", " + strings.TrimPrefix(law.Small(articleName(p)), "l’")
		}
		names = append(names, name)
	}
	return names
}
