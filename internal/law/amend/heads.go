package amend

import (
	"slices"
	"strings"
	"unicode"

	"vigueur/internal/law"
)

// head is the head of an article in a new wording: « Article 5 (nouveau). - », « Art. 94-2,
// premier alinéa (nouveau) : », « Article 42 (bis) ».
type head struct {
	number string
	part   string // « premier alinéa », if only that part is new
	fresh  bool   // it says « nouveau »
	n      int    // its length, 0 if there is none
}

// bracketSuffix matches a suffix in brackets and a small letter after the number of an article.
var bracketSuffix = law.Pattern(`^ ?(?:\( ?(` + suffixes + `) ?\)|([a-z]))(?: *(?:[.:(~―_]|$))`)

// headEnd matches what follows the number in the head of a wording: the part that is new, « nouveau », and the sign
// that ends it.
var headEnd = law.Pattern(`^ *[,(]? *(?i:((?:nouve\pL+ )?[\pL\d°' ]{0,40}?\b(?:alin[ée]as?|al\b\.?|paragraphes?|points?|tirets?|phrases?)[\pL\d°' ]{0,30}?|\d{1,2} ?[°º])\b *,?)?` +
	` *\(? *(?i:(nouve\pL+))? *\)? *(?:[.:;]? *[~―_]+|[.:]|$) *`)

// freshEnd matches « nouveau » after the number, where no sign ends the head.
var freshEnd = law.Pattern(`^ *\(? *(?i:nouve\pL+) *\)? *`)

// dirt matches what a scan makes of the mark before a head: no sentence has a single character before « Article ».
var dirt = law.Pattern(`^[^\s«»“”"] +(?i:art(?:icle)?\b)`)

// headAt reads the head of an article of a new wording at the beginning of a line.
func headAt(line string) (h head) {
	if at := dirt.FindString(line); at != "" {
		skip := strings.IndexByte(line, ' ')
		skip += len(line[skip:]) - len(strings.TrimLeft(line[skip:], " "))
		if h = headAt(line[skip:]); h.n > 0 {
			h.n += skip
		}
		return h
	}
	m := ownHead.FindStringIndex(line)
	if m == nil {
		return h
	}
	number, length := articleAt(line[m[1]:])
	if length == 0 {
		return h
	}
	at := m[1] + length
	if s := bracketSuffix.FindStringSubmatchIndex(line[at:]); s != nil {
		group := 2
		if s[2] < 0 {
			group = 4
		}
		number += " " + line[at+s[group]:at+s[group+1]]
		at += s[group+1]
		at += len(line[at:]) - len(strings.TrimLeft(line[at:], ") "))
	}
	if strings.HasPrefix(law.Fold(strings.TrimSpace(line[at:])), "abrog") {
		return head{number: number, n: at}
	}
	e := headEnd.FindStringSubmatchIndex(line[at:])
	if e == nil {
		if n := len(freshEnd.FindString(line[at:])); n > 0 && unicode.IsUpper(firstRune(strings.TrimLeft(line[at+n:], "«\"“ "))) {
			return head{number: number, fresh: true, n: at + n}
		}
		return h
	}
	h = head{number: number, n: at + e[1], fresh: e[4] >= 0}
	if e[2] >= 0 {
		h.part = strings.TrimSpace(strings.Replace(line[at+e[2]:at+e[3]], "al.", "alinéa", 1))
	}
	return h
}

// bareHead matches the number of an article that begins a line without the word « article »: « 971. _ ».
var bareHead = law.Pattern(`^(\d{1,4}(?:~\d+)*(?: ?` + suffixes + `\b)?)(?: *\([^()]{0,40}\))? *\.? *[~―_]+ *`)

// innerHead matches the head of an article within a line.
var innerHead = law.Pattern(`[.;»] +((?i:art(?:icle)?\b)\.? *)?(\d{1,4}(?:~\d+)*(?: ?` + suffixes + `\b)?)(?: *\([^()]{0,40}\))? *(?:\.? *[~―_]+|\.|:) *[«"“]? *\p{Lu}`)

// parted gives each article of a wording a line of its own, and its head the word « Article ». Heads without that word,
// and those within a line, are only those of the articles that the instruction names, in its order.
func parted(wording, expected []string) (out []string) {
	keys := make([]string, len(expected))
	for i, e := range expected {
		keys[i] = law.ArticleKey(e)
	}
	next := func(number string) bool {
		if len(keys) == 0 || law.ArticleKey(number) != keys[0] {
			return false
		}
		keys = keys[1:]
		return true
	}
	for _, line := range wording {
		if h := headAt(line); h.n > 0 {
			if i := slices.Index(keys, law.ArticleKey(h.number)); i >= 0 {
				keys = keys[i+1:]
			}
		} else if m := bareHead.FindStringSubmatch(line); len(m) > 1 && next(m[1]) {
			line = "Article " + line
		}
		for {
			cut := 0
			for _, m := range innerHead.FindAllStringSubmatchIndex(line, -1) {
				bare := m[2] < 0
				dashed := strings.ContainsAny(line[m[5]:m[1]], "-‐‑–—―_")
				if !bare && law.ArticleKey(line[m[4]:m[5]]) != "" && next(line[m[4]:m[5]]) || bare && dashed && next(line[m[4]:m[5]]) {
					cut = m[4]
					if !bare {
						cut = m[2]
					}
					break
				}
			}
			if cut == 0 {
				break
			}
			out = append(out, strings.TrimRightFunc(line[:cut], blankOrInvisible))
			if line = line[cut:]; line[0] >= '0' && line[0] <= '9' {
				line = "Article " + line
			}
		}
		out = append(out, line)
	}
	return out
}
