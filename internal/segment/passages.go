package segment

import "vigueur/internal/law"

// Passages cuts an article into the parts that are searched.
func Passages(article law.Article) []law.Passage {
	return []law.Passage{{Page: article.Page, Text: article.Text, Spans: article.Spans}}
}
