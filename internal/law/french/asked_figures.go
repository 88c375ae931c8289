package french

import (
	"regexp"
	"strconv"
	"strings"

	"vigueur/internal/law"
)

// Figures is a set of kinds of figures (numbers, dates, penalties) in a question or a text.
type Figures uint8

// The kinds of figures.
const (
	Time    Figures = 1 << iota // a length of time, an age or a date
	Sum                         // an amount of money
	Rate                        // a percentage or another rate
	Count                       // any other number
	Years                       // a number of years, such as an age
	Penalty                     // what follows a breach of the law, with or without numbers
)

// asked maps each kind of figure to the words that ask for it, in folded text.
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
		kinds &^= Rate | Count // the question says more exactly what « combien » asks for
	}
	if howOld.MatchString(folded) {
		return Years
	}
	if howLong.MatchString(folded) {
		kinds = Time
	}
	return kinds
}

// whether matches questions that are answered with yes or no. Such a question asks for no
// figure unless it contains a word of which: « retenir une amende, a-t-il le droit ? » asks
// for no amount.
var (
	whether = regexp.MustCompile(`\b(est-ce qu|(je|on|il|elle|ils|elles) (peut|peux|peuvent|doit|dois|doivent)\b|j'ai (le )?droit|\pL+-(t-)?(il|elle|ils|elles|on|je|nous|ce)\b)`)
	which   = regexp.MustCompile(`\b(combien|quel(le)?s?|quand|comment|qui|que|qu'|quoi|pourquoi|a partir|jusqu|age|risqu\pL+|encour\pL+)\b`)
)

// what matches questions for a person or a thing. Such a question asks for no figure unless
// it contains a word of measured: « que faire quand le capital est perdu ? » asks for no
// amount.
var (
	what     = regexp.MustCompile(`^\P{L}*(?:que|qu'|qui|pourquoi|quoi|a qui|par qui|devant qui|de quoi|ou)(?:\P{L}|$)`)
	measured = regexp.MustCompile(`\b(combien|quel(le)?s?|age|risqu\pL+|encour\pL+|coute|puni\pL*|jusqu'a quand)\b`)
)

// howOld matches questions that are answered with an age.
var howOld = regexp.MustCompile(`\b(quel (est l')?age|l'age (legal|minimum|minimal|maximum))\b`)

// howLong matches questions that only a length of time can answer.
var howLong = regexp.MustCompile(`\b(combien (de (temps|jours|mois|semaines|annees|heures|minutes)|d'(heures|annees))|quelle (est la )?duree|quel (est le )?delai)\b`)

// FiguresOf returns the kinds of figures that a text contains.
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

// uncounted matches time limits without a number: « dans le mois de la signification »,
// « sous huitaine ».
var uncounted = regexp.MustCompile(`(?i)\b(?:dans (?:le mois|l['’]année|l['’]an|la semaine|la quinzaine|la huitaine|la journée)|sous (?:huitaine|quinzaine))\b`)

// pay matches amounts of money that are expressed as a time: « trois mois de salaire ».
var pay = regexp.MustCompile(`(?i)\b(?:ans?|années?|mois|semaines?|jours?|journées?|heures?) de (?:salaire|rémunération|traitement|solde|loyer)s?\b`)

// penalty matches words that announce what follows a breach. onPain matches the same words
// where they only say that an act without something is void: « à peine de nullité ».
var (
	penalty = regexp.MustCompile(`(?i)\b(?:puni(?:e|s|es|t|ssables?)?|passibles?|encour\pL+|s['’]expos\pL+|sanctions?|sanctionn\pL+|amendes?|emprisonnement|réclusion|travaux forcés|peines?|astreintes?|révocation|radiation|blâme|mise à pied|confiscation|pénalités?)(?:\P{L}|$)`)
	onPain  = regexp.MustCompile(`(?i)(?:^|\P{L})(?:à|sous) peine d`)
)

// enumerator matches the number of a paragraph or an item: « (1) », « 2° », « 3 - ».
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

// Shaping reports whether a term of a question describes the kind of answer rather than the
// subject: « quelle est la durée de … », « combien coûte … ».
func Shaping(term string) bool { return shapes[term] }

// Measure reports whether a term is a number that measures the asker's case: « 80 m² », « 3
// ans de maison ». A number that can be a calendar year belongs to a date or a text
// instead.
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
