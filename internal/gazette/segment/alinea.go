package segment

import (
	"strings"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// alineas makes the text of an article of its lines: paragraphs joined and
// mended, one a line of the text, and where each printed line of it stands.
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
