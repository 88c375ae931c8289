package extractive

import (
	"regexp"
	"slices"
	"strings"

	"vigueur/internal/law/french"
)

// defines matches sentences that define something.
var defines = regexp.MustCompile(`(?i)\bon entend par|\bs.entend\b|\bau sens d|\best dénommée?|\b(?:est|sont) considérée?s? comme|\bdésigne\b|^[^,;:]{3,90}\b(?:est|sont) (?:le |la |l.|les |une? |toute? |celui |celle |ceux )`)

// rules matches sentences that permit, forbid or oblige.
var rules = regexp.MustCompile(`(?i)\b(peut|peuvent|doit|doivent|interdite?s?|interdiction|obligatoires?|tenue?s? de|autoris\pL+|en aucun cas|est nulle?|droit|prohibée?s?|soumise?s?|susceptibles?)\b`)

// figureNouns are the terms of nouns that a figure often follows.
var figureNouns = func() map[string]bool {
	m := make(map[string]bool)
	for _, t := range french.Terms("âge taux montant capital prix tarif plafond délai durée") {
		m[t] = true
	}
	return m
}()

// counts reports whether a number precedes thing, directly or with one term between them.
func counts(order []string, thing string) bool {
	for i, t := range order {
		if t == thing && slices.ContainsFunc(order[max(0, i-2):i], numeral) {
			return true
		}
	}
	return false
}

// numeral reports whether a term is a number.
func numeral(term string) bool { return term[0] >= '0' && term[0] <= '9' }

// figureFollowsNoun reports whether a number follows a noun by which the question asks
// for a figure: « la durée du préavis est de trois mois ». At most four terms may be
// between them, such as the noun's complements and the verb; stop words are not counted.
func (q *question) figureFollowsNoun(order []string) bool {
	const window = 5
	for i, t := range order {
		if q.nouns[t] && slices.ContainsFunc(order[i+1:min(len(order), i+1+window)], numeral) {
			return true
		}
	}
	return false
}

// topic returns the share of the question that the first terms of a sentence have. A
// legal rule begins with its subject, which is a noun with up to two complements.
func (q *question) topic(u unit) float64 {
	const subject = 3
	terms := french.Terms(opening.ReplaceAllString(quotedNumber.ReplaceAllString(strings.Join(strings.Fields(u.text), " "), ""), ""))
	return q.share(terms[:min(subject, len(terms))])
}

// opening matches what precedes the subject of a sentence: its number, and a condition or
// reservation.
var opening = regexp.MustCompile(`^(?:\(?[\da-z]+[°)]\)? *)?(?:(?i:sauf|sous|dans|en|à|a|au|aux|pour|par|si|lorsqu\pL*|toutefois|nonobstant|outre|indépendamment|sans|pendant|après|avant|lors|conformément)[ '’][^,]*,)?`)

// specialCase matches the beginning of a sentence about a special case.
var specialCase = regexp.MustCompile(`^(?:\(?[\da-z]+[°)]\)? *)?(?:Si |S['’]ils? |Lorsqu|En cas d|Toutefois|Cependant|Néanmoins|Dans (?:le|ce|les|ces) cas|Au cas où|[AÀ] titre exceptionnel|Exceptionnellement|Par dérogation|Par exception)[^,]*`)

// compareCase compares the special case that a sentence begins with to the question. untold
// is the share of the case's terms that the question does not have; asked is how much
// more of the question the case has than the rest of the sentence. Both are 0 if there is
// no such case.
func (q *question) compareCase(u unit) (untold, asked float64) {
	end := len(specialCase.FindString(u.text))
	terms := french.Terms(u.text[:end])
	if len(terms) == 0 {
		return 0, 0
	}
	for _, t := range terms {
		set := map[string]bool{t: true}
		if !slices.ContainsFunc(q.words, func(w word) bool { return w.containedIn(set) > 0 }) {
			untold++
		}
	}
	return untold / float64(len(terms)), max(0, q.share(terms)-q.share(french.Terms(u.text[end:])))
}

// pairs returns the share of the question's pairs of neighboring words that are close
// together in the unit.
func (q *question) pairs(u unit) float64 {
	if len(q.words) < 2 {
		return 0
	}
	found := 0.0
	for i := range q.words[1:] {
		if q.words[i].near(&q.words[i+1], u.order) {
			found++
		}
	}
	return found / float64(len(q.words)-1)
}

// near reports whether forms of two words are close together, with at most two other
// terms between them: « préavis légal de la rupture » has the adjective between.
func (w *word) near(v *word, order []string) bool {
	const nearby = 3
	for i, t := range order {
		if w.forms[t] > 0 && slices.ContainsFunc(order[max(0, i-nearby):min(len(order), i+nearby+1)], func(other string) bool { return v.forms[other] > 0 }) {
			return true
		}
	}
	return false
}

// reserves matches sentences that limit the previous one.
var reserves = regexp.MustCompile(`^(?:\(?\d+[°)]\)? )?(Toutefois|Cependant|Néanmoins|Par dérogation|Par exception|Nonobstant|Sauf|Il cesse|Ils cessent|Elle cesse|(Les|Ces) dispositions (ci-dessus |de l.alinéa précédent |précédentes )?ne s.appliquent pas)`)

// exception matches sentences that make an exception.
var exception = regexp.MustCompile(`(?i)(dérog|exception|nonobstant|toutefois|sauf|ne s.appliquent? pas|hormis)`)

// pointsBack matches sentences that are meaningless without the previous one.
var pointsBack = regexp.MustCompile(`^(?:\(?\d+[°)]\)? )?(Toutefois|Cependant|Néanmoins|Il |Elle |Ils |Elles |Ce |Cet |Cette |Ces |Celui-ci|Celle-ci|En cas de récidive|Le même )`)

// hasDotLeaders reports whether a text has dot leaders, as the lines of a table of
// contents do.
func hasDotLeaders(text string) bool { return strings.Contains(text, ".....") }
