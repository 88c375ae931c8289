package retrieve

import (
	"slices"
	"strings"

	"vigueur/internal/french"
	"vigueur/internal/question"
)

// spokenHits is how many of the best hits may speak of a text.
const spokenHits = 5

// spokenOf tells whether one of the hits names the text, as an amending law does.
func spokenOf(r question.Reference, hits []Hit) bool {
	return slices.ContainsFunc(hits[:min(len(hits), spokenHits)], func(h Hit) bool {
		all := h.Document.Title + "\n" + h.Text()
		if h.Article.Wording != nil {
			all += "\n" + h.Article.Wording.TargetTitle
		}
		if r.Number == "" {
			return strings.Contains(" "+strings.Join(french.Terms(all), " ")+" ", " "+question.Plain(r.Title)+" ")
		}
		number := french.TextTerm(r.Number)
		return slices.ContainsFunc(french.Terms(all), func(t string) bool { return french.SameText(t, number) })
	})
}
