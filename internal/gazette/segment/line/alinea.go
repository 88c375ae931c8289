package line

import (
	"strings"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// JoinAlineas joins the lines of an article into its text, one paragraph per line, and returns the span of each
// printed line in that text.
func JoinAlineas(lines []Line) (string, []law.Span) {
	var b strings.Builder
	var spans []law.Span
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && !lines[n].Opens {
			n++
		}
		text, at := layout.Join(LayoutOf(lines[:n]))
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
