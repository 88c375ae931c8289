package amend

import (
	"strings"

	"vigueur/internal/law"
)

// Part is an article of an act in the text that Read gets.
type Part struct {
	Article *law.Article
	Span    // of the article's text
}

// Written writes the articles of an act as Read wants it, and says where each of them is. Visas,
// signatures and annexes amend nothing. The body of an act without articles has no number.
func Written(articles []law.Article) (act string, parts []Part) {
	var b strings.Builder
	for i := range articles {
		a := &articles[i]
		if a.Number == "" && (a.Heading == "Préambule" || a.Heading == "Signatures") || strings.HasPrefix(law.Fold(a.Number), "annexe") {
			continue
		}
		if a.Number != "" {
			b.WriteString("Article " + a.Number + "\n")
		}
		start := b.Len()
		b.WriteString(a.Text)
		parts = append(parts, Part{a, Span{start, b.Len()}})
		b.WriteByte('\n')
	}
	return b.String(), parts
}
