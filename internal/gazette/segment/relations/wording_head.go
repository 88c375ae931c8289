package relations

import (
	"slices"
	"strings"

	"vigueur/internal/gazette/segment/line"
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
