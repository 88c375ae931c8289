package segment

import (
	"slices"
	"strings"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/law"
)

// wordingHead is the head of a new wording: « « Art. 36. — », « Article 6-2 (nouveau) : », « Article 17
// (alinéa 2 nouveau). ».
type wordingHead struct {
	from, to int // byte range in the enclosing article's text, with an opening mark
	number   string
	part     string
	fresh    bool // the head says that the wording is new
	opened   bool // a quotation begins with it
}

// articlePart matches a part of an article that may get a new wording alone.
const articlePart = `(?:[\p{L}\d]+ ){0,4}?(?:alinéas?|paragraphes?|points?|tirets?|phrases?)(?: [\p{L}\d]+){0,5}?`

// quotedHead matches the head of a new wording at the beginning of a paragraph or a quotation. In scans another
// character may replace the opening mark; in a sentence no such character stands alone before the word.
var quotedHead = law.Pattern(`^([«“"] *|[^\s«»“”"] +)?(?i:articles?|art\b)[.,:]? *` +
	`((?i:premi(?:er|[eè]re)\b|unique\b|[1l] ?er\b|(?:[LRDA] ?[.]? ?[*]? ?)?\d+(?: ?(?:er|e|ème)\b)?(?: ?~ ?\d+|\.\d+)*(?:(?: |~)?` + heads.Suffixes + `\b)?(?: [A-D]\b)?))` +
	`(?: *[,(]? *(?i:(` + articlePart + `)? *\(? *(nouveaux?|nouvelles?)) *\)?)?` +
	`( *[°º])?((?: *(?:[.:]|~|, *~)+)*)\s*`)

// headAtStart reads the head at the beginning of a text.
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
	return h, closed || alone || h.fresh && heads.StartsBig(text[m[1]:])
}

// wordingHeads returns the heads in an article, in order: at the beginning of a paragraph, or of a quotation
// after a colon. A head within another one is left out.
func wordingHeads(text string) (heads []wordingHead) {
	for _, at := range slices.Concat(alineaStarts(text), openings(text)) {
		h, ok := headAtStart(text[at:])
		if ok && !slices.ContainsFunc(heads, func(o wordingHead) bool { return o.from == at }) {
			h.from, h.to = at, h.to+at
			heads = append(heads, h)
		}
	}
	slices.SortFunc(heads, func(a, b wordingHead) int { return a.from - b.from })
	// A speck alone on its line belongs to the head on the next line, where a second head is found.
	end := 0
	return slices.DeleteFunc(heads, func(h wordingHead) bool {
		if h.from < end {
			return true
		}
		end = h.to
		return false
	})
}

// alineaStarts returns the bytes at which the paragraphs of a text begin.
func alineaStarts(text string) []int {
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// openings returns the bytes at which quotations open after a colon.
func openings(text string) (at []int) {
	for i, r := range text {
		if (r == '«' || r == '“') && strings.HasSuffix(strings.TrimRight(text[:i], blanks), ":") {
			at = append(at, i)
		}
	}
	return at
}

// blanks are the blanks that printers set around quotation marks.
const blanks = " \t\n\u00a0\u2007\u202f"

// quotedWording is a quotation without a head: its opening mark, and where its words begin.
type quotedWording struct{ from, to int }

// quotations returns the quotations without a head that « ainsi rédigé : » and similar words introduce.
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
