package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law/french"
)

// Kind is the set of kinds of answer that a question asks for. Question.Figures distinguishes the kinds of
// figures.
type Kind uint16

// The kinds. A question may ask for several: « quelles pièces faut-il et combien
// cela coûte-t-il ? ».
const (
	Listed     Kind = 1 << iota // a list or a procedure: « quelles sont les », « comment »
	Several                     // things in the plural: « quels … »
	Modal                       // whether something may or must be: yes or no
	Definition                  // what something is
	Wording                     // the text itself: « que dit l'article 5 ? »
	Status                      // the state of a text; see Question.Status
	Figured                     // a figure; see Question.Figures
)

// Has reports whether all kinds of other are asked for.
func (k Kind) Has(other Kind) bool { return k&other == other }

// The words, in folded text, by which French asks for each kind: interrogatives, and nouns for the thing
// that is asked.
var (
	lists       = lazyre.New(`\b(quelles? sont les|quels sont les|lesquel|enumere|liste|etapes|comment|procedure|pieces a fournir|quelles? (pieces|conditions|mentions|formalites|sanctions|peines|obligations)|quels (documents|cas|droits|motifs))\b`)
	modals      = lazyre.New(`\b(peut-(on|il|elle)|peuvent-(ils|elles)|puis-je|dois-je|doit-(on|il|elle)|doivent-|ai-je le droit|a-t-(il|elle|on) le droit|a droit|est-ce (permis|possible|interdit|obligatoire|autorise|legal)|est-il (permis|possible|interdit|obligatoire|oblige|autorise|tenu)|est-elle (permise|possible|interdite|obligatoire|autorisee|susceptible)|faut-il|(?:que|quoi) (?:doit|doivent)|obligatoire|interdit|autorisee?|le droit de)\b`)
	definitions = lazyre.New(`\b(definition|definir|defini|qu'est-ce qu|c'est quoi|que signifie|que veut dire|qu'appelle-t-on|entend-on|considere)`)
	plural      = lazyre.New(`\bquel(?:le)?s (?:sont )?(?:les |des )?\pL+`)
	personal    = lazyre.New(`\b(mon|ma|mes|m'a|m'ont|je|moi|nous|notre|nos)\b`)
)

// howMany matches what « combien de … » counts.
var howMany = lazyre.New(`(?i)combien d(?:e |['’])(\pL+)`)

// countedTerm returns the term of what a question wants counted.
func countedTerm(text string) string {
	m := howMany.FindStringSubmatch(text)
	if len(m) == 0 {
		return ""
	}
	if terms := french.Terms(m[1]); len(terms) == 1 {
		return terms[0]
	}
	return ""
}

func kindOf(folded string, q Question) (k Kind) {
	for kind, words := range map[Kind]*lazyre.Regexp{Listed: lists, Several: plural, Modal: modals, Definition: definitions} {
		if words.MatchString(folded) {
			k |= kind
		}
	}
	if q.Figures != 0 {
		k |= Figured
	}
	if q.Status != 0 {
		k |= Status
	}
	if len(q.References) > 0 && len(q.Substance()) == 0 {
		k |= Wording
	}
	return k
}

// pointing matches words that ask for a text itself, or point at it.
var pointing = lazyre.New(`(?i)\b(?:cite[rz]?|donne[rz]?|montre[rz]?|affiche[rz]?|recopie[rz]?|explique[rz]?|lire|lis|voir|dit|disent|disai(?:t|ent)|énonce(?:nt)?|énonçai(?:t|ent)|stipule(?:nt)?|stipulai(?:t|ent)|prévoit|prévoient|prévoyai(?:t|ent)|dispose(?:nt)?|disposai(?:t|ent)|encore|même|précédente?|suivante?|d['’]avant|d['’]après|en entier|exacte?|complet|intégral|contenu|texte|teneur|ledit|articles?)(?:\P{L}|$)`)

// Substance returns the terms that say what a question asks about the texts that it names. It leaves out countries,
// references, the day and words that only refer to texts. « que dit l'article 5 de la loi n° 2010-05 ? » has none.
func (q Question) Substance() []string {
	text := []byte(q.Text)
	for _, r := range q.References {
		if r.Pointed {
			continue
		}
		for i := max(0, r.Start); i < min(r.End, len(text)); i++ {
			text[i] = ' '
		}
	}
	for i := q.dayAt[0]; i < q.dayAt[1]; i++ {
		text[i] = ' '
	}
	rest := pointing.ReplaceAllStringFunc(string(text), func(string) string { return " " })
	return Words(rest)
}

// summing are the terms of words that ask for a summary, and of words for what is summarized.
var summing = termSet("résumer résume résumé synthèse synthétiser reformuler simplifier abréger raccourcir bref court simple simplement plus faire fais donner phrase")

func termSet(words string) map[string]bool {
	set := make(map[string]bool)
	for _, t := range french.Terms(words) {
		set[t] = true
	}
	return set
}

// WholeText reports whether a question asks for a summary of whole texts and for nothing in particular.
func (q Question) WholeText() bool {
	return q.Request == Summary && !slices.ContainsFunc(q.Substance(), func(t string) bool { return !summing[t] })
}

// Words returns the terms of a text that may say what is asked. It leaves out countries and the names of
// articles and texts.
func Words(text string) []string {
	for _, r := range backward(References(text)) {
		if r.Title != "" && r.End-r.Start < len(strings.TrimSpace(text)) {
			text = text[:r.Start] + " " + text[r.End:]
		}
	}
	var terms []string
	for _, t := range french.Analyze(text) {
		if !t.Stop && t.Kind != french.Article && t.Kind != french.Text && t.Term != "articl" {
			terms = append(terms, t.Term)
		}
	}
	return withoutNames(terms)
}

// properNames returns the terms that a question writes with a capital, such as towns, institutions and
// acronyms. First words of sentences do not count.
func properNames(text string) map[string]bool {
	names := make(map[string]bool)
	for _, sentence := range french.Sentences(text) {
		for i, t := range french.Analyze(text[sentence.Start:sentence.End]) {
			first, _ := utf8.DecodeRuneInString(text[sentence.Start+t.Start:])
			if i > 0 && t.Kind == french.Word && unicode.IsUpper(first) {
				names[t.Term] = true
			}
		}
	}
	return names
}

// askingTerms returns the terms of the sentences that end with a question mark.
func askingTerms(text string) map[string]bool {
	terms := make(map[string]bool)
	for _, sentence := range french.Sentences(text) {
		if s := strings.TrimSpace(text[sentence.Start:sentence.End]); strings.HasSuffix(s, "?") {
			for _, t := range french.Terms(s) {
				terms[t] = true
			}
		}
	}
	return terms
}
