package refer

import (
	"vigueur/internal/search/decide"
	"vigueur/internal/search/question"
)

// Answers to messages that ask nothing about the law, and their warnings.
const (
	welcome       = "Bonjour. Posez votre question de droit avec vos mots, ou nommez un texte ou un article : la réponse cite les articles du catalogue qui la fondent."
	thanked       = "Avec plaisir. Posez une autre question quand vous voulez."
	goodbye       = "Au revoir."
	itself        = "Je suis Vigueur, un service de questions et réponses sur les textes officiels de son catalogue. Je réponds en citant les articles mot pour mot, je dis si un texte est en vigueur, ce qui l’a modifié ou abrogé, et je le dis aussi quand le catalogue ne répond pas. Je ne suis pas avocat et ne donne pas de conseil personnel."
	quotesNothing = "Cette réponse ne cite aucun texte : le message ne pose pas de question de droit."

	onlySigns   = "Votre message ne contient aucun mot. Posez votre question en une phrase, par exemple : « Quelle est la durée du préavis d’un cadre ? »"
	onlyNumber  = "Un nombre seul ne dit pas ce que vous cherchez. Donnez le texte et l’article, par exemple « article 5 de la loi n° 2010-05 », ou posez votre question en une phrase."
	inFrench    = "Les textes du catalogue sont en français : posez votre question en français."
	notReadable = "La question n’a pas pu être lue : elle n’est pas posée en français."
	noQuestion  = "Le message ne contient pas de question."
)

// inOwnWords asks for a question in French in the language of the question, for people who do not read French.
var inOwnWords = map[question.Language]string{
	question.English: "Please ask your question in French: the texts of this catalogue are in French.",
	question.Arabic:  "يُرجى طرح سؤالك باللغة الفرنسية: نصوص هذا الفهرس مكتوبة بالفرنسية.",
}

// answerCourtesy answers a message that is only a courtesy. It returns false for any other message.
func (p *page) answerCourtesy(q question.Question) bool {
	words, ok := map[question.Courtesy]string{question.Greeting: welcome, question.Thanks: thanked, question.Farewell: goodbye, question.Identity: itself}[q.Courtesy]
	if !ok {
		return false
	}
	p.note(words)
	p.warn(quotesNothing)
	p.why = decide.NoQuestion
	return true
}

// unreadable answers a message that cannot be searched: it has no words, or is in another language. It returns false
// for any other message.
func (p *page) unreadable(q question.Question) bool {
	switch {
	case q.Empty && len(q.Terms) > 0:
		p.note(onlyNumber)
		p.warn(noQuestion)
		p.why = decide.NoQuestion
	case q.Empty:
		p.note(onlySigns)
		p.warn(noQuestion)
		p.why = decide.NoQuestion
	case q.Language != question.French:
		p.note(inFrench)
		if own := inOwnWords[q.Language]; own != "" {
			p.say("\n\n")
			p.note(own)
		}
		p.warn(notReadable)
		p.why = decide.NotFrench
	default:
		return false
	}
	return true
}
