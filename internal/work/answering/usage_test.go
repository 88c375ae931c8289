package answering_test

import (
	"context"
	"maps"
	"testing"
	"time"

	"vigueur/internal/answer/llm"
	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// The usage of each attempt is stored by server, also if the attempt failed and was put
// back. An answer that needs no model has no usage.
func TestUsageIsKeptOfEveryAttempt(t *testing.T) {
	tries := 0
	b := setup(t, writes(func(_ context.Context, p llm.Prompt, yield func(string) error) error {
		tries++
		p.Spent(llm.Usage{Server: "gpu", In: 100, Out: 1})
		p.Spent(llm.Usage{Server: "vendeur", In: 100, Out: 10, Cost: 0.5, Estimated: tries == 1})
		if tries == 1 {
			return errs.New(errs.Unavailable, "")
		}
		p.Spent(llm.Usage{Server: "vendeur", In: 200, Out: 20, Cost: 1})
		return yield("Elle est d’un mois [1].")
	}), oneHit())
	b.Backoff = func(int) time.Duration { return 0 }
	if err := b.Run(t.Context(), b.id); err != nil && !errs.Is(err, errs.Unavailable) {
		t.Fatal(err)
	}
	check(t, b.Run(t.Context(), b.id))
	today := time.Now().UTC().Truncate(24 * time.Hour)
	days, err := b.DB.Figures(t.Context(), today.AddDate(0, 0, -1), today.AddDate(0, 0, 1))
	check(t, err)
	used := map[string]postgres.Usage{}
	for _, d := range days {
		for _, u := range d.Usage { // the attempts may be before and after midnight
			sum := used[u.Server]
			used[u.Server] = postgres.Usage{Server: u.Server, Model: u.Model, Requests: sum.Requests + u.Requests,
				In: sum.In + u.In, Out: sum.Out + u.Out, Estimated: sum.Estimated || u.Estimated, Cost: sum.Cost + u.Cost}
		}
	}
	want := map[string]postgres.Usage{"gpu": {Server: "gpu", Model: "essai", Requests: 2, In: 200, Out: 2},
		"vendeur": {Server: "vendeur", Model: "essai", Requests: 3, In: 400, Out: 40, Estimated: true, Cost: 2}}
	if tries != 2 || !maps.Equal(used, want) {
		t.Errorf("%d tries took %+v, want %+v", tries, used, want)
	}
}

// An answer is kept although its usage cannot be stored.
func TestAnswerStandsThoughItIsNotCounted(t *testing.T) {
	b := setup(t, writes(func(_ context.Context, p llm.Prompt, yield func(string) error) error {
		p.Spent(llm.Usage{Server: "gpu", In: -1})
		return yield("Elle est d’un mois [1].")
	}), oneHit())
	check(t, b.Run(t.Context(), b.id))
	if m := b.message(t); m.Content != "Elle est d’un mois [1]." {
		t.Errorf("%q", m.Content)
	}
}
