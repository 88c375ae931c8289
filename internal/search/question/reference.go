package question

import (
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/law/naming"
	"vigueur/internal/law/read"
)

// Reference is a mention of a text, of articles, or of articles of a text.
type Reference = read.Reference

// References finds the mentions of texts and articles in a question, in order.
func References(text string, names ...naming.Given) []Reference { return read.Typed(text, names...) }

var (
	complement = law.Pattern(`(?i)(?:^|[^\p{L}])(?:de|du|des|d')(?:[^\p{L}]|$)`)
	conjoined  = law.Pattern(`(?i)[,;]|(?:^|[^\p{L}])(?:et|ou)(?:[^\p{L}]|$)`)
)

// titleWord is a word of a title that is neither a stop word nor the name of a country.
type titleWord struct {
	term       string
	of, joined bool // a preposition (of), or a conjunction or a comma (joined), comes before it
}

// CanBeCalled reports whether the title of a code can be called by a name. name holds the terms of this name
// without its country, as Content returns them; the first one is the kind, « code ».
//
// The words of the title that a name leaves out must not distinguish the code from others. They may be the
// last ones (« code des sociétés » for that of commercial companies), an adjective of the kind (« code des
// impôts » for the « Code général des impôts »), or other parts of an enumeration (« code de la famille » for
// that « des personnes et de la famille »). Any other word makes it another code: « code pénal » is not the
// « Code de procédure pénale ».
func CanBeCalled(title string, name []string) bool {
	if len(name) == 0 {
		return false
	}
	words, called := titleWords(title), false
	for i, w := range words {
		if w.term != name[0] {
			continue
		}
		called = true
		if holdsName(words[i+1:], name[1:]) {
			return true
		}
	}
	return !called // the kind is known from elsewhere, and there is nothing to compare
}

// holdsName reports whether the words after the kind contain the rest of a name.
func holdsName(words []titleWord, rest []string) bool {
	pos := 0
	for _, term := range rest {
		next := nextOf(words, pos, term)
		if next < 0 {
			next = nextOf(words, 0, term) // parts of an enumeration in another order
		}
		if next < 0 {
			return false
		}
		pos = next + 1
	}
	return true
}

// nextOf returns the index of the next word with the given term at which a name may continue, -1 if there is
// none.
func nextOf(words []titleWord, pos int, term string) int {
	for i := pos; i < len(words); i++ {
		if words[i].term == term && (i == pos || skippable(words, pos, i)) {
			return i
		}
	}
	return -1
}

// skippable reports whether a name may leave out the words from at to i.
func skippable(words []titleWord, pos, i int) bool {
	if pos > 0 {
		return words[i].joined
	}
	adjectives := !slices.ContainsFunc(words[:i], func(w titleWord) bool { return w.of })
	return words[i].of && (words[i].joined || adjectives)
}

func titleWords(title string) (out []titleWord) {
	tokens := contentTokens(title)
	countries := country.Mentions(termsOf(tokens))
	end := 0
	for i, t := range tokens {
		if slices.ContainsFunc(countries, func(m country.Mention) bool { return m.Start <= i && i < m.End }) {
			continue
		}
		gap := title[end:t.Start]
		out = append(out, titleWord{t.Term, complement.MatchString(gap), conjoined.MatchString(gap)})
		end = t.End
	}
	return out
}

// contentTokens returns the tokens of a text that are not stop words.
func contentTokens(text string) []french.Token {
	return slices.DeleteFunc(french.Analyze(text), func(t french.Token) bool { return t.Stop })
}

func termsOf(tokens []french.Token) []string {
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = t.Term
	}
	return out
}

// TitleWithoutCountries returns a title without the names of countries: « Code du travail » for « code du travail
// burkinabè ». The words are not stemmed.
func TitleWithoutCountries(title string) string {
	tokens := contentTokens(title)
	for _, m := range slices.Backward(country.Mentions(termsOf(tokens))) {
		title = title[:tokens[m.Start].Start] + title[tokens[m.End-1].End:]
	}
	return title
}

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
	if pos := slices.Index(suffixes, suffix); inserted {
		if pos < 1 || pos+step >= len(suffixes) || !digitsOnly(base) {
			return "", false
		}
		return strings.TrimSpace(base + " " + suffixes[pos+step]), true
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
