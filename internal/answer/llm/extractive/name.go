package extractive

import (
	"strings"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
)

// Source names an article and its text for the beginning of a sentence: « L’article 14 de
// la loi n° 2010-05 »; a new wording with the article that gives it.
func Source(p llm.Passage) string { return source(p, "") }

// source names an article and its text for the beginning of a sentence: « L’article 14 de
// la loi n° 2010-05 ». If before is that text, it is « le même texte ». A new wording is an
// article of the amended text: « L’article 5 nouveau de la loi n° 2010-05, tel que remplacé
// par l’article 1er de la loi n° 2020-03, ».
func source(p llm.Passage, before string) string {
	name := articleName(p) + " " + OfText(owner(p))
	if owner(p) == before {
		name = articleName(p) + " du même texte"
	}
	switch {
	case p.New != nil:
		name += ", " + p.New.Verb + " l’article " + p.New.By + " " + OfText(unadorned(p.Title)) + ","
	case owner(p) != before && apposed(owner(p)):
		name += ","
	}
	return name
}

// apposed reports whether a title is quoted with what it is about behind a comma: « la loi
// n° 5, portant code du sel », which another comma ends before the verb.
func apposed(title string) bool {
	words := strings.Fields(shorten(law.Title(title)))
	i := about(words)
	return i > 0 && strings.HasSuffix(words[i-1], ",")
}

// owner is the title of the text to which a passage's article belongs.
func owner(p llm.Passage) string {
	if p.New != nil {
		return p.New.Of
	}
	return p.Title
}

// articleName is the name of a passage's part of its text.
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

// titleLimit is the length, in code points, from which a title is shortened.
const titleLimit = 130

// OfText is « de la loi n° 2010-05 du 3 mai 2010 portant … ».
func OfText(title string) string {
	short := shorten(law.Title(title))
	if of, ok := law.OfTitle(short); ok {
		return of
	}
	return "du texte « " + short + " »"
}

// shorten cuts a long title before its subject, or else between words.
func shorten(title string) string {
	if utf8.RuneCountInString(title) <= titleLimit {
		return title
	}
	if name := unadorned(title); name != title {
		return name
	}
	cut := string([]rune(title)[:titleLimit])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut + "…"
}

// unadorned is a title up to where it begins to say what it is about. Each word is
// folded by itself: folded whole a title may have more words than before, where a font
// gives accents as signs of their own (« D¨ECRET »).
func unadorned(title string) string {
	words := strings.Fields(title)
	if i := about(words); i > 0 {
		return strings.TrimRight(strings.Join(words[:i], " "), " ,")
	}
	return title
}

// about is the place of the word with which a title begins to say what it is about, 0 if it
// does not.
func about(words []string) int {
	for i, word := range words {
		if i > 0 && i < len(words)-1 && aboutWords[law.Fold(word)] {
			return i
		}
	}
	return 0
}

// aboutWords begin what a title says that its text is about.
var aboutWords = map[string]bool{"portant": true, "relatif": true, "relative": true, "fixant": true, "modifiant": true, "instituant": true, "abrogeant": true}
