package gazettes

import (
	"strings"
	"time"

	"vigueur/scripts/house"
)

// MadeTruth is the truth about a made issue, as it is noted of real ones.
func MadeTruth(made house.Issue) File {
	f := File{Name: "made"}
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
