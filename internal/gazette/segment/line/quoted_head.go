package line

import (
	"strings"
	"unicode/utf8"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/law"
)

// QuotedHead is the head of a new wording: « « Art. 36. — », « Article 6-2 (nouveau) : », « Article 17
// (alinéa 2 nouveau). ».
type QuotedHead struct {
	To     int // byte offset of its end in the enclosing article's text
	Number string
	IsNew  bool // the head says that the wording is new
	Opened bool // a quotation begins with it
}

// articlePart matches a part of an article that may get a new wording alone.
const articlePart = `(?:[\p{L}\d]+ ){0,4}?(?:alinéas?|paragraphes?|points?|tirets?|phrases?)(?: [\p{L}\d]+){0,5}?`

// quotedHeadPattern matches the head of a new wording at the beginning of a paragraph or a quotation. In scans another
// character may replace the opening mark. No sentence has such a character alone before the word.
var quotedHeadPattern = law.Pattern(`^([«“"] *|[^\s«»“”"] +)?(?i:articles?|art\b)[.,:]? *` +
	`((?i:premi(?:er|[eè]re)\b|unique\b|[1l] ?er\b|(?:[LRDA] ?[.]? ?[*]? ?)?\d+(?: ?(?:er|e|ème)\b)?(?: ?~ ?\d+|\.\d+)*(?:(?: |~)?` + heads.Suffixes + `\b)?(?: [A-D]\b)?))` +
	`(?: *[,(]? *(?i:(` + articlePart + `)? *\(? *(nouveaux?|nouvelles?)) *\)?)?` +
	`( *[°º])?((?: *(?:[.:]|~|, *~)+)*)\s*`)

// ReadQuotedHead reads the head at the beginning of a text.
func ReadQuotedHead(text string) (h QuotedHead, ok bool) {
	m := quotedHeadPattern.FindStringSubmatchIndex(text)
	if m == nil {
		return h, false
	}
	h = QuotedHead{To: m[1], Number: law.ArticleNumber(text[m[4]:m[5]]), IsNew: m[8] >= 0}
	if m[2] >= 0 {
		h.Opened = strings.ContainsAny(text[m[2]:m[3]], "«“\"")
	}
	closed := m[12] < m[13]
	alone := strings.Contains(text[m[13]:m[1]], "\n")
	return h, closed || alone || h.IsNew && heads.StartsBig(text[m[1]:])
}

// Blanks are the blanks that printers set around quotation marks.
const Blanks = " \t\n\u00a0\u2007\u202f"

// FirstRune returns the first character of a text and its length in bytes.
func FirstRune(text string) (rune, int) { return utf8.DecodeRuneInString(text) }

// CountMarks returns how many characters of a text are among marks.
func CountMarks(text, marks string) (n int) {
	for _, r := range text {
		if strings.ContainsRune(marks, r) {
			n++
		}
	}
	return n
}
