package sentence

import (
	"slices"
	"strings"

	"vigueur/internal/law"
)

// Mentions reports whether a text contains one of the folded stems.
func Mentions(text string, stems []string) bool {
	folded := law.Fold(text)
	return slices.ContainsFunc(stems, func(stem string) bool { return strings.Contains(folded, stem) })
}

// WithoutQuotes removes what is in quotation marks, the words of another text. Offsets in the result differ from offsets in
// the given text.
func WithoutQuotes(text string) string {
	var b strings.Builder
	depth := 0
	for _, r := range text {
		switch r {
		case '«', '“':
			depth++
			continue
		case '»', '”':
			depth = max(0, depth-1)
			continue
		}
		if depth == 0 {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Abbreviation matches a text that ends with the full stop of an abbreviation, which ends no sentence.
var Abbreviation = law.Pattern(`(?i)(?:^|[\s(']|’)(?:art|arts|al|n|mm?|mmes?|dr|cf|p|pp|\p{L})\.$`)

// Split splits a text after the full stops that end sentences. List items that end with a semicolon stay
// in one sentence.
func Split(text string) []string {
	var out []string
	start := 0
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '.' || text[i+1] != ' ' && text[i+1] != '\n' || Abbreviation.MatchString(text[max(start, i-8):i+1]) || betweenFigures(text, i) {
			continue
		}
		out = append(out, strings.TrimSpace(text[start:i+1]))
		start = i + 1
	}
	if rest := strings.TrimSpace(text[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// betweenFigures reports whether a full stop is a misread comma between numbers, as in scans: « les articles
// 24. 42 et 319 ».
func betweenFigures(text string, i int) bool {
	figure := func(at int) bool { return at >= 0 && at < len(text) && text[at] >= '0' && text[at] <= '9' }
	return text[i+1] == ' ' && figure(i-1) && figure(i+2)
}
