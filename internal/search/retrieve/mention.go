package retrieve

import (
	"slices"
	"strings"

	"vigueur/internal/law/french"
	"vigueur/internal/search/question"
)

// mentionHits is the number of best hits that are searched for a mention of a text.
const mentionHits = 5

// mentioned reports whether one of the best hits names the text, as the law that amends
// it does.
func mentioned(r question.Reference, hits []Hit) bool {
	title, _ := question.Content(r.Title)
	return slices.ContainsFunc(hits[:min(len(hits), mentionHits)], func(h Hit) bool {
		all := h.Document.Title + "\n" + h.Text()
		if h.Article.Wording != nil {
			all += "\n" + h.Article.Wording.TargetTitle
		}
		if r.Number == "" {
			return strings.Contains(" "+strings.Join(french.Terms(all), " ")+" ", " "+strings.Join(title, " ")+" ")
		}
		number := french.TextTerm(r.Number)
		return slices.ContainsFunc(french.Terms(all), func(t string) bool { return french.SameText(t, number) })
	})
}
