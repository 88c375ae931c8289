package question

import (
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
)

// How a question points, in folded text, at an article or a text that the
// conversation named.
var (
	sameArticle = lazyre.New(`\b(le meme article|cet article|ledit article|l'article en question|l'article (cite|vise|mentionne)|(cite|donne|montre|affiche|recopie|lire|lis|voir)[rz]?(-moi|-nous)? (le texte de )?(l'|cet )?article)\b`)
	sameText    = lazyre.New(`\b(?:(?:ladite|cette|(?:de )?la meme) (?:loi|ordonnance|convention|circulaire|constitution)|(?:ledit|ce|le meme) (?:code|decret|texte|reglement|dahir)|(?:ledit|cet|le meme) (?:arrete|acte))\b`)
	nextArticle = lazyre.New(`\b(l'article (precedent|suivant|d'avant|d'apres))\b`)
)

// pointedAt are the references that a question, folded, makes by pointing back at the
// conversation; own are those that it makes itself.
func (c Conversation) pointedAt(folded string, own []Reference) []Reference {
	step := 0
	switch m := nextArticle.FindStringSubmatch(folded); {
	case len(m) > 0 && (m[2] == "precedent" || m[2] == "d'avant"):
		step = -1
	case len(m) > 0:
		step = 1
	case !sameArticle.MatchString(folded) || slices.ContainsFunc(own, func(r Reference) bool { return len(r.Articles) > 0 }):
		return c.sameTextOf(folded, own)
	}
	last, ok := c.lastNamed(func(r Reference) bool { return len(r.Articles) > 0 })
	if !ok {
		return nil
	}
	number := last.Articles[len(last.Articles)-1]
	if step != 0 {
		if number, ok = neighbor(number, step); !ok {
			return nil
		}
	}
	last.Parts = slices.DeleteFunc(slices.Clone(last.Parts), func(part string) bool { return part != number })
	last.Articles, last.Pointed = []string{number}, true
	return []Reference{last}
}

// sameTextOf is the text that the conversation named last, where a question
// points at one and names none itself.
func (c Conversation) sameTextOf(folded string, own []Reference) []Reference {
	if !sameText.MatchString(folded) || slices.ContainsFunc(own, Reference.NamesText) {
		return nil
	}
	last, ok := c.lastNamed(Reference.NamesText)
	if !ok {
		return nil
	}
	last.Articles, last.Parts, last.Pointed = nil, nil, true
	return []Reference{last}
}

// LastText is the text that the conversation named last, if one of those that are
// known; the reader of the question does not know which are.
func (c Conversation) LastText(known func(Reference) bool) (Reference, bool) {
	return c.plain().lastNamed(func(r Reference) bool { return r.NamesText() && known(r) })
}

// lastNamed is the last reference of its kind in the conversation: of an answer
// the first, which is what the answer rests on.
func (c Conversation) lastNamed(fits func(Reference) bool) (Reference, bool) {
	for i, asked := range slices.Backward(c.Asked) {
		if i < len(c.Answers) {
			for _, r := range References(c.Answers[i]) {
				if fits(r) {
					return r, true
				}
			}
		}
		for _, r := range slices.Backward(References(asked)) {
			if fits(r) {
				return r, true
			}
		}
	}
	return Reference{}, false
}

// suffixes are what numbers of articles that were put in later end with, in order.
var suffixes = append([]string{""}, strings.Split(law.SuffixWords, "|")[:inOneWay]...)

// inOneWay is how many of law's suffixes are written in one way: the ninth has two.
const inOneWay = 7

// neighbor is the number of the article before or behind one: « 52 bis » before
// « 52 ter », « 11 » before « 12 »; false where counting does not tell it: behind
// « L. 12-1 » may stand « L. 12-2 » or « L. 13-1 ».
func neighbor(number string, step int) (string, bool) {
	base, suffix, inserted := strings.Cut(number, " ")
	if at := slices.Index(suffixes, suffix); inserted {
		if at < 1 || at+step >= len(suffixes) || !digitsOnly(base) {
			return "", false
		}
		return strings.TrimSpace(base + " " + suffixes[at+step]), true
	}
	n, err := strconv.Atoi(strings.TrimSuffix(base, "er"))
	if err != nil || n+step < 1 {
		return "", false
	}
	return strconv.Itoa(n + step), true
}

// digitsOnly reports whether s is a number that is counted: « 52 », « 6-2 », not « L. ».
func digitsOnly(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '-' })
}
