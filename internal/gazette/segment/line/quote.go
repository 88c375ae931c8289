package line

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/law"
)

// quoteReach is the maximum number of lines of a quotation. If it is not closed by then, its opening mark is a
// misprint.
const quoteReach = 1500

// InQuotes reports for each line whether it is within a quotation that was opened at the beginning of a
// paragraph or after a colon. Such a quotation is the new wording that an amending text gives, and its
// articles belong to the other text. A quotation that is never closed quotes nothing.
func InQuotes(lines []Line) []bool {
	out := make([]bool, len(lines))
	var q quotation
	for i, l := range lines {
		if l.Opens && q.inline {
			q = quotation{}
		}
		if q.depth > 0 && MadeAt.MatchString(l.Text) && len(l.Text) < 80 {
			clear(out[q.from:i]) // the text is signed: the closing mark was lost
			q = quotation{}
		}
		out[i] = q.depth > 0
		if l.Opens {
			q.before = 0
		}
		for j, r := range l.Text {
			q.read(r, i, l.Opens && strings.TrimSpace(l.Text[:j]) == "")
		}
		if q.depth > 0 && i-q.from > quoteReach {
			clear(out[q.from : i+1])
			q = quotation{}
		}
	}
	if q.depth > 0 {
		clear(out[q.from:])
	}
	return out
}

// quotation is the state of a reader of quotation marks.
type quotation struct {
	depth  int
	from   int  // the line of the outermost opening mark
	inline bool // opened within a sentence: the paragraph's end closes it
	before rune // the last character that is no blank, 0 at the start of a paragraph
}

// read reads the next character, on line at. first means that only blanks come before it in its paragraph.
func (q *quotation) read(r rune, pos int, first bool) {
	switch r {
	case '«', '“':
		if first && q.depth > 0 {
			break // each paragraph of a quotation may begin with the mark again
		}
		if q.depth == 0 {
			q.from, q.inline = pos, !first && q.before != ':'
		}
		q.depth++
	case '»', '”':
		if q.depth = max(0, q.depth-1); q.depth == 0 {
			q.inline = false
		}
	}
	if !unicode.IsSpace(r) {
		q.before = r
	}
}

// MadeAt matches the line that says where a text was signed or promulgated: « Fait à Clairmonde, le 3 mai 2010 », « Donné à …, ce 3 mai »,
// « Délibéré et adopté en séance … », « Promulguée à …, le 3 mai ».
var MadeAt = law.Pattern(`^(?:(?:Ainsi )?[Ff]ait|FAIT|Donné|DONNÉ|DONNE|Délibéré|Promulguée?|Signé|Rabat|Conclu) *(?:et (?:passé|adopté|publié|signé|délibéré))? *(?:à|a|en|au|À|A|EN|par|,) ?.{0,110}$`)

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
	`((?i:premi(?:er|[eè]re)\b|unique\b|[1l] ?er\b|` + heads.PartLetters + `?\d+(?: ?(?:er|e|ème)\b)?(?: ?~ ?\d+|\.\d+)*(?:(?: |~)?` + heads.Suffixes + `\b)?(?: [A-D]\b)?))` +
	`(?: *[,(]? *(?i:(` + articlePart + `)? *\(? *(nouveaux?|nouvelles?)) *\)?)?` +
	`( *°)?((?: *(?:[.:]|~|, *~)+)*)\s*`)

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
