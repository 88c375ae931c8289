package retrieve

import (
	"slices"

	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
)

// mentionHits is the number of best hits that are searched for a mention of a text.
const mentionHits = 5

// inHits reports whether one of the best hits names the text of a reference, as the law
// that amends it does.
func inHits(r question.Reference, hits []Hit) bool {
	return slices.ContainsFunc(hits[:min(len(hits), mentionHits)], func(h Hit) bool {
		all := h.Document.Title + "\n" + h.Text()
		if h.Article.Wording != nil {
			all += "\n" + h.Article.Wording.TargetTitle
		}
		return named.InWords(all, r)
	})
}
