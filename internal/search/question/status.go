package question

import (
	"slices"
	"strings"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
)

// Aspect is what of the life of a text a question asks for, as a set.
type Aspect uint16

// The aspects.
const (
	Force   Aspect = 1 << iota // whether it is law: « est-elle en vigueur ? »
	Changed                    // whether it was changed: « a-t-il été modifié ? »
	By                         // what changed or repealed it: « par quoi ? »
	Since                      // from when on: « depuis quand ? »
	Changes                    // what it changes or repeals itself
	CitedBy                    // which texts cite, apply or change it
	Dated                      // when it was made
	Alive                      // with Force: « oui » says that it is law, « est-elle en vigueur ? »
	Ended                      // with Force: « oui » says that it is law no more, « a-t-elle été abrogée ? »
)

// Has reports whether one of the aspects of other is asked for.
func (a Aspect) Has(other Aspect) bool { return a&other != 0 }

// The life of a text is told in a closed vocabulary: it enters into force, is
// amended, repealed, replaced, cited. A question asks for the status of a text when
// such a predicate has the text itself for its subject or object, that is, when
// nothing but words of the closed classes (pronouns, auxiliaries, negation, adverbs of
// time) stands between them: « la loi § est-elle toujours en vigueur », « quel décret a
// modifié la loi § ». « La loi § est-elle applicable aux étrangers » puts something
// else there and asks what the text says. § stands for a reference.
const (
	mark     = "§"
	between  = `(?:[ ,-]+(?:t|elle|elles|il|ils|on|ce|encore|toujours|deja|ete|est|sont|etait|etaient|soit|serait|a|ont|avait|reste|demeure|bien|vraiment|aujourd'hui|actuellement|n'a|n'est|ne|pas|plus|jamais|depuis|non|fait|l'objet|d'une|d'un|de|des|subi)\b)*[ ,-]+`
	alter    = `(?:modifi|amend|complet|revis|remani|chang|reform|refond|actualis|retouch)`
	finish   = `(?:abrog|remplac|annul|supprim)`
	quote    = `(?:cit|vis|mentionn|appliqu|evoqu|invoqu)`
	done     = `(?:e|ee|es|ees|u|ue|us|ues)` // the past participle
	finite   = `(?:e|ie|ient|ent)`           // the present: « modifie », « abrogent »
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

// active finds a text that changes something itself where the verb is in the perfect, or where
// the noun « modification » is what it brings. The same words say what was done to a text:
// « quels textes § a-t-elle abrogés » has the participle of « § a-t-elle été abrogée », and
// « modifications apportées par § » the noun of « modifications apportées à § ». These are
// looked for first, and what they matched is read no other way.
var active = []*lazyre.Regexp{
	status(`\bqu'` + have + ` +` + made + toText + `§`),
	status(`§[ ,]+` + have + ` +` + made + `\b`),
	status(`\b(?:qui|qu'est-ce qui|qu'est ce qui) +(?:` + have + ` +` + made + `|` + makes + `) +(?:avec|depuis|par|grace a)` + toText + `§`),
	status(`\b` + change + `(?: +\w+){0,2}? +` + bringing + toText + `§`),
	status(`\b` + change + `(?: +que)?` + toText + `§[ ,]+` + bringing),
	status(`\b` + change + `(?: +\w+){0,2}?(?: +que)?` + toText + `§[ ,]+` + have + ` +` + brought),
	status(`\b` + change + ` +` + have + ` +` + brought + toText + `§`),
	status(`\b` + change + ` +(?:(?:qui|sont|ont|ete|etaient) +)*(?:` + brought + `|dues?|dus) +(?:par|a travers)` + toText + `§`),
}

// acting reports whether a text is said to change something by itself, and returns the words
// with its mark in the place of what says so.
func acting(folded string) (rest string, acts bool) {
	for _, words := range active {
		if words.MatchString(folded) {
			return words.ReplaceAllString(folded, mark), true
		}
	}
	return folded, false
}

// What is asked, by each form that the predicates take: with the text as the subject of
// the passive, as its agent, as the subject and as the object of the active voice, behind
// a participle and behind the noun. French tells subject from object by agreement where
// both may stand behind the verb: « quels textes abroge § », « quels textes abrogent § ».
var aspects = []struct {
	is    Aspect
	words *lazyre.Regexp
}{
	{Force | Alive, status(`§` + between + valid + `\b`)},
	{Force | Ended, status(`§` + between + invalid + `\b`)},
	{Force | Alive, status(be + pronoun + between + valid + `\b`)},
	{Force | Ended, status(be + pronoun + between + invalid + `\b`)},
	{Force, status(`\b(?:statut|etat|situation)(?: juridique| actuel| actuelle)*(?:` + toText + `| )§`)},
	{Force | Alive, status(`§[ ,]+(?:ne +)?s'applique(?:nt)?(?:-t-` + pronoun + `)? +(?:encore|toujours|plus)\b`)},
	{Force | Ended, status(`\b(?:a|ont|avait)(?:-t-| )(?:on |ete )?` + ended + toText + `§`)},
	{Force, status(`\babrogation` + toText + `§`)},
	{Changed, status(`§` + between + altered + `\b`)},
	{Changed, status(`\b(?:a|ont|avait|est|sont)-(?:t-)?` + pronoun + between + altered + `\b`)},
	{Changed, status(`\b` + change + `(?: +\w+){0,3}?` + toText + `§`)},
	{Changed, status(`§` + between + change + `\b`)},
	{Changed, status(`\b(?:qui|qu'est-ce qui|qu'est ce qui) +(?:(?:a|ont)(?: ete)? ` + made + `|` + makes + `) +dans` + toText + `§`)},
	{By, status(`\b(?:par quoi|par qui|par ` + which + `)\b.*` + made)},
	{By, status(made + `\b.{0,12}\bpar (?:quoi|qui|` + which + `)\b`)},
	{By, status(`\b(?:qui|qu'est-ce qui|qu'est ce qui) (?:(?:a |ont )` + made + `|` + makes + `)` + toText + `§`)},
	{By, status(`\b(?:quels|quelles|lesquels)\b[^§]{0,60}(?:` + either + `(?:i?ent)(?: (?:ou|et) \w+)?|\bont ` + made + `)` + toText + `§`)},
	{By, status(`\b(?:quel|quelle|lequel|laquelle)\b[^§]{0,60}(?:a ` + made + `|` + makes + `|` + either + `er)` + toText + `§`)},
	{By, status(`\b` + making + toText + `§`)},
	{Since, status(`\b(?:depuis quand|a partir de quand|a quelle date|quand|de quand|depuis quelle date)\b.*(?:en vigueur|applicables?|` + made + `)`)},
	{Since, status(`\b(?:date d')?entree en vigueur` + toText + `§`)},
	{Changes, status(`§` + between + `(?:` + either + `e)(?:-t)?-` + pronoun)},
	{Changes, status(`§ +` + makes + ` +(?:` + which + `|quoi|d'autres|des|un|une|certain)`)},
	{Changes, status(`\b(?:quels|quelles)\b[^§]{0,40}` + either + `e(?: (?:ou|et) ` + either + `e)?` + toText + `§`)},
	{Changes, status(`\b(?:quels|quelles|lesquels)\b[^§]{0,60}\bque` + toText + `§ +` + makes)},
	{Changes, status(`\b(?:que|qu'est-ce que|qu'est ce que)(?: +` + makes + toText + `§|` + toText + `§ +` + makes + `)`)},
	{Changes, status(`\bqu'` + makes + toText + `§`)},
	{Changes, status(`\b` + made + ` +par` + toText + `§`)},
	{CitedBy, status(`\b(?:` + which + `|qui|trouve|liste)\b[^§]{0,60}\b(?:` + quote + finite + `|renvoient|renvoie|referent|refere|font reference|fait reference|pris (?:pour|en) (?:l')?application(?: de)?)` + toText + `§`)},
	{CitedBy, status(`\b(?:textes?|decrets?|arretes?|mesures?|articles?)(?: d'application| d'execution| pris(?: pour| en) (?:l')?application| ` + quote + `ant| qui (?:` + quote + finite + `))` + toText + `§`)},
	{CitedBy, status(`§` + between + quote + done + ` (?:par|dans)\b`)},
	{CitedBy, status(`\b(?:ou|dans ` + which + `|par ` + which + `)\b[^§]{0,40}(?:est|sont) ` + quote + done + toText + `§`)},
	{CitedBy, status(`\b(?:ou|dans ` + which + `|par ` + which + `)\b[^§]{0,40}§` + between + quote + done + `\b`)},
	{CitedBy, status(`\b(?:parle-t-on|il est question|est-il question|on parle|fait-on reference)` + toText + `§`)},
	{Dated, status(`\b(?:quand|a quelle date)\b.*§` + between + `(?:promulgue|adopte|signe|publie|vote|pris|prise|edicte)e?s?\b`)},
	{Dated, status(`\b(?:date de (?:promulgation|signature|adoption|publication)|date)` + toText + `§`)},
	{Dated, status(`\bde quand date` + toText + `§`)},
}

func status(pattern string) *lazyre.Regexp { return lazyre.New(pattern) }

// appliesTo finds « applicable à … », which asks what a text says, not whether it is
// law.
var appliesTo = lazyre.New(`\b(?:applicables?|valables?|valides?) (?:a|au|aux|dans|en cas|pour|lors|si|quand|sur|entre|chez|envers|meme)\b`)

// forWhom finds « ce que § change pour les locataires », which asks what a text says, not what
// becomes of other texts.
var forWhom = lazyre.New(`\b(?:pour|envers) +(?:l[ae]s? |l'|un |une |des |ceux |celles |moi\b|nous\b|mon |ma |mes )`)

// pronounOnly finds the questions for the status of « elle »: of what was named before.
var pronounOnly = lazyre.New(`^\W*(?:et |mais |donc |alors )?(?:est|a|depuis quand|par quoi|par quel|par quelle|quand|a quelle date|sont|ont)\b`)

// aspectOf tells what of a text's life a question asks for.
func aspectOf(text string, refs []Reference) (out Aspect) {
	folded := law.Fold(masked(text, refs))
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
	folded, acts := acting(whole)
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

// negation finds a question that is asked in the negative: in French « oui » and « non »
// leave open which of both they mean.
var negation = lazyre.New(`\bne\b|\bn'`)

// answeredByYes reports whether « oui » or « non » answers a question for the force of a
// text: it asks for nothing else of its life, in one sense and not in the negative.
func answeredByYes(asked Aspect, folded string) bool {
	one := asked.Has(Alive) != asked.Has(Ended)
	return one && !asked.Has(By|Since|Changed) && !negation.MatchString(folded)
}

var pronounAnywhere = lazyre.New(`\b` + pronoun + `\b`)

// masked puts § in the place of each reference that names a text or an article. References
// may run into one another; what stands behind the beginning of the next is not looked at
// again.
func masked(text string, refs []Reference) string {
	next := len(text)
	for _, r := range slices.Backward(refs) {
		end := min(r.End, next)
		if r.Phrase != "" && r.Year == 0 { // where the name ends is not known: where a verb begins
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

// verbs finds where what is said of a text begins behind its name.
var verbs = lazyre.New(`(?i)[ ,\x{00a0}]+(?:est|sont|était|a|ont|avait|n['’]est|n['’]a|modifie|abroge|remplace)(?:[ -]|$)`)
