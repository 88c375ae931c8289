package retrieve

import "strings"

// findLoose finds quote in text without regard to how much white space stands
// between two words. It gives the bytes [start,end) of text, or -1.
func findLoose(text, quote string) (start, end int) {
	words := strings.Fields(quote)
	if len(words) == 0 {
		return -1, -1
	}
	for from := 0; ; {
		i := strings.Index(text[from:], words[0])
		if i < 0 {
			return -1, -1
		}
		start = from + i
		if end = follow(text, start, words); end >= 0 {
			return start, end
		}
		from = start + len(words[0])
	}
}

// follow gives the end of words in text from start, -1 when they do not stand
// there.
func follow(text string, start int, words []string) int {
	at := start
	for i, w := range words {
		rest := text[at:]
		if i > 0 {
			trimmed := strings.TrimLeft(rest, " \t\r\n\u00a0\u202f")
			if len(trimmed) == len(rest) {
				return -1
			}
			at += len(rest) - len(trimmed)
			rest = trimmed
		}
		if !strings.HasPrefix(rest, w) {
			return -1
		}
		at += len(w)
	}
	return at
}
