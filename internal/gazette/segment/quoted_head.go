package segment

import (
	"strings"
	"unicode/utf8"
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

// blanks are the blanks that printers set around quotation marks.
const blanks = " \t\n\u00a0\u2007\u202f"

func firstRune(text string) (rune, int) { return utf8.DecodeRuneInString(text) }

func marksIn(text, marks string) (n int) {
	for _, r := range text {
		if strings.ContainsRune(marks, r) {
			n++
		}
	}
	return n
}
