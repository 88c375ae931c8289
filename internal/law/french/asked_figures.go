package french

import (
	"regexp"
	"strconv"
	"strings"

	"vigueur/internal/law"
)

// Figures are kinds of figures, as a set.
type Figures uint8

// The kinds.
const (
	Time    Figures = 1 << iota // a length of time, an age, a date
	Sum                         // a sum
	Rate                        // a rate
	Count                       // any other number
	Years                       // a number of years, as an age is
	Penalty                     // what follows on a breach: told in figures or not
)

// asked are the words, in folded text, that ask for a kind of figure.
var asked = []struct {
	kind  Figures
	words *regexp.Regexp
}{
	{Time, regexp.MustCompile(`\b(delais?|durees?|dure|durent|combien de (temps|jours|mois|semaines|annees|heures|minutes)|jusqu'a quand|depuis quand|a partir de quand|quand|ages?|quelle date|combien d'(heures|annees)|combien de fois|prescription|preavis)\b`)},
	{Penalty, regexp.MustCompile(`\b(quelles? (est la |sont les )?(peines?|sanctions?)|puni(e|s|es)?|(que|je|on|il|elle|ils|elles|tu|nous|vous) risqu(e|es|ent|ons|ez)|risqu(e|es|ent|ons|ez)-|encourt|encourent|encouru)\b`)},
	{Sum, regexp.MustCompile(`\b(montant|coute|coutent|cout|prix|amende|salaire minimum|smig|smag|smic|capital|prime|somme|tarif|indemnite|combien (faut-il payer|dois-je payer|gagne|touche)|a combien est fixee?|a combien s'eleve|plafond|quel(le)?s? (est|sont) (le|la|l'|les) ?(salaires?|remunerations?|loyers?|frais))\b`)},
	{Rate, regexp.MustCompile(`\b(taux|pourcentage|majoration|combien|prime|quelle part|quotite)\b`)},
	{Count, regexp.MustCompile(`\bcombien\b|\bnombre\b|\bnumero\b`)},
}

// Asks returns the kinds of figures that would answer a question.
func Asks(question string) (kinds Figures) {
	folded := law.Fold(question)
	if whether.MatchString(folded) && !which.MatchString(folded) {
		return 0
	}
	if what.MatchString(folded) && !measured.MatchString(folded) {
		return 0
	}
	for _, a := range asked {
		if a.words.MatchString(folded) {
			kinds |= a.kind
		}
	}
	if kinds&(Time|Sum|Penalty) != 0 {
		kinds &^= Rate | Count // « combien » of what is said more closely
	}
	if howOld.MatchString(folded) {
		return Years
	}
	if howLong.MatchString(folded) {
		kinds = Time
	}
	return kinds
}

// whether finds the questions that yes or no answers, which tells of them where
// they have no word that asks for more: « retenir une amende, a-t-il le droit ? »
// asks for no sum.
var (
	whether = regexp.MustCompile(`\b(est-ce qu|(je|on|il|elle|ils|elles) (peut|peux|peuvent|doit|dois|doivent)\b|j'ai (le )?droit|\pL+-(t-)?(il|elle|ils|elles|on|je|nous|ce)\b)`)
	which   = regexp.MustCompile(`\b(combien|quel(le)?s?|quand|comment|qui|que|qu'|quoi|pourquoi|a partir|jusqu|age|risqu\pL+|encour\pL+)\b`)
)

// what finds the questions who or what, and measured the words that ask for a figure
// all the same: « que faire quand le capital est perdu ? » asks for no sum.
var (
	what     = regexp.MustCompile(`^\P{L}*(?:que|qu'|qui|pourquoi|quoi|a qui|par qui|devant qui|de quoi|ou)(?:\P{L}|$)`)
	measured = regexp.MustCompile(`\b(combien|quel(le)?s?|age|risqu\pL+|encour\pL+|coute|puni\pL*|jusqu'a quand)\b`)
)

// howOld finds the questions that an age answers.
var howOld = regexp.MustCompile(`\b(quel (est l')?age|l'age (legal|minimum|minimal|maximum))\b`)

// howLong finds the questions that only a length of time answers.
var howLong = regexp.MustCompile(`\b(combien (de (temps|jours|mois|semaines|annees|heures|minutes)|d'(heures|annees))|quelle (est la )?duree|quel (est le )?delai)\b`)

// FiguresOf returns the kinds of figures that a text has.
func FiguresOf(text string) (kinds Figures) {
	for _, f := range Facts(enumerator.ReplaceAllString(text, "")) {
		switch f.Kind {
		case Date:
			kinds |= Time
		case Number:
			kinds |= figureOf(f)
		}
	}
	if uncounted.MatchString(text) {
		kinds |= Time
	}
	if pay.MatchString(text) {
		kinds |= Sum
	}
	if penalty.MatchString(onPain.ReplaceAllString(text, "")) {
		kinds |= Penalty
	}
	return kinds
}

// uncounted finds the terms that are set without a number: « dans le mois de la
// signification », « sous huitaine ».
var uncounted = regexp.MustCompile(`(?i)\b(?:dans (?:le mois|l['’]année|l['’]an|la semaine|la quinzaine|la huitaine|la journée)|sous (?:huitaine|quinzaine))\b`)

// pay finds the sums that are told as a time: « trois mois de salaire ».
var pay = regexp.MustCompile(`(?i)\b(?:ans?|années?|mois|semaines?|jours?|journées?|heures?) de (?:salaire|rémunération|traitement|solde|loyer)s?\b`)

// penalty finds the sentences that say what follows on a breach, onPain those words
// of the same kind that only say what a deed is worth that lacks something: « à peine
// de nullité ».
var (
	penalty = regexp.MustCompile(`(?i)\b(?:puni(?:e|s|es|t|ssables?)?|passibles?|encour\pL+|s['’]expos\pL+|sanctions?|sanctionn\pL+|amendes?|emprisonnement|réclusion|travaux forcés|peines?|astreintes?|révocation|radiation|blâme|mise à pied|confiscation|pénalités?)(?:\P{L}|$)`)
	onPain  = regexp.MustCompile(`(?i)(?:^|\P{L})(?:à|sous) peine d`)
)

// enumerator finds the number of a paragraph or an item: « (1) », « 2° », « 3 - ».
var enumerator = regexp.MustCompile(`(?m)^\s*\(?\d{1,2}\s?(?:[).°]|-\s)+`)

func figureOf(f Fact) Figures {
	_, unit, _ := strings.Cut(f.Value, " ")
	switch unit {
	case "":
		return Count
	case "%":
		return Rate
	case "franc", "euro", "dinar", "dirham", "écu", "dollar", "ariary", "ouguiya", "gourde", "naira":
		return Sum
	case "mètre", "kilomètre", "hectare", "kilogramme", "tonne", "litre":
		return Count
	}
	if unit == "an" {
		return Time | Years
	}
	return Time
}

// Shaping reports whether a term of a question says what kind of answer is asked
// for more than what about: « quelle est la durée de … », « combien coûte … ».
func Shaping(term string) bool { return shapes[term] }

// Measure reports whether a term is a number that measures the case a question
// tells of: « 80 m² », « 3 ans de maison ». Years name days and texts.
func Measure(term string) bool {
	n, err := strconv.Atoi(term)
	return err == nil && (n < 1800 || n > 2200)
}

var shapes = func() map[string]bool {
	m := make(map[string]bool)
	for _, t := range Terms("temps durée dure durer délai coûte coûter coût montant somme nombre taux pourcentage âge date " +
		"existe prévoit prévoir prévu prévue possible signifie définition définir différence sorte type genre condition conditions maximum maximal maximale minimal minimale " +
		"règle règles loi légal légale légalement code article texte " +
		"payer paie paient payé attendre arrêter passer passe rester prendre mettre donner trouver chercher demander vivre vie aller pays personne gens chose façon manière besoin argent problème faire combien " +
		"jour jours mois semaine semaines an ans année années " +
		"devenir deviennent devient lieu quelque quelconque petit petite grand grande risquer risque arriver vouloir veut veulent devoir droit rapport valeur m2 mètre mètres kilomètre") {
		m[t] = true
	}
	return m
}()
