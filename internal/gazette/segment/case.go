package segment

import (
	"strings"
	"unicode"

	"vigueur/internal/law"
)

// spellings counts the forms in which a text writes its words inside articles, where they are not in capitals.
type spellings map[string]map[string]int // folded word -> as written -> how often

// spellingsOf counts the words of articles. It skips the first word of each sentence, whose capital means
// nothing.
func spellingsOf(articles []law.Article) spellings {
	known := spellings{}
	for _, a := range articles {
		first := true
		for _, w := range lettersAndSigns(a.Text) {
			if !first && !capitals(w.text) {
				k := law.Fold(w.text)
				if known[k] == nil {
					known[k] = map[string]int{}
				}
				known[k][w.text]++
			}
			first = strings.ContainsAny(w.after, ".;:!?\n«")
		}
	}
	return known
}

// word is a run of letters, and the other characters after it, up to the next letter.
type word struct{ text, after string }

// lettersAndSigns splits a text into words. Characters before the first letter make a word without letters.
func lettersAndSigns(text string) (out []word) {
	rest := text
	for rest != "" {
		n := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) })
		if n < 0 {
			n = len(rest)
		}
		m := strings.IndexFunc(rest[n:], unicode.IsLetter)
		if m < 0 {
			m = len(rest) - n
		}
		out = append(out, word{rest[:n], rest[n : n+m]})
		rest = rest[n+m:]
	}
	return out
}

// titleWords are frequent in titles, and may not occur in articles.
const titleWords = " relatif relative relatifs relatives portant fixant modifiant complétant abrogeant promulgation au aux à de du des d l la le les et en sur par pour dans entre un une n "

// asWritten writes a title in capitals as the text writes its words: « PORTANT CODE DU TRAVAIL » becomes
// « portant Code du travail ». ok is false if the text lacks one of its words, which may be a name; the title
// then stays as printed.
func (known spellings) asWritten(title string) (out string, ok bool) {
	if !capitals(title) {
		return title, false
	}
	var b strings.Builder
	for _, w := range lettersAndSigns(title) {
		text := w.text
		if text != "" {
			if text, ok = known.usualForm(text); !ok {
				return title, false
			}
		}
		b.WriteString(text + w.after)
	}
	return b.String(), true
}

// usualForm returns the usual form of a word that is in capitals.
func (known spellings) usualForm(word string) (string, bool) {
	k := law.Fold(word)
	if strings.Contains(titleWords, " "+strings.ToLower(word)+" ") {
		return strings.ToLower(word), true
	}
	for _, w := range strings.Fields(titleWords) {
		if law.Fold(w) == k && len(k) > 1 {
			return w, true
		}
	}
	best, most := "", 0
	for form, n := range known[k] {
		if n > most || n == most && form > best { // on a tie, lower case and accents win
			best, most = form, n
		}
	}
	return best, best != ""
}
