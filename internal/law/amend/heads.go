package amend

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"vigueur/internal/kit/lazyre"
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

// newBehind matches « nouveau » after the sign that ends a head, with the part that is new: « Article 15 : (nouveau) », « Article
// 41-nouveau : », « Article 9 : alinéa 2 nouveau ».
var newBehind = law.Pattern(`^(?i:()\( *nouve\pL+ *\)|()nouve\pL+ *(?:[.:]|[~―_])|((?:alinéas?|paragraphe|point) *\d[\d, et]{0,10}(?:er)?) *\(? *nouve\pL+ *\)?) *(?:[.:]|[~―_])* *`)

// beginsWords reports whether a text begins a sentence or an item.
func beginsWords(text string) bool {
	r := firstRune(strings.TrimLeft(text, "«\"“ "))
	return unicode.IsUpper(r) || unicode.IsDigit(r) || r == '('
}

// dirt matches what a scan makes of the mark before a head: no sentence has a single character before « Article ».
var dirt = law.Pattern(`^[^\s«»“”"] +(?i:art(?:icle)?\b)`)

// headAt reads the head of an article of a new wording at the beginning of a line.
func headAt(line string) (h head) {
	if place := dirt.FindString(line); place != "" {
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
	pos := m[1] + length
	if s := bracketSuffix.FindStringSubmatchIndex(line[pos:]); s != nil {
		group := 2
		if s[2] < 0 {
			group = 4
		}
		number += " " + line[pos+s[group]:pos+s[group+1]]
		pos += s[group+1]
		pos += len(line[pos:]) - len(strings.TrimLeft(line[pos:], ") "))
	}
	if strings.HasPrefix(law.Fold(strings.TrimSpace(line[pos:])), "abrog") {
		return head{number: number, n: pos}
	}
	e := headEnd.FindStringSubmatchIndex(line[pos:])
	if e == nil {
		if n := len(freshEnd.FindString(line[pos:])); n > 0 && beginsWords(line[pos+n:]) {
			return head{number: number, fresh: true, n: pos + n}
		}
		return h
	}
	h = head{number: number, n: pos + e[1], fresh: e[4] >= 0}
	if e[2] >= 0 {
		h.part = strings.TrimSpace(strings.Replace(line[pos+e[2]:pos+e[3]], "al.", "alinéa", 1))
	}
	if m := newBehind.FindStringSubmatch(line[h.n:]); len(m) > 3 && (m[3] == "" || h.part == "") {
		h.fresh, h.n, h.part = true, h.n+len(m[0]), h.part+m[3]
	}
	return h
}

// bareHead matches the number of an article that begins a line without the word « article »: « 971. _ ».
var bareHead = law.Pattern(`^(\d{1,4}(?:~\d+)*(?: ?` + suffixes + `\b)?)(?: *\([^()]{0,40}\))? *\.? *[~―_]+ *`)

// openHead matches the head of an article that stood on a line of its own, with no sign before the words: « Article 3 La ».
var openHead = law.Pattern(`^(?i:art(?:icle)?\b)\.? *(\d{1,4}(?:~\d+)*(?: ?` + suffixes + `\b)?)(?i:,? +(?:alinéa|al\.|paragraphe) *\d{1,2}(?:er)?)?( +)\p{Lu}[\pL']`)

// innerHead matches the head of an article within a line.
var innerHead = law.Pattern(`[.;»] +(?:[«"“] *)?((?i:art(?:icle)?\b)\.? *)?(\d{1,4}(?:~\d+)*(?: ?` + suffixes + `\b)?)(?: *\([^()]{0,40}\)| +(?i:nouve\pL+))? *(?:\.? *[~―_]+|\.|:) *[«"“]? *\p{Lu}`)

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
		} else if m := openHead.FindStringSubmatchIndex(line); len(m) > 4 && next(line[m[2]:m[3]]) {
			line = line[:m[4]] + " : " + line[m[4]:]
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

// labelKind is a way to enumerate the parts of an article or of an act.
type labelKind int

const (
	noLabel      labelKind = iota
	roman                  // « I. - »
	capital                // « A. - »
	degree                 // « 1° »
	figure                 // « 1. »
	letter                 // « a) »
	smallRoman             // « i) », « ii) »
	dash                   // « - »
	doubleLetter           // « aa) »
)

// suffixes matches the suffixes of labels and of article numbers, in their order.
const suffixes = `(?:bis|ter|quater|quinquies|sexies|septies|octies|novies|nonies|decies|undecies|duodecies|terdecies|quaterdecies|quindecies|quinquedecies|sexdecies|septdecies|octodecies|novodecies|vicies|unvicies)`

var labelForms = []struct {
	kind labelKind
	form *lazyre.Regexp
}{
	{degree, law.Pattern(`^(?:\d{1,3} ?[°º] (?:à|et) )?(\d{1,3}) ?[°º](?: ?(` + suffixes + `)\b)?(?: ?([A-Z]{1,2})\b[ ])? *[.)]?(?: *~+ )? *`)},
	{roman, law.Pattern(`^([IVX]{1,6})(?: (` + suffixes + `)\b)?(?: ([A-Z]{1,2})\b)?(?: ?\([^)]{1,15}\))? *(?:\. *[~―]*|[~―]+|° *[~―]*) *`)},
	{capital, law.Pattern(`^([A-Z])(?: (` + suffixes + `)\b)?(?: ?\([^)]{1,15}\))? *(?:\. *[~―]+|[~―]+|\)|\. ) *`)},
	{figure, law.Pattern(`^§ ?(\d{1,3})(?: ?(` + suffixes + `)\b)?() *[.)]?(?: *[~―])? *`)},
	{figure, law.Pattern(`^\((\d{1,3})(?: ?(` + suffixes + `))?\)() *`)},
	{figure, law.Pattern(`^(\d{1,3})(?: (` + suffixes + `)\b)?(?: ([A-Z])\b)? *(?:\. *[~―]*|\)|[~―] ) *`)},
	{doubleLetter, law.Pattern(`^([a-z])([a-z]) ?\) *`)},
	{letter, law.Pattern(`^(?:[a-z] (?:à|et) )?([a-z])(?: (` + suffixes + `)\b)? *(?:\)|\. ) *`)},
	{smallRoman, law.Pattern(`^([ivx]{2,6})() *(?:\)|\. ) *`)},
	{dash, law.Pattern(`^()()[~―•] *`)},
}

// labelOf reads the label at the beginning of a line: its kind, the label as instructions
// name it (« I bis », « 2° », « a »), and its length in bytes. A letter that is also a Roman
// numeral is read as following, the label before it.
func labelOf(line string, following func(labelKind) string) (kind labelKind, label string, n int) {
	for _, f := range labelForms {
		m := f.form.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n = len(m[0])
		if n < len(line) && line[n] >= '0' && line[n] <= '9' && f.kind != degree && f.kind != dash {
			continue // « L. 331-5 », « 1.5 »
		}
		label = m[1]
		switch f.kind {
		case degree:
			label += "°"
			if next := firstRune(line[n:]); m[3] != "" && unicode.IsLower(next) { // « 5° A l'intérieur »
				n = strings.LastIndex(m[0], m[3])
				m[3] = ""
			}
		case doubleLetter:
			if m[1] != m[2] { // « ab) », which a bill inserts between « a) » and « b) »
				return letter, m[1] + m[2], n
			}
			return f.kind, m[1] + m[2], n
		}
		for _, part := range m[2:] {
			if part != "" {
				label += " " + part
			}
		}
		return asRead(f.kind, label, following), label, n
	}
	return noLabel, "", 0
}

// asRead decides between the numeral and the letter for a label such as « I » and « i »: it
// is the letter if the letter before it is the last label of that kind.
func asRead(kind labelKind, label string, following func(labelKind) string) labelKind {
	base, _, _ := strings.Cut(label, " ")
	if len(base) != 1 || following == nil {
		return kind
	}
	previous := string(base[0] - 1)
	switch {
	case kind == roman:
		if last, _, _ := strings.Cut(following(capital), " "); last == previous || last == base {
			return capital
		}
	case kind == letter && strings.Trim(base, "ivx") == "":
		if last, _, _ := strings.Cut(following(letter), " "); last == previous || last == base {
			return letter
		}
		if base == "i" || following(smallRoman) != "" {
			return smallRoman
		}
	}
	return kind
}

// kindOfLabel returns the kinds that a label in an instruction may have: « I » is a numeral
// or a letter.
func kindsOfLabel(label string) []labelKind {
	base, _, _ := strings.Cut(label, " ")
	switch {
	case base == "":
		return nil
	case strings.HasSuffix(base, "°"):
		return []labelKind{degree}
	case base[0] >= '0' && base[0] <= '9':
		return []labelKind{figure}
	case strings.Trim(base, "IVX") == "":
		return []labelKind{roman, capital}
	case base[0] >= 'A' && base[0] <= 'Z':
		return []labelKind{capital}
	case strings.Trim(base, "ivx") == "":
		return []labelKind{smallRoman, letter}
	case len(base) == 2:
		return []labelKind{doubleLetter}
	}
	return []labelKind{letter}
}

// suffixOrder lists the suffixes in their order, the ninth in one of its two spellings.
var suffixOrder = slices.DeleteFunc(strings.Split(law.SuffixWords, "|"), func(s string) bool { return s == "novies" })

// rank returns a label's place in its enumeration: the number, and the place of its suffix.
// ok is false for a label that is not counted.
func rank(label string) (n, suffix int, ok bool) {
	base, rest, _ := strings.Cut(label, " ")
	if rest == "novies" {
		rest = "nonies"
	}
	if rest != "" {
		if suffix = slices.Index(suffixOrder, rest) + 1; suffix == 0 {
			return 0, 0, false
		}
	}
	base = strings.TrimSuffix(base, "°")
	if n, err := strconv.Atoi(base); err == nil {
		return n, suffix, true
	}
	if n := law.Roman(base); n > 0 && strings.Trim(base, "IVXivx") == "" {
		return n, suffix, true
	}
	if len(base) == 1 {
		return int(base[0]|0x20-'a') + 1, suffix, true
	}
	return 0, 0, false
}
