package extractive

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
	"vigueur/internal/llm"
)

// source names an article and its text at the head of a sentence: « L’article 14
// de la loi n° 2010-05 ». A text named just before is « le même texte ».
// A new wording is an article of the text that is amended: « L’article 5 nouveau de
// la loi n° 2010-05, tel que remplacé par l’article 1er de la loi n° 2020-03, ».
func source(p llm.Passage, before string) string {
	name := articleName(p) + " " + ofText(owner(p))
	if owner(p) == before {
		name = articleName(p) + " du même texte"
	}
	if p.New != nil {
		name += ", " + p.New.Verb + " l’article " + p.New.By + " " + ofText(unadorned(p.Title)) + ","
	}
	return name
}

// owner is the title of the text whose article a passage is.
func owner(p llm.Passage) string {
	if p.New != nil {
		return p.New.Of
	}
	return p.Title
}

// articleName names what of a text a passage is.
func articleName(p llm.Passage) string {
	switch folded := law.Fold(p.Article); {
	case strings.HasPrefix(folded, "annexe"), strings.HasPrefix(folded, "article"):
		return "L’" + lower(p.Article)
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

// kinds are how titles begin, with the article that « de » takes before them.
var kinds = []struct{ word, of string }{
	{"loi", "de la "}, {"circulaire", "de la "}, {"constitution", "de la "}, {"convention", "de la "}, {"charte", "de la "},
	{"directive", "de la "}, {"decision", "de la "}, {"instruction", "de l’"}, {"ordonnance", "de l’"}, {"arrete", "de l’"},
	{"acte", "de l’"}, {"avis", "de l’"}, {"accord", "de l’"}, {"decret", "du "}, {"code", "du "}, {"dahir", "du "},
	{"reglement", "du "}, {"traite", "du "}, {"statut", "du "},
}

// titleLimit is the length, in code points, from which a title is cut.
const titleLimit = 130

// ofText is « de la loi n° 2010-05 du 3 mai 2010 portant … ».
func ofText(title string) string {
	title = strings.Join(strings.Fields(title), " ")
	short := shorten(title)
	folded := law.Fold(title)
	for _, k := range kinds {
		if strings.HasPrefix(folded, k.word) {
			if k.word == "code" || k.word == "constitution" {
				return k.of + short
			}
			return k.of + lower(short)
		}
	}
	return "du texte « " + short + " »"
}

// shorten cuts a long title where it begins to say what it is about, else
// between words.
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

// unadorned is a title up to where it begins to say what it is about.
func unadorned(title string) string {
	folded := law.Fold(title)
	end := len(folded)
	for _, about := range []string{" portant ", " relatif ", " relative ", " fixant ", " modifiant ", " instituant ", " abrogeant "} {
		if i := strings.Index(folded, about); i > 0 {
			end = min(end, i)
		}
	}
	if end == len(folded) {
		return title
	}
	// Folding changes how many bytes a letter has, not how many words there are.
	return strings.Join(strings.Fields(title)[:len(strings.Fields(folded[:end]))], " ")
}

// lower takes the capital off the first word, unless all of it is capitals.
func lower(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[size:]); unicode.IsUpper(next) {
		word, rest, _ := strings.Cut(s, " ")
		return strings.ToLower(word) + " " + rest
	}
	return string(unicode.ToLower(first)) + s[size:]
}
