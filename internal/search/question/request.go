package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law/french"
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
	Opinion                    // what the service thinks of somebody or something
	Private                    // what somebody is, has or has done
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

// Words of opinions, in folded text.
const (
	opinionVerb = `(?:preferes|preferez|aimes|aimez|votes|votez|voterais|voteriez)`
	thinking    = `(?:penses|pensez|trouves|trouvez|crois|croyez)`
	worth       = `(?:juste|injuste|bon(?:ne)?|mauvaise?|honnete|scandaleu(?:x|se))s?`
)

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
	{Opinion, lazyre.New(`\b(?:que penses?z?[- ](?:tu|vous)|qu'en penses?z?|(?:tu|vous) penses?z? quoi|(?:quel est |donne[rz]?[- ]moi |(?:ton|votre) )(?:ton |votre )?(?:avis|opinion)|(?:es-tu|etes-vous|tu es|vous etes) (?:pour ou contre|d'accord)|` + opinionVerb + `[- ](?:tu|vous))\b|^\W*(?:et )?(?:tu|vous) ` + opinionVerb + ` (?:(?:pour|contre) )?(?:qui|quoi|quel)` +
		`|\b(?:` + thinking + `[- ](?:tu|vous)|(?:tu|vous) ` + thinking + `)\b.{0,80}\b(?:devrai(?:t|ent) etre|` + worth + `)\b` +
		`|\b(?:loi|code|article|regle|decret|texte|peine|justice|roi|president|ministre|gouvernement|maire|depute)s?\b.{0,60}\b(?:est|sont)(?:-(?:elles?|ils?))? (?:une? )?` + worth + `(?: \pL+)?\W*$`)},
	{Private, lazyre.New(`^\W*(?:est-ce que )?(?:mon|ma|mes|notre|nos|ce|cette|le|la|monsieur|madame|m|mme|maitre) ?\.?(?: ?\pL+){1,4}(?: (?:a|ont)| ?,? ?a[- ]?t[-' ]?(?:il|elle|on)| ?,? ?ont-(?:ils|elles)) (?:deja |bien )?(?:(?:ete )?(?:condamnee?s?|arretee?s?|incarceree?s?|emprisonnee?s?)|un casier(?: judiciaire)?|des antecedents|fait de la prison)(?: (?:par|pour|en|au|aux|dans)\b[^,.;?]*)?\W*$`)},
	{Private, lazyre.New(`\bquel(?:le)? est (?:le |la |l')(?:salaire|adresse|numero(?: de telephone)?|age|religion|fortune) (?:de (?:mon |ma |mes )|du )(?:voisine?|collegue|patronn?e?|chef|cousine?|ex|copine?)\b`)},
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

// AnswerKind is the set of kinds of answer that a question asks for. Question.Figures distinguishes the kinds of
// figures.
type AnswerKind uint16

// The kinds. A question may ask for several: « quelles pièces faut-il et combien
// cela coûte-t-il ? ».
const (
	Listed     AnswerKind = 1 << iota // a list or a procedure: « quelles sont les », « comment »
	Several                           // things in the plural: « quels … »
	Modal                             // whether something may or must be: yes or no
	Definition                        // what something is
	Wording                           // the text itself: « que dit l'article 5 ? »
	Status                            // the state of a text; see Question.Status
	Figured                           // a figure; see Question.Figures
)

// Has reports whether all kinds of other are asked for.
func (k AnswerKind) Has(other AnswerKind) bool { return k&other == other }

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

func kindOf(folded string, q Question) (k AnswerKind) {
	for kind, words := range map[AnswerKind]*lazyre.Regexp{Listed: lists, Several: plural, Modal: modals, Definition: definitions} {
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
	for _, r := range slices.Backward(References(text)) {
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

// Courtesy is the kind of a message that asks nothing about the law.
type Courtesy int

// The kinds of courtesy.
const (
	NoCourtesy Courtesy = iota
	Greeting            // « bonjour »
	Thanks              // « merci beaucoup »
	Farewell            // « au revoir »
	Identity            // « qui es-tu ? », « que sais-tu faire ? »
)

// courtesies lists the folded words of each kind. They are a closed class, and a message is only a courtesy
// if it contains nothing else, unlike « bonjour, quel est le préavis ? ».
var courtesies = map[Courtesy]map[string]bool{
	Greeting: wordSet("bonjour bonsoir salut coucou hello hi hey salam assalam salamalekum assalamoualaikoum salaam alaikoum aleykoum bjr bsr allo nanga def"),
	Thanks:   wordSet("merci remercie remercions thanks thank jerejef jerejeuf parfait super top genial compris ok okay accord entendu"),
	Farewell: wordSet("revoir bientot adieu bye ciao"),
}

// fillers are words that go with a courtesy and mean nothing alone.
var fillers = wordSet("a au tous toutes tout monsieur madame messieurs mesdames mademoiselle cher chere chers maitre docteur bien beaucoup infiniment je vous te t tres et le la les de d pour votre ton ta l aide reponse reponses you good morning ca va comment allez vas tu ce c est bonne journee soiree nuit matin you there mille fois encore avance c'est d'accord vigueur assistant")

// identities are the ways, in folded words, in which people ask who answers.
var identities = []string{
	"qui es tu", "qui es-tu", "qui etes vous", "qui etes-vous", "tu es qui", "vous etes qui", "c est quoi vigueur", "c'est quoi vigueur", "qu est ce que vigueur", "qu'est-ce que vigueur",
	"que sais tu faire", "que sais-tu faire", "que savez vous faire", "que savez-vous faire", "que peux tu faire", "que peux-tu faire", "que pouvez vous faire", "que pouvez-vous faire",
	"comment tu t'appelles", "comment t'appelles-tu", "comment vous appelez-vous", "quel est ton nom", "quel est votre nom", "es-tu un robot", "etes-vous un robot", "tu es un robot",
	"es-tu une ia", "etes-vous une ia", "es-tu un avocat", "etes-vous avocat", "es-tu humain", "a quoi sers-tu", "a quoi servez-vous", "comment ca marche", "comment fonctionnes-tu", "aide", "aidez-moi", "aide-moi", "help", "who are you",
}

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// courtesyOf returns the kind of a folded message that is nothing but a courtesy.
func courtesyOf(folded string) Courtesy {
	rest, greeted := withoutGreeting(folded)
	for _, ask := range identities {
		if rest == ask || rest == "et "+ask || rest == ask+" exactement" {
			return Identity
		}
	}
	words := strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) })
	if len(words) == 0 {
		return NoCourtesy
	}
	said := NoCourtesy
	for _, w := range words {
		switch {
		case courtesies[Thanks][w]:
			said = Thanks
		case courtesies[Farewell][w]:
			said = max(said, Farewell)
		case courtesies[Greeting][w]:
			if said == NoCourtesy {
				said = Greeting
			}
		case fillers[w]:
		default:
			return NoCourtesy
		}
	}
	if greeted && said == NoCourtesy {
		return Greeting
	}
	return said
}

// withoutGreeting removes the greeting from the beginning of a message, and the signs from both ends.
func withoutGreeting(folded string) (rest string, greeted bool) {
	rest = strings.TrimFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) })
	for {
		word, right, more := strings.Cut(rest, " ")
		plain := strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
		if !more || !courtesies[Greeting][plain] && !(greeted && (plain == "monsieur" || plain == "madame")) {
			return rest, greeted
		}
		rest, greeted = strings.TrimSpace(right), true
	}
}
