package texts

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/gazette/segment/line"
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
			if !first && !line.AllCaps(w.text) {
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

// formsFile holds the forms of words whose accents and capital are certain, one a line. scripts/train capitals
// learned them from the articles of codes.
//
//go:embed forms.txt.gz
var formsFile []byte

// forms maps folded words to their forms.
var forms = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	z, err := gzip.NewReader(bytes.NewReader(formsFile))
	if err == nil {
		for lines := bufio.NewScanner(z); lines.Scan(); err = lines.Err() {
			out[law.Fold(lines.Text())] = lines.Text()
		}
	}
	if err != nil {
		panic(err) // the file is embedded, so every test would fail
	}
	return out
})

// restore writes a title in capitals as French is written: « PORTANT CODE DU TRAVAIL » becomes « portant Code du
// travail ». A word has the form that the text itself uses, else the form in which codes have it. A word that neither
// has may be a name or an acronym, and stays as printed, and so does an initial.
func (known spellings) restore(title string) string {
	if !line.AllCaps(title) {
		return title
	}
	var b strings.Builder
	words := lettersAndSigns(title)
	for i, w := range words {
		text := w.text
		initial := utf8.RuneCountInString(text) == 1 && strings.HasPrefix(w.after, ".")
		form, ok := known.usualForm(text)
		switch {
		case initial:
		case text == "A" && i+1 < len(words) && strings.TrimFunc(w.after, law.Blank) == "": // a title has no verb « a »
			text = "à"
		case ok:
			text = form
		}
		b.WriteString(text + w.after)
	}
	return b.String()
}

// usualForm returns the usual form of a word that is in capitals, false if none is known.
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
	if best == "" {
		best = forms()[k]
	}
	if one := forms()[strings.TrimSuffix(k, "s")]; best == "" && one != "" && len(one) >= leastPlural {
		best = one + "s"
	}
	return best, best != ""
}

// leastPlural is the minimum number of letters of a word whose plural is derived: « PV » makes no « pvs ».
const leastPlural = 4
