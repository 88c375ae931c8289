package line

import (
	"slices"
	"strings"

	"vigueur/internal/law"
)

// AwaitedHeads reports for each line whether it begins with the head of an article whose new wording was announced
// by number. After « les articles 2, 6 et 9 de la loi … sont remplacés par les dispositions suivantes : » the
// next article 6 belongs to the other text, even if the quotation marks around it are missing. Each number is
// awaited once, and any article whose number is not awaited ends the announcement.
func AwaitedHeads(lines []Line) []bool {
	out := make([]bool, len(lines))
	var numbers []string // still awaited, as law.ArticleKey writes them
	for i, l := range lines {
		if len(numbers) > 0 && MayHead(Before(lines, i), l) {
			if number, ok := headNumber(l); ok {
				at := slices.Index(numbers, law.ArticleKey(number))
				out[i] = at >= 0
				numbers = numbers[at+1:]
				if at < 0 {
					numbers = nil
				}
			}
		}
		if Announces(lines[:i+1]) {
			numbers = numbersNamed(Join(lastSentence(lines[:i+1])))
		}
	}
	return out
}

// headNumber returns the number of the article whose head begins a line. An opening quotation mark may
// precede the head.
func headNumber(l Line) (string, bool) {
	if number, _, ok := l.Article(""); ok {
		return number, true
	}
	if h, ok := ReadQuotedHead(l.Text); ok && (h.Opened || h.IsNew) {
		return h.Number, true
	}
	return "", false
}

// numbersNamed returns the numbers of the articles that a sentence names, in order, as law.ArticleKey writes
// them.
func numbersNamed(sentence string) []string {
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

// Announces reports whether the last one of the given lines announces a wording for another text.
func Announces(lines []Line) bool {
	text := lines[len(lines)-1].Text
	return strings.HasSuffix(text, ":") && Rewords.MatchString(text) && Changing.MatchString(Join(lastSentence(lines)))
}

// sentenceLines is the maximum number of lines that lastSentence returns: a sentence may list many articles that it
// changes.
const sentenceLines = 12

// lastSentence returns the last lines, from the one that follows the last full stop at a line's end, but at most
// sentenceLines.
func lastSentence(lines []Line) []Line {
	for n := 1; n < len(lines) && n < sentenceLines; n++ {
		if strings.HasSuffix(lines[len(lines)-1-n].Text, ".") {
			return lines[len(lines)-n:]
		}
	}
	return lines[max(0, len(lines)-sentenceLines):]
}

var (
	// Rewords matches « … est remplacé par les dispositions suivantes : ». Articles of another text may follow.
	Rewords = law.Pattern(`(?i)(?:suivante?s?|suit|rédigée?s?|libellée?s?|conçue?s?) *:$`)
	// Changing matches the stems of verbs that change a text.
	Changing = law.Pattern(`(?i)\b(?:abrog|remplac|modifi|amendé|reformul|complét|ajout|insér|substitu)`)
)
