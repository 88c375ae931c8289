package question

import (
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
)

// How a question, in folded text, points at an article or a text that the conversation named.
var (
	sameArticle = lazyre.New(`\b(le meme article|cet article|ledit article|l'article en question|l'article (cite|vise|mentionne)|(cite|donne|montre|affiche|recopie|lire|lis|voir)[rz]?(-moi|-nous)? (le texte de )?(l'|cet )?article)\b`)
	sameText    = lazyre.New(`\b(?:(?:ladite|cette|(?:de )?la meme) (?:loi|ordonnance|convention|circulaire|constitution)|(?:ledit|ce|le meme) (?:code|decret|texte|reglement|dahir)|(?:ledit|cet|le meme) (?:arrete|acte))\b`)
	nextArticle = lazyre.New(`\b(l'article (precedent|suivant|d'avant|d'apres))\b`)
)

// pointedAt returns the references that a folded question makes by pointing back at the conversation. own are
// the references that the question contains.
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

// sameTextOf returns the text that the conversation named last, if the question points at a text and names
// none itself.
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

// LastText returns the text that the conversation named last, among those for which known returns true.
func (c Conversation) LastText(known func(Reference) bool) (Reference, bool) {
	return c.normalize().lastNamed(func(r Reference) bool { return r.NamesText() && known(r) })
}

// lastNamed returns the last fitting reference in the conversation. Of an answer it takes the first
// reference, on which the answer is based.
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

// suffixes are the suffixes of inserted articles, in order.
var suffixes = append([]string{""}, strings.Split(law.SuffixWords, "|")[:inOneWay]...)

// inOneWay is the number of law's suffixes that have a single spelling; the next one has two.
const inOneWay = 7

// neighbor returns the number of the article before or after number: « 52 ter » after « 52 bis », « 12 »
// after « 11 ». It returns false if this cannot be computed: « L. 12-2 » or « L. 13-1 » may come after « L.
// 12-1 ».
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

// digitsOnly reports whether s is a plain number: « 52 » or « 6-2 », but not « L. ».
func digitsOnly(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '-' })
}
