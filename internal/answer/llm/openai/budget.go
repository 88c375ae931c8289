package openai

import (
	"strings"
	"unicode"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law/french"
)

// The tokens of a message besides its text, and the minimum tokens of a shortened passage.
const (
	perMessage = 8
	leastPart  = 64
)

// tokens is an upper bound of a text's tokens in the tokenizers in use: one per three
// letters begun of a word in Latin letters, one per digit, one per byte of every sign and
// every other letter, one per line end. For French that is about one and a half times the
// real number, so a prompt within the limit is never refused as too long.
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

// fit returns the passages that fit into room, best first, in order. A passage that does
// not fit is left out, but a later, shorter passage may fit. If no passage fits, the best
// one is cut after a sentence, with « […] » for the rest.
func fit(passages []llm.Passage, room int) []llm.Passage {
	var out []llm.Passage
	left := room
	for _, p := range passages {
		if cost := tokens(fencePassage(p)); cost <= left {
			out, left = append(out, p), left-cost
		}
	}
	if len(out) > 0 || len(passages) == 0 {
		return out
	}
	best := passages[0]
	text := best.Text
	best.Text = ""
	if left -= tokens(fencePassage(best)) + tokens(gap); left < leastPart {
		return nil
	}
	best.Text = opening(text, left) + gap
	return []llm.Passage{best}
}

const gap = "\n[…]"

// opening returns the beginning of a text, of at most room tokens: whole sentences if the
// first one fits, else whole words.
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
