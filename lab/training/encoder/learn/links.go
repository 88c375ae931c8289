package learn

import (
	"slices"
	"strings"

	"vigueur/internal/law/french"
)

// follow ties each article to the next under the same headings.
func (c *Corpus) follow() {
	last := make(map[string]int)
	for i := range c.Articles {
		a := &c.Articles[i]
		a.next = -1
		if before, ok := last[a.Title]; ok {
			c.Articles[before].next = i
		}
		last[a.Title] = i
	}
}

// cite ties each article to those of its code that its text names.
func (c *Corpus) cite() {
	type place struct{ code, number string }
	at := make(map[place]int)
	for i, a := range c.Articles {
		if term := french.ArticleTerm(strings.ReplaceAll(a.Num, "_", " ")); term != "" {
			at[place{a.Code, term}] = i
		}
	}
	var analyzer french.Analyzer
	var tokens []french.Token
	for i := range c.Articles {
		a := &c.Articles[i]
		tokens = analyzer.Append(tokens[:0], a.Text)
		for _, t := range tokens {
			if t.Kind != french.Article || elsewhere(a.Text[t.End:]) {
				continue
			}
			cited, ok := at[place{a.Code, t.Term}]
			if ok && cited != i && !slices.Contains(a.cites, cited) && len(c.Articles[cited].sentences) > 0 {
				a.cites = append(a.cites, cited)
			}
		}
	}
}

// reach is how far behind a reference the text that it is of may be named.
const reach = 60

// elsewhere reports whether what follows a reference says that it is of another text.
func elsewhere(after string) bool {
	after = after[:min(len(after), reach)]
	if i := strings.IndexAny(after, ".;:\n"); i >= 0 {
		after = after[:i]
	}
	return strings.Contains(strings.ReplaceAll(after, "présent code", ""), "code") ||
		strings.Contains(after, "de la loi") || strings.Contains(after, "du décret") || strings.Contains(after, "de l'ordonnance")
}
