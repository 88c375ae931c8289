package segment

import (
	"slices"

	"vigueur/internal/law"
)

// awaited tells of each line whether it begins with the head of an article whose new words
// were announced by its number: behind « les articles 2, 6 et 9 de la loi … sont remplacés
// par les dispositions suivantes : » the next article 6 is the other text's, whatever marks
// were printed around it or lost. Each number is awaited once; where an article is read that
// is not, the announced ones are over.
func awaited(lines []line) []bool {
	out := make([]bool, len(lines))
	var numbers []string // still awaited, as law.ArticleKey writes them
	for i, l := range lines {
		if len(numbers) > 0 && mayHead(before(lines, i), l) {
			if number, ok := headNumber(l); ok {
				at := slices.Index(numbers, law.ArticleKey(number))
				out[i] = at >= 0
				numbers = numbers[at+1:]
				if at < 0 {
					numbers = nil
				}
			}
		}
		if announces(lines[:i+1]) {
			numbers = announced(joined(lastSentence(lines[:i+1])))
		}
	}
	return out
}

// headNumber is the number of an article with whose head a line begins, an opening mark
// before it.
func headNumber(l line) (string, bool) {
	if number, _, ok := l.article(""); ok {
		return number, true
	}
	if h, ok := headAtStart(l.text); ok && (h.opened || h.fresh) {
		return h.number, true
	}
	return "", false
}

// announced are the numbers of the articles that a sentence names, as law.ArticleKey writes
// them, in their order.
func announced(sentence string) []string {
	var out []string
	for _, r := range law.References(sentence) {
		for _, n := range r.Articles {
			if key := law.ArticleKey(n); !slices.Contains(out, key) {
				out = append(out, key)
			}
		}
	}
	return out
}
