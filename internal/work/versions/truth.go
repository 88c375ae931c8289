package versions

import (
	"context"
	"strings"

	"vigueur/internal/law/amend"
	"vigueur/internal/store/postgres"
)

// Told is a passage of an act of which a person has said whether it orders a change.
type Told struct {
	Country  string   `json:"country"`
	Act      string   `json:"act"`
	Passage  string   `json:"passage"`
	Order    bool     `json:"order"`
	Features []string `json:"features"` // as amend.Noticing knows them
}

// Truth calls yield with each passage of which persons have said whether it orders a change: all passages of an act that
// orders nothing do not, and those whose wording a person accepted or wrote do.
func (r *Runner) Truth(ctx context.Context, yield func(Told) error) error {
	return r.DB.ToldActs(ctx, func(a postgres.ToldAct) error {
		act, parts := amend.Written(a.Articles)
		accepted := map[string]bool{}
		for _, e := range a.Accepted {
			accepted[e.Words] = true
		}
		for _, d := range amend.Decisions(act, amend.Options{Parts: parts, Title: a.Document.Title}) {
			passage := cut(act[d.Start:d.End])
			if !a.Without && !accepted[passage] {
				continue
			}
			told := Told{Country: strings.Join(a.Countries, " "), Act: a.Document.Title, Passage: passage, Order: !a.Without, Features: d.Features}
			if err := yield(told); err != nil {
				return err
			}
		}
		return nil
	})
}
