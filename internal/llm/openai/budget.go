package openai

import (
	"strings"
	"unicode"

	"vigueur/internal/french"
	"vigueur/internal/llm"
)

// How many tokens one message costs beside its text, and the least that is worth
// giving of a passage that does not fit.
const (
	perMessage = 8
	leastPart  = 64
)

// tokens bounds the tokens of a text from above for the tokenizers in use: a
// word of Latin letters counts one for each three letters begun, every digit,
// every sign and every other letter one for each byte of it, line ends one. For
// French that is about one and a half times what they count, so that a prompt
// held under the limit by it is never refused as too long.
func tokens(text string) int {
	n, letters := 0, 0
	for _, r := range text {
		if unicode.Is(unicode.Latin, r) {
			if letters%3 == 0 {
				n++
			}
			letters++
			continue
		}
		letters = 0
		switch {
		case r == ' ':
		case r < 0x80:
			n++
		default:
			n += len(string(r)) - 1
		}
	}
	return n
}

// fit gives the passages, the best first, for which there is room, in order.
// One that does not fit is left out whole, and a later, shorter one may take its
// place. Only when none fits is the best cut, after a sentence, with « […] » for
// what is missing.
func fit(passages []llm.Passage, room int) []llm.Passage {
	var out []llm.Passage
	left := room
	for _, p := range passages {
		if cost := tokens(fenced(p)); cost <= left {
			out, left = append(out, p), left-cost
		}
	}
	if len(out) > 0 || len(passages) == 0 {
		return out
	}
	best := passages[0]
	text := best.Text
	best.Text = ""
	if left -= tokens(fenced(best)) + tokens(gap); left < leastPart {
		return nil
	}
	best.Text = opening(text, left) + gap
	return []llm.Passage{best}
}

const gap = "\n[…]"

// opening is the beginning of a text of at most room tokens, whole sentences
// where one fits, else whole words.
func opening(text string, room int) string {
	end := 0
	for _, s := range french.Sentences(text) {
		if tokens(text[:s.End]) > room {
			break
		}
		end = s.End
	}
	if end > 0 {
		return text[:end]
	}
	var b strings.Builder
	for word := range strings.SplitAfterSeq(text, " ") {
		if room -= tokens(word); room < 0 {
			break
		}
		b.WriteString(word)
	}
	return b.String()
}
