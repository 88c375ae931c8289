package relations

import (
	"slices"
	"strings"
	"unicode/utf8"

	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// wordingHeads returns the heads in an article, in order: at the beginning of a paragraph, or of a quotation
// after a colon. A head within another one is left out.
func wordingHeads(text string) (heads []line.QuotedHead) {
	for _, at := range slices.Concat(alineaStarts(text), openings(text)) {
		h, ok := line.ReadQuotedHead(text[at:])
		if ok && !slices.ContainsFunc(heads, func(o line.QuotedHead) bool { return o.From == at }) {
			h.From, h.To = at, h.To+at
			heads = append(heads, h)
		}
	}
	slices.SortFunc(heads, func(a, b line.QuotedHead) int { return a.From - b.From })
	// A speck alone on its line belongs to the head on the next line, where a second head is found.
	end := 0
	return slices.DeleteFunc(heads, func(h line.QuotedHead) bool {
		if h.From < end {
			return true
		}
		end = h.To
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
		if (r == '«' || r == '“') && strings.HasSuffix(strings.TrimRight(text[:i], line.Blanks), ":") {
			at = append(at, i)
		}
	}
	return at
}

// quotedWording is a quotation without a head: its opening mark, and where its words begin.
type quotedWording struct{ from, to int }

// quotations returns the quotations without a head that « ainsi rédigé : » and similar words introduce.
func quotations(text string) (out []quotedWording) {
	for _, at := range openings(text) {
		before := strings.TrimRight(text[:at], line.Blanks)
		if alinea := before[strings.LastIndexByte(before, '\n')+1:]; !line.Rewords.MatchString(alinea) || !line.Changing.MatchString(alinea) {
			continue
		}
		if _, headed := line.ReadQuotedHead(text[at:]); headed {
			continue
		}
		_, size := line.FirstRune(text[at:])
		out = append(out, quotedWording{at, at + size + len(text[at+size:]) - len(strings.TrimLeft(text[at+size:], line.Blanks))})
	}
	return out
}

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
