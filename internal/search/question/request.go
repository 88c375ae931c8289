package question

import (
	"slices"
	"strings"

	"vigueur/internal/kit/lazyre"
)

// Request is what a message wants done.
type Request int

// The requests. Those from Prognosis on no law answers.
const (
	Told        Request = iota // what the law says
	Summary                    // a text or an answer in fewer or other words
	Draft                      // a letter, a contract or another document
	Calculation                // a sum by the rules of the law
	Prognosis                  // how one's own case will end
	Advice                     // what to do with one's life or money
	News                       // who holds an office, or when something will happen
	Translation
	Arithmetic // a sum that needs no law
	OtherWork  // a poem, a drawing
	Despair    // help: the asker wants to die
)

// Lawless reports whether no law answers, even if the message has words that occur in the law.
func (r Request) Lawless() bool { return r >= Prognosis }

// asking matches what may precede an order, in folded text: a greeting, and a polite verb.
const asking = `^\W*(?:(?:bonjour|bonsoir|salut|svp|stp|s'il (?:te|vous) plait|merci de|veuillez|(?:est-ce que )?(?:tu peux|vous pouvez)|peux-tu|pouvez-vous|pourri?e?z?-vous|pourrais-tu|(?:je|j') ?(?:veux|voudrais|souhaite|aimerais)(?: que (?:tu|vous))?|aide[rz]?-moi a|j'ai besoin d(?:e |')|il me faut|(?:me|m'|nous) ?)[ ,.!]*)*`

// document are the things that people have written for them.
const document = `(?:lettre|courrier|contrat|bail|plainte|recours|statuts|attestation|procuration|mise en demeure|reconnaissance|testament|demande|requete|mail|document|acte|modele|reponse|convocation|reclamation|assignation|certificat|reglement)`

const aDocument = `(?:une?|le|la|mon|ma|des|l') ?(?:(?:exemple|modele|projet) (?:de |d'))?` + document + `s?\b`

// orders maps requests to patterns of folded text.
var orders = []struct {
	is    Request
	words *lazyre.Regexp
}{
	{Arithmetic, lazyre.New(`^\W*(?:(?:combien (?:font|fait|ca fait)|calcul[a-z]*) )?[0-9][0-9 .,]*(?: ?(?:[-+*x×/÷]|fois|plus|moins|divise par) ?[0-9][0-9 .,]*)+\W*$`)},
	{Despair, lazyre.New(despair)},
	{Prognosis, lazyre.New(`\b(?:(?:vais|va)(?:-| )?(?:je|t-on)? ?(?:gagner|perdre)|(?:je|on) vais? (?:gagner|perdre|reussir|obtenir gain)) *(?:(?:de |mon |ma |mes |ce |cette |le |la |l'|un )*(?:proces|affaire|cause|procedure|action|recours|plainte)\b|\W*$)` +
		`|\b(?:mes|nos|quelles) (?:sont mes )?chances|\b(?:gagnerai|perdrai)(?:-je|s-je)\b|\best-ce que je (?:gagnerai|perdrai)`)},
	{Advice, lazyre.New(`\b(?:que (?:me |nous )?conseill|(?:vaut-il|vaut) mieux|(?:dois-je|je dois|devrais-je|je devrais|faut-il que je) (?:quitter (?:mon|ma) (?:mari|femme|epou|conjoint|compagn|copain|copine|petite? ami)|epouser|pardonner|croire))` +
		`|\b(?:feriez|ferais|ferait|feraient|choisiriez|choisirais|agiriez|agirais|diriez)\b.{0,40}\ba ma place\b`)},
	{News, lazyre.New(`\b(?:qui est (actuellement|l'actuel|l'actuelle|en ce moment)|comment s'appelle (le|la|l'|les|notre) ?(actuel(le)? )?(president|premier|ministre|maire|chef|direct|roi|gouverneur|juge|inspect|prefet|depute|senateur)|date d(e|u) (la |l'|les )?prochaine?s?)`)},
	{Translation, lazyre.New(asking + `tradui(?:s|re|sez)\b`)},
	{Summary, lazyre.New(asking + `(?:(?:resume|synthetise|reformule|simplifie|raccourci|abrege)[rsz]?t?\b|(?:fais|faites|faire|donne|donner|donnez)(?:[- ](?:moi|nous))? (?:un |une |le |la )?(?:bref |court |petit )?(?:resume|synthese)\b|explique[rz]?(?:[- ](?:moi|nous))? (?:plus )?simplement|(?:fais|faites|faire|sois|soyez|repond[a-z]*|dis|dites|ecri[a-z]+)(?:[- ](?:moi|nous))? (?:encore )?plus (?:court|bref|simple|simplement|brievement))|^\W*(?:(?:et )?(?:en )?(?:plus|encore plus) (?:court|bref|simple|simplement)|en (?:une|deux) phrases?|en resume|en bref)\W*$`)},
	{Draft, lazyre.New(asking + `(?:(?:ecri(?:s|re|vez|ve)|redige[rz]?|prepare[rz]?|gener(?:e|er|ez)|fais|faites|compose[rz]?)(?:[- ](?:moi|nous))? |donne[rz]?[- ](?:moi|nous) )` + aDocument)},
	{Draft, lazyre.New(`^\W*(?:(?:bonjour|bonsoir|salut)\W+)?(?:peux-tu|tu peux|pouvez-vous|vous pouvez|pourriez-vous|aide[rz]?-moi a) (?:(?:m'|me |nous )?(?:aider a )?)(?:faire|ecrire|rediger|preparer) ` + aDocument)},
	{Draft, lazyre.New(`^\W*(?:je (?:veux|voudrais|souhaite)|j'aimerais|il me faut|j'ai besoin d') ?` + aDocument)},
	{Calculation, lazyre.New(asking + `calcule[rz]?(?:[- ](?:moi|nous))?\b`)},
	{OtherWork, lazyre.New(`^ *(?:ecris|ecrivez|raconte|racontez|chante|dessine|redige|redigez|invente)\b`)},
}

// holders are the terms of offices that a country has one of; « qui est le chef des armées ? » asks for an office instead.
var holders = termSet("président présidente premier première ministre roi reine république pays État gouvernement actuel nom appelle")

// whoIs matches, in folded text, a question for a person.
var whoIs = lazyre.New(`^\W*(?:(?:et )?(?:c'est )?qui est|comment s'appelle|quel est le nom d[eu])\b`)

// asksForHolder reports whether a folded message only asks who holds one of the highest offices of a country. terms are
// the terms of the message without the names of countries.
func asksForHolder(folded string, terms []string) bool {
	return whoIs.MatchString(folded) && len(terms) > 0 && !slices.ContainsFunc(terms, func(t string) bool { return !holders[t] })
}

// requestOf returns the request of a folded message. terms are the terms of the message without the names of countries.
func requestOf(folded string, terms []string) Request {
	if asksForHolder(folded, terms) {
		return News
	}
	for _, o := range orders {
		if o.words.MatchString(folded) && !(o.is == Draft && asksBehind.MatchString(folded)) {
			return o.is
		}
	}
	return Told
}

// asksBehind matches, in folded text, a question of law after what looks like an order: « je veux un testament, ai-je
// le droit de … ».
var asksBehind = lazyre.New(`\b(?:quel(?:le)?s?|combien|comment|pourquoi|ai-je|puis-je|dois-je|suis-je|est-ce (?:permis|legal|obligatoire|possible)|j'ai le droit)\b`)

// despair matches, in folded text, people who say that they want to die.
const despair = `\b(?:je (?:veux|vais|voudrais|pense a|songe a)|envie de) (?:mourir|me (?:tuer|suicider)|en finir)\b|\bme suicider\b`

// inDistress matches, in folded text, people who say that somebody hurts them, or that they want to die.
var inDistress = lazyre.New(`\bme (?:frappe|bat|tape|cogne|viole|maltraite|sequestre)(?:nt)?\b` +
	`|\b(?:m'(?:a|ont)|(?:a|ont) deja ete|j'ai ete|je suis|femme|fille) (?:ete )?(?:violee?|frappee?|battue?|agressee?|sequestree?|tabassee?)\b` +
	`|\bmenace(?:nt)? de (?:me )?(?:tuer|mort|frapper|bruler)\b|` + despair + `|\bje suis en danger\b|\bpeur (?:de mon mari|de mon ex|qu'il me tue|pour ma vie)\b`)

// pointedText matches, in folded text, a text at which a question points as the source of a rule.
var pointedText = func() *lazyre.Regexp {
	const (
		text  = `((?:cette|ladite) (loi|ordonnance|convention|charte|circulaire|constitution)|(?:ce|ledit) (code|decret|texte|reglement|dahir|traite)|(?:cet|ledit) (accord|arrete|acte))`
		says  = `(?:di(?:t|sent)|prevoi(?:t|ent)|dispose|stipule|enonce|fixe|impose|interdit|autorise|exige|contient|regit|concerne|s'applique|precise|parle|est-(?:elle|il)|a-t-(?:elle|il))`
		about = `(?:selon|d'apres|en vertu de|aux termes de|au sens de|en application de|dans|d(?:e|u) contenu de|articles? [0-9a-z.-]+ de|le (?:but|contenu|titre|resume|champ) de|(?:que|qu'est-ce que) (?:dit|prevoit|contient|change|dispose|stipule|interdit|autorise)|(?:peines?|sanctions?|delais?|conditions?|regles?) (?:de|prevue?s? par))`
	)
	return lazyre.New(`\b` + about + ` ` + text + `\b|\b` + text + ` (?:ne |n')?` + says + `\b`)
}()

// pointsNowhere reports whether a folded question refers to « cette loi » without having named a law before.
func pointsNowhere(folded string) bool {
	m := pointedText.FindStringSubmatchIndex(folded)
	if m == nil {
		return false
	}
	var words [][2]int // the text with its determiner, and the noun
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			words = append(words, [2]int{m[i], m[i+1]})
		}
	}
	return !strings.Contains(folded[:words[0][0]], folded[words[1][0]:words[1][1]])
}
