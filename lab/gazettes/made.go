package gazettes

import (
	"strings"
	"time"

	"vigueur/lab/house"
)

// beginsWithin tells of pages that begin within a text, whose title is not on them.
func beginsWithin(made house.Issue) bool {
	if len(made.Labels) == 0 {
		return false
	}
	for k, label := range made.Labels[0] {
		switch label {
		case house.Furniture, house.Masthead, "":
		case house.Article, house.Paragraph, house.Visa, house.Formula, house.Division, house.Table, house.Place, house.Signature:
			return made.Owner[0][k] < 0
		default:
			return false
		}
	}
	return false
}

// MadeTruth is the truth about a made issue, as it is noted of real ones.
func MadeTruth(made house.Issue) File {
	f := File{Name: "made"}
	if beginsWithin(made) {
		f.Texts = append(f.Texts, Text{Kind: "end only", Page: 1})
	}
	for _, t := range made.Texts {
		noted := Text{Type: string(t.Type), Nature: t.Nature, Number: t.Number, Title: t.Title, Page: t.Page}
		if !t.Date.IsZero() {
			noted.Date = t.Date.Format(time.DateOnly)
		}
		for _, a := range t.Articles {
			if !strings.HasPrefix(a, "Annexe") {
				noted.Articles++
			}
		}
		f.Texts = append(f.Texts, noted)
	}
	return f
}
