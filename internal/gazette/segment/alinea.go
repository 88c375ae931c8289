package segment

import (
	"strings"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// alineas joins the lines of an article into its text, one paragraph per line, and returns the span of each
// printed line in that text.
func alineas(lines []line) (string, []law.Span) {
	var b strings.Builder
	var spans []law.Span
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && !lines[n].opens {
			n++
		}
		text, at := layout.Join(printed(lines[:n]))
		lines = lines[n:]
		if text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		for _, s := range at {
			s.Start += b.Len()
			s.End += b.Len()
			spans = append(spans, s)
		}
		b.WriteString(text)
	}
	return b.String(), spans
}
