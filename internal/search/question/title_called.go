package question

import (
	"slices"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
)

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
	at := 0
	for _, term := range rest {
		next := nextOf(words, at, term)
		if next < 0 {
			next = nextOf(words, 0, term) // parts of an enumeration in another order
		}
		if next < 0 {
			return false
		}
		at = next + 1
	}
	return true
}

// nextOf returns the index of the next word with the given term at which a name may continue, -1 if there is
// none.
func nextOf(words []titleWord, at int, term string) int {
	for i := at; i < len(words); i++ {
		if words[i].term == term && (i == at || skippable(words, at, i)) {
			return i
		}
	}
	return -1
}

// skippable reports whether a name may leave out the words from at to i.
func skippable(words []titleWord, at, i int) bool {
	if at > 0 {
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
		between := title[end:t.Start]
		out = append(out, titleWord{t.Term, complement.MatchString(between), conjoined.MatchString(between)})
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
