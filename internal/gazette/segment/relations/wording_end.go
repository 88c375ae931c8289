package relations

import (
	"strings"
	"unicode/utf8"

	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// extent finds the new wording that begins, after its head, at byte from of an article's text and that ends before byte
// limit. It returns the byte range [start,end) of the wording's words, and the byte to at which the article's own words
// continue. A wording ends with the mark that closes its quotation, else before the next head, else with the article.
func extent(text string, from, limit int) (start, end, to int) {
	length, behind, closed := upToClosing(text[from:limit])
	if !closed {
		length = len(withoutTail(text[from:limit], limit == len(text)))
		behind = length
	}
	words := strings.TrimRight(text[from:from+length], line.Blanks+`"`)
	start = from + len(words) - len(strings.TrimLeft(words, line.Blanks))
	end = max(start, from+len(words))
	to = from + behind
	rest := strings.TrimLeft(text[to:limit], line.Blanks+".;,")
	return start, end, limit - len(rest)
}

// upToClosing finds the mark that closes a quotation opened before text. It returns the byte of the mark, and
// the byte after it.
func upToClosing(text string) (at, behind int, found bool) {
	again, depth := repeatsMarks(text), 0
	for i, r := range text {
		switch r {
		case '«', '“':
			if !again || i == 0 || text[i-1] != '\n' {
				depth++
			}
		case '»', '”':
			if depth--; depth < 0 {
				return i, i + utf8.RuneLen(r), true
			}
		}
	}
	return 0, 0, false
}

// repeatsMarks reports whether each paragraph of a wording begins with an opening mark, while a single mark
// closes them all.
func repeatsMarks(text string) bool {
	_, rest, _ := strings.Cut(text, "\n")
	for alinea := range strings.Lines(rest) {
		if r, _ := line.FirstRune(alinea); (r == '«' || r == '“') && line.CountMarks(alinea, "«“") > line.CountMarks(alinea, "»”") {
			return true
		}
	}
	return false
}

// executory matches a sentence on publication or enforcement, which ends the enclosing text and belongs to no
// wording.
var executory = law.Pattern(`(?i)^(?:la présente|le présent) +\p{L}+(?: +\p{L}+)? +(?:sera|est)\b.{0,40}\b(?:publi|exécut|enregistr|insér)`)

// withoutTail removes what follows a wording that no mark closes: headings before the next wording and, if it
// is the last one, the end of the enclosing text.
func withoutTail(text string, last bool) string {
	for {
		trimmed := strings.TrimRight(text, line.Blanks)
		at := strings.LastIndexByte(trimmed, '\n')
		if at < 0 {
			return text
		}
		tail := trimmed[at+1:]
		if _, heads := line.HeadingOf(tail); !heads && !(last && executory.MatchString(tail)) {
			return text
		}
		text = text[:at+1]
	}
}
