package retrieve

import "strings"

// findIgnoringSpace finds the words of quote in text, with any white space between them.
// It returns the byte range [start,end) in text, or -1, -1.
func findIgnoringSpace(text, quote string) (start, end int) {
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
		if end = matchWords(text, start, words); end >= 0 {
			return start, end
		}
		from = start + len(words[0])
	}
}

// matchWords returns the end of words in text if they occur at start, else -1.
func matchWords(text string, start int, words []string) int {
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
