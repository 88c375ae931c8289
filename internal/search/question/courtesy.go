package question

import (
	"strings"
	"unicode"
)

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
		word, after, more := strings.Cut(rest, " ")
		plain := strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
		if !more || !courtesies[Greeting][plain] && !(greeted && (plain == "monsieur" || plain == "madame")) {
			return rest, greeted
		}
		rest, greeted = strings.TrimSpace(after), true
	}
}
