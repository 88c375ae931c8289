package embedding

import (
	"slices"
	"strings"
	"unicode/utf8"

	"vigueur/internal/law/french"
)

// Chunking names the way in which Chunks splits passages. Vectors of chunks that were split
// in another way belong to another generation.
const Chunking = "sentences-400-headings-2"

const (
	chunkLength = 400 // maximum length of a chunk in code points, without its headings
	headings    = 2   // number of headings in front of each chunk, the nearest
	headLength  = 160 // maximum length of a heading in code points
)

// Chunks splits a passage into the texts that are embedded: whole sentences where they
// fit into chunkLength, with the nearest headings in front. A passage without text gives
// one chunk, so that every passage has a vector.
func Chunks(path []string, heading, text string) []string {
	above := lead(path, heading)
	var out []string
	for _, part := range pieces(text) {
		out = append(out, above+part)
	}
	if len(out) == 0 {
		out = []string{above + "(sans texte)"}
	}
	return out
}

// lead returns the nearest headings, each followed by a full stop.
func lead(path []string, heading string) string {
	var b strings.Builder
	all := slices.Concat(path, []string{heading})
	given := make([]string, 0, headings)
	for i := len(all) - 1; i >= 0 && len(given) < headings; i-- {
		if h := strings.TrimSpace(all[i]); h != "" {
			given = append(given, first(h, headLength))
		}
	}
	for i := len(given) - 1; i >= 0; i-- {
		b.WriteString(given[i])
		b.WriteString(". ")
	}
	return b.String()
}

// pieces splits a text into parts of at most chunkLength code points, between sentences
// where possible.
func pieces(text string) (out []string) {
	part := ""
	flush := func() {
		if part = strings.Join(strings.Fields(part), " "); part != "" {
			out = append(out, part)
		}
		part = ""
	}
	for _, s := range french.Sentences(text) {
		sentence := text[s.Start:s.End]
		if part != "" && utf8.RuneCountInString(part)+utf8.RuneCountInString(sentence) > chunkLength {
			flush()
		}
		part += " " + sentence
		for utf8.RuneCountInString(part) > chunkLength {
			head := first(part, chunkLength)
			rest := part[len(head):]
			part = head
			flush()
			part = rest
		}
	}
	flush()
	return out
}

// first returns at most n code points of a text, cut between words if possible.
func first(text string, n int) string {
	at, count := len(text), 0
	for i := range text {
		if count == n {
			at = i
			break
		}
		count++
	}
	if at == len(text) {
		return text
	}
	if space := strings.LastIndexByte(text[:at], ' '); space > at/2 {
		return text[:space]
	}
	return text[:at]
}
