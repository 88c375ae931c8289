package segment

import (
	"slices"
	"strings"

	"vigueur/internal/law"
)

// wordingHead is the number over a new wording: « « Art. 36. — », « Article 6-2
// (nouveau) : », « Article 17 (alinéa 2 nouveau). ».
type wordingHead struct {
	from, to int // bytes of the enclosing article's text, an opening mark included
	number   string
	part     string
	fresh    bool // it says that the wording is new
	opened   bool // a quotation opens with it
}

// The parts of an article that may be worded anew alone.
const articlePart = `(?:[\p{L}\d]+ ){0,4}?(?:alinéas?|paragraphes?|points?|tirets?|phrases?)(?: [\p{L}\d]+){0,5}?`

// quotedHead is such a head where a paragraph or a quotation begins. A scan makes
// one other character of the opening mark; no sentence has one there by itself.
var quotedHead = law.Pattern(`^([«“"] *|[^\s«»“”"] +)?(?i:articles?|art\b)[.,:]? *` +
	`((?i:premi(?:er|[eè]re)\b|unique\b|[1l] ?er\b|(?:[LRDA] ?[.]? ?[*]? ?)?\d+(?: ?(?:er|e|ème)\b)?(?: ?~ ?\d+|\.\d+)*(?:(?: |~)?` + suffixes + `\b)?(?: [A-D]\b)?))` +
	`(?: *[,(]? *(?i:(` + articlePart + `)? *\(? *(nouveaux?|nouvelles?)) *\)?)?` +
	`( *[°º])?((?: *(?:[.:]|~|, *~)+)*)\s*`)

// headAtStart reads the head with which a text begins.
func headAtStart(text string) (h wordingHead, ok bool) {
	m := quotedHead.FindStringSubmatchIndex(text)
	if m == nil {
		return h, false
	}
	h = wordingHead{to: m[1], number: law.ArticleNumber(text[m[4]:m[5]]), fresh: m[8] >= 0}
	if m[6] >= 0 {
		h.part = strings.Join(strings.Fields(text[m[6]:m[7]]), " ")
	}
	if m[2] >= 0 {
		h.opened = strings.ContainsAny(text[m[2]:m[3]], "«“\"")
	}
	closed := m[12] < m[13]
	alone := strings.Contains(text[m[13]:m[1]], "\n")
	return h, closed || alone || h.fresh && startsBig(text[m[1]:])
}

// wordingHeads are the heads in an article, in order: at the beginning of an
// alinea, or of a quotation behind a colon. None begins within another.
func wordingHeads(text string) (heads []wordingHead) {
	for _, at := range slices.Concat(alineaStarts(text), openings(text)) {
		h, ok := headAtStart(text[at:])
		if ok && !slices.ContainsFunc(heads, func(o wordingHead) bool { return o.from == at }) {
			h.from, h.to = at, h.to+at
			heads = append(heads, h)
		}
	}
	slices.SortFunc(heads, func(a, b wordingHead) int { return a.from - b.from })
	// A speck alone on its line is a part of the head below it, which begins there too.
	end := 0
	return slices.DeleteFunc(heads, func(h wordingHead) bool {
		if h.from < end {
			return true
		}
		end = h.to
		return false
	})
}

// alineaStarts are the bytes at which the alineas of a text begin.
func alineaStarts(text string) []int {
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// openings are the bytes at which quotations open behind a colon.
func openings(text string) (at []int) {
	for i, r := range text {
		if (r == '«' || r == '“') && strings.HasSuffix(strings.TrimRight(text[:i], blanks), ":") {
			at = append(at, i)
		}
	}
	return at
}

// blanks are those that print sets around its marks.
const blanks = " \t\n\u00a0\u2007\u202f"

// quotedWording is a quotation without a head: its opening mark, and where its words begin.
type quotedWording struct{ from, to int }

// quotations are those that « ainsi rédigé : » and the like lead to, without a head.
func quotations(text string) (out []quotedWording) {
	for _, at := range openings(text) {
		before := strings.TrimRight(text[:at], blanks)
		if alinea := before[strings.LastIndexByte(before, '\n')+1:]; !rewords.MatchString(alinea) || !changing.MatchString(alinea) {
			continue
		}
		if _, headed := headAtStart(text[at:]); headed {
			continue
		}
		_, size := firstRune(text[at:])
		out = append(out, quotedWording{at, at + size + len(text[at+size:]) - len(strings.TrimLeft(text[at+size:], blanks))})
	}
	return out
}
