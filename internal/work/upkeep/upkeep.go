// Package upkeep does periodic work that belongs to no row of work: it ends work that was given
// up, lets changes to the law take effect, and deletes what is no longer needed. Every worker
// runs it; each row is handled by one of them.
package upkeep

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

const (
	// endEvery is how often work is looked for whose every attempt was lost.
	endEvery = time.Second
	// statusEvery is how often it is looked whether changes to the law have taken
	// effect, which they do at midnight.
	statusEvery = 10 * time.Minute
	// namesEvery is how often texts are looked for whose names are still to be made: what
	// programs of the release before have written.
	namesEvery = 10 * time.Second
	// pruneEvery is how often what nothing asks for any more is removed.
	pruneEvery = time.Hour
)

// Store is what is kept up: *postgres.DB.
type Store interface {
	FailHopeless(ctx context.Context) ([]postgres.GivenUp, error)
	RefreshStatuses(ctx context.Context) (int, error)
	MakeNames(ctx context.Context) (int, error)
	Prune(ctx context.Context, whys time.Duration) (int64, error)
}

// Upkeep is what a worker does beside its work.
type Upkeep struct {
	Store Store
	// Tell tells the readers of an answer that was given up that it has ended.
	Tell func(ctx context.Context, answer uuid.UUID, attempt int, kind chat.EventKind, data []byte)
	Whys time.Duration // for how long it is kept why answers are what they are; 0: for as long as they are
	Log  *slog.Logger
}

// Run goes on until ctx ends. A store that is down is asked again.
func (u *Upkeep) Run(ctx context.Context) {
	ends, statuses, names, prunes := time.NewTicker(endEvery), time.NewTicker(statusEvery), time.NewTicker(namesEvery), time.NewTicker(pruneEvery)
	defer ends.Stop()
	defer statuses.Stop()
	defer names.Stop()
	defer prunes.Stop()
	u.refresh(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case <-ends.C:
			u.End(ctx)
		case <-statuses.C:
			u.refresh(ctx)
		case <-names.C:
			u.name(ctx)
		case <-prunes.C:
			u.prune(ctx)
		}
	}
}

// End ends the work that was given up, and tells the readers of answers.
func (u *Upkeep) End(ctx context.Context) {
	lost, err := u.Store.FailHopeless(ctx)
	if err != nil {
		u.report(ctx, "give up", err)
	}
	for _, answer := range lost {
		u.Log.ErrorContext(ctx, "answer given up", "message_id", answer.ID)
		u.Tell(ctx, answer.ID, answer.Attempt, chat.ErrorKind, chat.ErrorData(postgres.LostText))
	}
}

func (u *Upkeep) prune(ctx context.Context) {
	n, err := u.Store.Prune(ctx, u.Whys)
	if err != nil {
		u.report(ctx, "prune", err)
	}
	if n > 0 {
		u.Log.InfoContext(ctx, "rows removed that nothing asks for", "rows", n)
	}
}

// name makes the names of the texts that lack them, some at a time.
func (u *Upkeep) name(ctx context.Context) {
	for ctx.Err() == nil {
		n, err := u.Store.MakeNames(ctx)
		if err != nil {
			u.report(ctx, "names", err)
		}
		if n == 0 || err != nil {
			return
		}
		u.Log.InfoContext(ctx, "names of texts made", "texts", n)
	}
}

func (u *Upkeep) refresh(ctx context.Context) {
	n, err := u.Store.RefreshStatuses(ctx)
	if err != nil {
		u.report(ctx, "statuses", err)
	}
	if n > 0 {
		u.Log.InfoContext(ctx, "statuses brought up to date", "texts", n)
	}
}

func (u *Upkeep) report(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		u.Log.WarnContext(ctx, "upkeep", "what", what, "error", err)
	}
}
