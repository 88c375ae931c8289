package question

import (
	"slices"
	"strings"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// Aspect is a set of questions about the state of a text.
type Aspect uint16

// The aspects.
const (
	Force   Aspect = 1 << iota // whether it is law: « est-elle en vigueur ? »
	Changed                    // whether it was changed: « a-t-il été modifié ? »
	By                         // what changed or repealed it: « par quoi ? »
	Since                      // since when: « depuis quand ? »
	Changes                    // what it changes or repeals in other texts
	CitedBy                    // which texts cite, apply or change it
	Dated                      // the date of the text
	Alive                      // with Force: « oui » means that it is law, as in « est-elle en vigueur ? »
	Ended                      // with Force: « oui » means that it is no longer law, as in « a-t-elle été abrogée ? »
)

// Has reports whether at least one aspect of other is asked for.
func (a Aspect) Has(other Aspect) bool { return a&other != 0 }

// The vocabulary for the state of a text is closed: a text enters into force, is amended, repealed, replaced,
// cited. A question asks for the status of a text if such a predicate has the text itself for its subject or
// object. That is, only words of closed classes (pronouns, auxiliaries, negation, adverbs of time) are
// between them: « la loi § est-elle toujours en vigueur », « quel décret a modifié la loi § ». « La loi §
// est-elle applicable aux étrangers » has another complement, and asks what the text says. § stands for a
// reference.
const (
	mark     = "§"
	between  = `(?:[ ,-]+(?:t|elle|elles|il|ils|on|ce|encore|toujours|deja|ete|est|sont|etait|etaient|soit|serait|a|ont|avait|reste|demeure|bien|vraiment|aujourd'hui|actuellement|n'a|n'est|ne|pas|plus|jamais|depuis|non|fait|l'objet|d'une|d'un|de|des|subi)\b)*[ ,-]+`
	alter    = `(?:modifi|amend|complet|revis|remani|chang|reform|refond|actualis|retouch)`
	finish   = `(?:abrog|remplac|annul|supprim)`
	quote    = `(?:cit|vis|mentionn|appliqu|evoqu|invoqu)`
	done     = `(?:e|ee|es|ees|u|ue|us|ues)` // past participle
	finite   = `(?:e|ie|ient|ent)`           // present tense: « modifie », « abrogent »
	altered  = alter + done
	ended    = finish + done
	valid    = `(?:en vigueur|applicables?|valables?|valides?|d'actualite)`
	invalid  = `(?:` + ended + `|caduc|caduque|caducs|caduques|perimee?s?|obsoletes?)`
	be       = `\b(?:est|sont|etait|etaient|serait|demeure|reste)(?:-| )`
	either   = `(?:` + alter + `|` + finish + `)`
	made     = either + done + `(?: (?:ou|et|puis) ` + either + done + `)?` // « modifié ou abrogé »
	makes    = either + finite + `(?: (?:ou|et|puis) ` + either + finite + `)?`
	making   = either + `(?:i?ant)(?: (?:ou|et) ` + either + `(?:i?ant))?` // « modifiant »
	change   = `(?:modifications?|amendements?|revisions?|changements?|reformes?)`
	which    = `(?:quel|quels|quelle|quelles|lequel|laquelle|lesquels|lesquelles)`
	toText   = ` +(?:(?:a|par|sur|vers) +)?(?:(?:la|le|les|l'|cette|ce|cet|au|aux|du|de|de la|de l')[ ]*)*(?:dispositions +(?:de +)?(?:la +|le +)?)?`
	pronoun  = `(?:elle|il|ils|elles)`
	have     = `(?:a|ont|avait|avaient)(?:(?:-t)?-` + pronoun + `)?(?: +(?:deja|aussi|encore|bien))*`
	bring    = `(?:apport|introdui|entrain|oper)`
	bringing = bring + `(?:e|ent|t|sent)\b(?:(?:-t)?-` + pronoun + `)?`
	brought  = `\b` + bring + `(?:e|ee|es|ees|t|te|ts|tes)\b`
)

// active matches words that say what a text does to other texts, with a verb in the perfect or with the noun
// « modification ». Nearly the same words say what was done to a text: « quels textes § a-t-elle abrogés »
// has the participle of « § a-t-elle été abrogée », and « modifications apportées par § » has the noun of «
// modifications apportées à § ». So active is tried first, and the other expressions do not see what it
// matched.
var active = []*lazyre.Regexp{
	statusPattern(`\bqu'` + have + ` +` + made + toText + `§`),
	statusPattern(`§[ ,]+` + have + ` +` + made + `\b`),
	statusPattern(`\b(?:qui|qu'est-ce qui|qu'est ce qui) +(?:` + have + ` +` + made + `|` + makes + `) +(?:avec|depuis|par|grace a)` + toText + `§`),
	statusPattern(`\b` + change + `(?: +\w+){0,2}? +` + bringing + toText + `§`),
	statusPattern(`\b` + change + `(?: +que)?` + toText + `§[ ,]+` + bringing),
	statusPattern(`\b` + change + `(?: +\w+){0,2}?(?: +que)?` + toText + `§[ ,]+` + have + ` +` + brought),
	statusPattern(`\b` + change + ` +` + have + ` +` + brought + toText + `§`),
	statusPattern(`\b` + change + ` +(?:(?:qui|sont|ont|ete|etaient) +)*(?:` + brought + `|dues?|dus) +(?:par|a travers)` + toText + `§`),
}

// cutActing reports whether folded words say that a text changes others. It also returns the words with the matched part
// replaced by the mark of the text.
func cutActing(folded string) (rest string, acts bool) {
	for _, words := range active {
		if words.MatchString(folded) {
			return words.ReplaceAllString(folded, mark), true
		}
	}
	return folded, false
}

// aspects matches what is asked, in each form of the predicates: the text as the subject of the passive, as
// its agent, as the subject and the object of the active voice, after a participle, and after a noun. If both
// subject and object may follow the verb, agreement distinguishes them: « quels textes abroge § », « quels
// textes abrogent § ».
var aspects = []struct {
	is    Aspect
	words *lazyre.Regexp
}{
	{Force | Alive, statusPattern(`§` + between + valid + `\b`)},
	{Force | Ended, statusPattern(`§` + between + invalid + `\b`)},
	{Force | Alive, statusPattern(be + pronoun + between + valid + `\b`)},
	{Force | Ended, statusPattern(be + pronoun + between + invalid + `\b`)},
	{Force, statusPattern(`\b(?:statut|etat|situation)(?: juridique| actuel| actuelle)*(?:` + toText + `| )§`)},
	{Force | Alive, statusPattern(`§[ ,]+(?:ne +)?s'applique(?:nt)?(?:-t-` + pronoun + `)? +(?:encore|toujours|plus)\b`)},
	{Force | Ended, statusPattern(`\b(?:a|ont|avait)(?:-t-| )(?:on |ete )?` + ended + toText + `§`)},
	{Force, statusPattern(`\babrogation` + toText + `§`)},
	{Changed, statusPattern(`§` + between + altered + `\b`)},
	{Changed, statusPattern(`\b(?:a|ont|avait|est|sont)-(?:t-)?` + pronoun + between + altered + `\b`)},
	{Changed, statusPattern(`\b` + change + `(?: +\w+){0,3}?` + toText + `§`)},
	{Changed, statusPattern(`§` + between + change + `\b`)},
	{Changed, statusPattern(`\b(?:qui|qu'est-ce qui|qu'est ce qui) +(?:(?:a|ont)(?: ete)? ` + made + `|` + makes + `) +dans` + toText + `§`)},
	{By, statusPattern(`\b(?:par quoi|par qui|par ` + which + `)\b.*` + made)},
	{By, statusPattern(made + `\b.{0,12}\bpar (?:quoi|qui|` + which + `)\b`)},
	{By, statusPattern(`\b(?:qui|qu'est-ce qui|qu'est ce qui) (?:(?:a |ont )` + made + `|` + makes + `)` + toText + `§`)},
	{By, statusPattern(`\b(?:quels|quelles|lesquels)\b[^§]{0,60}(?:` + either + `(?:i?ent)(?: (?:ou|et) \w+)?|\bont ` + made + `)` + toText + `§`)},
	{By, statusPattern(`\b(?:quel|quelle|lequel|laquelle)\b[^§]{0,60}(?:a ` + made + `|` + makes + `|` + either + `er)` + toText + `§`)},
	{By, statusPattern(`\b` + making + toText + `§`)},
	{Since, statusPattern(`\b(?:depuis quand|a partir de quand|a quelle date|quand|de quand|depuis quelle date)\b.*(?:en vigueur|applicables?|` + made + `)`)},
	{Since, statusPattern(`\b(?:date d')?entree en vigueur` + toText + `§`)},
	{Changes, statusPattern(`§` + between + `(?:` + either + `e)(?:-t)?-` + pronoun)},
	{Changes, statusPattern(`§ +` + makes + ` +(?:` + which + `|quoi|d'autres|des|un|une|certain)`)},
	{Changes, statusPattern(`\b(?:quels|quelles)\b[^§]{0,40}` + either + `e(?: (?:ou|et) ` + either + `e)?` + toText + `§`)},
	{Changes, statusPattern(`\b(?:quels|quelles|lesquels)\b[^§]{0,60}\bque` + toText + `§ +` + makes)},
	{Changes, statusPattern(`\b(?:que|qu'est-ce que|qu'est ce que)(?: +` + makes + toText + `§|` + toText + `§ +` + makes + `)`)},
	{Changes, statusPattern(`\bqu'` + makes + toText + `§`)},
	{Changes, statusPattern(`\b` + made + ` +par` + toText + `§`)},
	{CitedBy, statusPattern(`\b(?:` + which + `|qui|trouve|liste)\b[^§]{0,60}\b(?:` + quote + finite + `|renvoient|renvoie|referent|refere|font reference|fait reference|pris (?:pour|en) (?:l')?application(?: de)?)` + toText + `§`)},
	{CitedBy, statusPattern(`\b(?:textes?|decrets?|arretes?|mesures?|articles?)(?: d'application| d'execution| pris(?: pour| en) (?:l')?application| ` + quote + `ant| qui (?:` + quote + finite + `))` + toText + `§`)},
	{CitedBy, statusPattern(`§` + between + quote + done + ` (?:par|dans)\b`)},
	{CitedBy, statusPattern(`\b(?:ou|dans ` + which + `|par ` + which + `)\b[^§]{0,40}(?:est|sont) ` + quote + done + toText + `§`)},
	{CitedBy, statusPattern(`\b(?:ou|dans ` + which + `|par ` + which + `)\b[^§]{0,40}§` + between + quote + done + `\b`)},
	{CitedBy, statusPattern(`\b(?:parle-t-on|il est question|est-il question|on parle|fait-on reference)` + toText + `§`)},
	{Dated, statusPattern(`\b(?:quand|a quelle date)\b.*§` + between + `(?:promulgue|adopte|signe|publie|vote|pris|prise|edicte)e?s?\b`)},
	{Dated, statusPattern(`\b(?:date de (?:promulgation|signature|adoption|publication)|date)` + toText + `§`)},
	{Dated, statusPattern(`\bde quand date` + toText + `§`)},
}

func statusPattern(pattern string) *lazyre.Regexp { return lazyre.New(pattern) }

// appliesTo matches « applicable à … », which asks what a text says, and not whether it is law.
var appliesTo = lazyre.New(`\b(?:applicables?|valables?|valides?) (?:a|au|aux|dans|en cas|pour|lors|si|quand|sur|entre|chez|envers|meme)\b`)

// forWhom matches « ce que § change pour les locataires », which asks what a text says, and not what happens
// to other texts.
var forWhom = lazyre.New(`\b(?:pour|envers) +(?:l[ae]s? |l'|un |une |des |ceux |celles |moi\b|nous\b|mon |ma |mes )`)

// pronounOnly matches questions about the status of « elle », a text that was named before.
var pronounOnly = lazyre.New(`^\W*(?:et |mais |donc |alors )?(?:est|a|depuis quand|par quoi|par quel|par quelle|quand|a quelle date|sont|ont)\b`)

// aspectOf returns what a question asks about the state of a text.
func aspectOf(text string, refs []Reference) (out Aspect) {
	folded := law.Fold(mask(text, refs))
	if appliesTo.MatchString(folded) || strings.Contains(folded, "selon") || strings.Contains(folded, "en vertu d") {
		return 0
	}
	named := strings.Contains(folded, mark)
	if !named && !pronounOnly.MatchString(folded) && !sameText.MatchString(folded) {
		return 0
	}
	if !named {
		folded = sameText.ReplaceAllString(folded, mark)
	}
	whole := folded
	folded, acts := cutActing(whole)
	if acts {
		out = Changes
	}
	for _, a := range aspects {
		if a.words.MatchString(folded) {
			out |= a.is
		}
	}
	if out.Has(By) && out.Has(Changes) {
		out &^= Changes
	}
	if out.Has(Changes) && forWhom.MatchString(folded) {
		out &^= Changes
	}
	if !answeredByYes(out, folded) {
		out &^= Alive | Ended
	}
	if out == Since && !strings.Contains(folded, mark) && !pronounAnywhere.MatchString(folded) {
		return 0
	}
	if out != 0 && !asksStatusOnly(whole) {
		return 0
	}
	return out
}

// negation matches a negative question, to which « oui » and « non » are ambiguous answers.
var negation = lazyre.New(`\bne\b|\bn'`)

// answeredByYes reports whether « oui » or « non » answers a question: it asks only about the force of a text, in one
// sense, and not in the negative.
func answeredByYes(asked Aspect, folded string) bool {
	one := asked.Has(Alive) != asked.Has(Ended)
	return one && !asked.Has(By|Since|Changed) && !negation.MatchString(folded)
}

var pronounAnywhere = lazyre.New(`\b` + pronoun + `\b`)

// mask replaces each reference that names a text or an article by §. References may overlap; then the text
// after the beginning of the next one is not replaced again.
func mask(text string, refs []Reference) string {
	next := len(text)
	for _, r := range slices.Backward(refs) {
		end := min(r.End, next)
		if r.Phrase != "" && r.Year == 0 { // the end of the name is unknown, but a verb ends it
			if m := verbs.FindStringIndex(text[end:]); m != nil {
				end += m[0]
			} else {
				end = len(strings.TrimRight(text, " ?!.\u00a0\u202f"))
			}
		}
		text = text[:r.Start] + mark + text[max(end, r.Start):]
		next = r.Start
	}
	return text
}

// verbs matches the verb after the name of a text.
var verbs = lazyre.New(`(?i)[ ,\x{00a0}]+(?:est|sont|était|a|ont|avait|n['’]est|n['’]a|modifie|abroge|remplace)(?:[ -]|$)`)

// A question about the status of a text asks about nothing else: without the text, the words for the state of
// texts, and the words that frame the question, no word is left that means something. « Combien de fois un
// président peut-il être réélu d'après la Constitution révisée en 2016 ? » leaves the president and his
// election, so it asks what the Constitution says. The words are those of the patterns in status.go with
// their other forms, nouns for kinds of texts, and verbs of saying, knowing and asking.
var (
	// framing matches who says or asks it, up to the clause with the text: « mon avocat dit que § ».
	framing = lazyre.New(`^[^§]*\b(?:(?:di[st]|disent|dire|dites|affirm|pretend|soutien|soutenir|assur|annonc|pens|croi|croyez|entendu|appris|lu|vu|expliqu|racont|confirm|verifi|demand|indiqu|precis)\pL*|savoir|sai[st]|save[zn]t?|vrai|exact|certain|sur)(?:[ -]+(?:moi|nous|me))? +(?:que? |qu'|si |s'|a quelle |depuis |par |quand |quel)`)

	// subject matches the subject of a text after its number, up to the predicate: « § portant code des
	// marchés publics est-il en vigueur ».
	subject = lazyre.New(`§[ ,]+(?:\pL+ant|relati(?:f|fs|ve|ves)|dite?|sur) .*?(?:[ ,]+(?:est|sont|etait|etaient|a|ont|avait|n'est|n'a)(?:[ -]|$)|[?!.]|$)`)

	// monthly matches a date without a day: « § de janvier 1980 ».
	monthly = lazyre.New(`\b` + law.Months + ` \d{4}\b`)

	lives = lazyre.New(`\b(?:(?:` + alter + `|` + finish + `|` + bring + `|` + quote + `|promulg|adopt|sign|publi|vot|edict|renv|refer|trouv|subi)\pL*|` +
		`cadu(?:c|cs|que|ques)|perimee?s?|obsoletes?|vigueur|applicables?|application|execution|valables?|valides?|actualite|actuel(?:s|le|les|lement)?|` +
		change + `|abrogations?|historique|statut|etat|situation|juridiques?|entree?s?|dates?|prise?s?|objet|dus?|dues?|parle|question|` +
		`textes?|lois?|decrets?|arretes?|mesures?|actes?|dispositions?|ordonnances?|articles?|dahirs?|circulaires?|codes?|reglements?|` +
		`ve(?:nu|nus|nue|nues|nir)|vien(?:t|nent)|aujourd'hui|deja|encore|toujours|jamais|listes?|di[st]|dire|savoir|veux|voudrais|cherche|donne[rz]?|montre[rz]?|partir|vrai|exact|exacte|svp|merci|bonjour|temps)\b`)

	clauses = lazyre.New(`[?!.;\n]+(?: |$)`)
)

// asksStatusOnly reports whether a folded and masked question only asks for the status of a text. If one of its
// sentences has the predicate, the words of the others do not count.
func asksStatusOnly(folded string) bool {
	alone := false
	for _, sentence := range clauses.Split(folded, -1) {
		if !hasPredicate(sentence) {
			continue
		}
		if len(asksBeside(sentence)) == 0 {
			return true
		}
		alone = true
	}
	return !alone && len(asksBeside(folded)) == 0
}

// hasPredicate reports whether a sentence says something about the state of a text.
func hasPredicate(folded string) bool {
	for _, a := range aspects {
		if a.words.MatchString(folded) {
			return true
		}
	}
	_, acts := cutActing(folded)
	return acts
}

// asksBeside returns the terms of a folded and masked sentence that do not belong to a question about the
// status of a text.
func asksBeside(folded string) (left []string) {
	folded = framing.ReplaceAllString(folded, " ")
	folded = subject.ReplaceAllString(folded, " ")
	folded = monthly.ReplaceAllString(folded, " ")
	for _, t := range french.Analyze(lives.ReplaceAllString(folded, " ")) {
		if !t.Stop && t.Kind == french.Word {
			left = append(left, t.Term)
		}
	}
	return withoutNames(left)
}
