package label

import (
	"vigueur/internal/gazette/segment/line"
)

// amendedBy matches the heading over the acts that amended a text.
var amendedBy = line.OptionalAccents(`^(?i:(?:liste +des +)?(?:modificateurs|(?:textes|actes) +modificatifs)|(?:tel(?:le)? +qu['’]\p{L}+ +a +été +)?(?:modifi|complét)ée?(?: +et +\p{L}+)?(?: +successivement)? +par) *:?$`)

// amendingActs returns the lines under the title of a text that list the acts that amended it, if the reading takes
// them for another text or for the gazette's own lines.
func (m Reading) amendingActs(lines []line.Line, texts []Text) []int {
	var out []int
	for _, s := range texts {
		for i := s.From + 1; i < min(s.From+firstReach, len(lines)) && !lines[i].IsHead() && !line.Visa.MatchString(lines[i].Text); i++ {
			if !amendedBy.MatchString(lines[i].Text) {
				continue
			}
			for ; i < len(lines) && !lines[i].IsHead() && !line.Visa.MatchString(lines[i].Text); i++ {
				if m.Labels[i].BeginsText() || m.Labels[i].Loose() && m.Labels[i] != Furniture {
					out = append(out, i)
				}
			}
			break
		}
	}
	return out
}
