package extractive

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
)

// Source names an article and its text, as the beginning of a sentence: « L’article 14 de
// la loi n° 2010-05 ». For a new wording it also names the article that introduces it.
func Source(p llm.Passage) string { return source(p, "") }

// source does what Source does. If the text's title is before, it writes « du même
// texte » instead. A new wording is named as an article of the amended text: « L’article
// 5 nouveau de la loi n° 2010-05, tel que remplacé par l’article 1er de la loi n°
// 2020-03, ».
func source(p llm.Passage, before string) string {
	name := articleName(p) + " " + OfText(owningTitle(p))
	if owningTitle(p) == before {
		name = articleName(p) + " du même texte"
	} else if p.Edition != "" {
		name += " (texte du " + p.Edition + ")"
	}
	switch {
	case p.New != nil:
		name += ", " + p.New.Verb + " l’article " + p.New.By + " " + OfText(withoutSubject(p.Title))
		if p.Assembled != nil {
			name += ", puis " + AmendedBy(*p.Assembled)
		}
		name += ","
	case p.Assembled != nil:
		name += ", " + AmendedBy(*p.Assembled) + ","
	case owningTitle(p) != before && subjectAfterComma(owningTitle(p)):
		name += ","
	}
	return name
}

// AmendedBy says which act made a wording, and that the service assembled it: « modifié par
// l’article 2 de la loi n° 2025-03 (texte consolidé par le service, sans valeur officielle) ».
func AmendedBy(a llm.Assembled) string {
	by := "un article"
	switch last := len(a.By) - 1; {
	case last == 0:
		by = "l’article " + a.By[0]
	case last > 0:
		by = "les articles " + strings.Join(a.By[:last], ", ") + " et " + a.By[last]
	}
	return "modifié par " + by + " " + OfText(withoutSubject(a.Title)) + " (" + law.AssembledNotice + ")"
}

// Marks returns the marks with which a passage is cited: its own, and those of the articles that
// made its wording.
func Marks(p llm.Passage) string {
	marks := fmt.Sprintf("[%d]", p.N)
	if p.Assembled != nil {
		for _, n := range p.Assembled.N {
			marks += fmt.Sprintf(" [%d]", n)
		}
	}
	return marks
}

// subjectAfterComma reports whether the subject of a title follows a comma: « la loi n°
// 5, portant code du sel ». Such a title needs a second comma before the verb.
func subjectAfterComma(title string) bool {
	words := strings.Fields(shorten(law.Title(title)))
	i := subjectStart(words)
	return i > 0 && strings.HasSuffix(words[i-1], ",")
}

// owningTitle returns the title of the text to which a passage's article belongs; for a new
// wording, the amended text.
func owningTitle(p llm.Passage) string {
	if p.New != nil {
		return p.New.Of
	}
	return p.Title
}

// articleName returns the name of a passage's article, with its article: « L’article 5 »,
// « Le préambule ».
func articleName(p llm.Passage) string {
	switch folded := law.Fold(p.Article); {
	case strings.HasPrefix(folded, "annexe"), strings.HasPrefix(folded, "article"):
		return "L’" + law.Small(p.Article)
	case p.New != nil && p.New.Part != "":
		return "L’article " + p.Article + " (" + p.New.Part + " nouveau)"
	case p.New != nil:
		return "L’article " + p.Article + " nouveau"
	case p.Article != "":
		return "L’article " + p.Article
	case strings.HasPrefix(law.Fold(p.Heading), "preambule"):
		return "Le préambule"
	}
	return "Le texte"
}

// titleLimit is the length in code points above which a title is shortened: about one line
// of print. The sources of an answer have the whole title.
const titleLimit = 80

// OfText returns the title of a text after « de »: « de la loi n° 2010-05 du 3 mai 2010
// portant … ».
func OfText(title string) string {
	short := shorten(law.Title(title))
	if of, ok := law.OfTitle(short); ok {
		return of
	}
	return "du texte « " + short + " »"
}

// shorten cuts a long title before its subject if a number or a date identifies what is
// left, or else between words.
func shorten(title string) string {
	if utf8.RuneCountInString(title) <= titleLimit {
		return title
	}
	if name := withoutSubject(title); name != title && strings.ContainsAny(name, "0123456789") {
		return name
	}
	cut := string([]rune(title)[:titleLimit])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut + "…"
}

// withoutSubject returns a title without its subject, that is, up to « portant »,
// « relatif » and the like. It folds each word by itself: if a font writes accents as
// separate signs (« D¨ECRET »), the folded title may have more words than the title.
func withoutSubject(title string) string {
	words := strings.Fields(title)
	if i := subjectStart(words); i > 0 {
		return strings.TrimRight(strings.Join(words[:i], " "), " ,")
	}
	return title
}

// subjectStart returns the index of the word with which a title's subject begins, 0 if
// there is none.
func subjectStart(words []string) int {
	for i, word := range words {
		if i > 0 && i < len(words)-1 && subjectWords[law.Fold(word)] {
			return i
		}
	}
	return 0
}

// subjectWords are the words with which the subject of a title begins.
var subjectWords = map[string]bool{"portant": true, "relatif": true, "relative": true, "fixant": true, "modifiant": true, "instituant": true, "abrogeant": true}
