package extractive

import (
	"strings"
	"unicode/utf8"

	"vigueur/internal/french"
	"vigueur/internal/law"
	"vigueur/internal/llm"
)

// source names an article and its text at the head of a sentence: « L’article 14
// de la loi n° 2010-05 ». A text named just before is « le même texte ».
func source(p llm.Passage, before string) string {
	if p.Title == before {
		return articleName(p) + " du même texte"
	}
	return articleName(p) + " " + ofText(p.Title)
}

// articleName names what of a text a passage is.
func articleName(p llm.Passage) string {
	switch folded := french.Fold(p.Article); {
	case strings.HasPrefix(folded, "annexe"), strings.HasPrefix(folded, "article"):
		return "L’" + law.Small(p.Article)
	case p.Article != "":
		return "L’article " + p.Article
	case strings.HasPrefix(french.Fold(p.Heading), "preambule"):
		return "Le préambule"
	}
	return "Le texte"
}

// titleLimit is the length, in code points, from which a title is cut.
const titleLimit = 130

// ofText is « de la loi n° 2010-05 du 3 mai 2010 portant … ».
func ofText(title string) string {
	short := shorten(law.Title(title))
	if of, ok := law.OfTitle(short); ok {
		return of
	}
	return "du texte « " + short + " »"
}

// shorten cuts a long title where it begins to say what it is about, else
// between words.
func shorten(title string) string {
	if utf8.RuneCountInString(title) <= titleLimit {
		return title
	}
	folded := french.Fold(title)
	for _, about := range []string{" portant ", " relatif ", " relative ", " fixant ", " modifiant ", " instituant ", " abrogeant "} {
		i := strings.Index(folded, about)
		if i <= 0 {
			continue
		}
		// Folding changes how many bytes a letter has, not how many words there are.
		return strings.Join(strings.Fields(title)[:len(strings.Fields(folded[:i]))], " ")
	}
	cut := string([]rune(title)[:titleLimit])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut + "…"
}
