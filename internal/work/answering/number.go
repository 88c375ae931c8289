package answering

import (
	"strconv"
	"strings"

	"vigueur/internal/search/retrieve"
)

// numbering renumbers the sources of an answer while it is written: 1, 2, 3 in the order in
// which the text first cites them, whatever numbers they had in the prompt. A citation of
// a source that does not exist is removed. A citation may arrive in pieces: its beginning,
// and the blanks before it, are delayed until it is complete.
type numbering struct {
	sources int   // number of sources in the prompt
	order   []int // order[i] is the prompt's number of the source that the answer numbers i+1
	held    string
}

// longestMark is the maximum length in bytes of a citation such as « [12, 3, 4] ».
const longestMark = 32

// write adds a piece of text and returns the text that is complete.
func (n *numbering) write(delta string) string {
	text := n.held + delta
	cut := len(text)
	if open := strings.LastIndexByte(text, '['); open >= 0 && len(text)-open < longestMark && unfinished(text[open:]) {
		cut = open
	}
	cut = len(strings.TrimRight(text[:cut], blank))
	n.held = text[cut:]
	return n.rewrite(text[:cut])
}

// flush returns the delayed text at the end.
func (n *numbering) flush() string {
	text := n.held
	n.held = ""
	return n.rewrite(text)
}

// blank lists the blanks that may separate a word from the mark after it.
const blank = " \u00a0\u202f"

// unfinished reports whether text, which begins with « [ », can be the beginning of a mark.
func unfinished(text string) bool {
	return strings.Trim(text[1:], "0123456789, \u00a0") == ""
}

// rewrite renumbers the marks of a text; « [2, 5] » becomes « [1] [2] ».
func (n *numbering) rewrite(text string) string {
	var b strings.Builder
	pos := 0
	for _, m := range marks.FindAllStringSubmatchIndex(text, -1) {
		own := n.own(text[m[2]:m[3]])
		b.WriteString(strings.TrimRight(text[pos:m[0]], blanksBefore(own)))
		b.WriteString(own)
		pos = m[1]
	}
	b.WriteString(text[pos:])
	return b.String()
}

// blanksBefore returns the blanks that are removed before a mark: all if the mark itself is
// removed (""), else none.
func blanksBefore(mark string) string {
	if mark == "" {
		return blank
	}
	return ""
}

// own converts a list of the prompt's numbers to marks of the answer; "" if no source has
// one of these numbers.
func (n *numbering) own(numbers string) string {
	var out []string
	for s := range strings.SplitSeq(numbers, ",") {
		given, err := strconv.Atoi(strings.TrimSpace(s))
		if err == nil && given >= 1 && given <= n.sources {
			out = append(out, "["+strconv.Itoa(n.number(given))+"]")
		}
	}
	return strings.Join(out, " ")
}

// number returns the answer's number of the source that the prompt numbers given. A source
// that was not cited before gets the next number.
func (n *numbering) number(given int) int {
	for i, g := range n.order {
		if g == given {
			return i + 1
		}
	}
	n.order = append(n.order, given)
	return len(n.order)
}

// arrange puts the sources that the answer cites first, in the order of their numbers, and
// the other sources after them in their previous order.
func (n *numbering) arrange(hits []retrieve.Hit) []retrieve.Hit {
	out := make([]retrieve.Hit, 0, len(hits))
	cited := make([]bool, len(hits))
	for _, given := range n.order {
		out = append(out, hits[given-1])
		cited[given-1] = true
	}
	for i, h := range hits {
		if !cited[i] {
			out = append(out, h)
		}
	}
	return out
}
