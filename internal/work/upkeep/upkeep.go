// Package upkeep does periodic work that no job does: it ends jobs that were given up, lets
// changes to the law take effect, and deletes rows that are no longer needed. Every worker
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
	// endEvery is the interval at which upkeep looks for jobs that were given up because all
	// their attempts were lost.
	endEvery = time.Second
	// statusEvery is the interval at which upkeep checks whether changes to the law have
	// taken effect, which happens at midnight.
	statusEvery = 10 * time.Minute
	// namesEvery is the interval at which upkeep looks for texts without names: those that
	// programs of the previous release have written.
	namesEvery = 10 * time.Second
	// pruneEvery is the interval at which rows that are no longer needed are deleted.
	pruneEvery = time.Hour
)

// Store is the database that is maintained: *postgres.DB.
type Store interface {
	FailHopeless(ctx context.Context) ([]postgres.GivenUp, error)
	RefreshStatuses(ctx context.Context) (int, error)
	MakeNames(ctx context.Context) (int, error)
	Prune(ctx context.Context, whys time.Duration) (int64, error)
	DropSample(ctx context.Context, drop func(ctx context.Context, hash string) error) (files int, err error)
}

// Upkeep is the periodic work of a worker.
type Upkeep struct {
	Store Store
	// Forget deletes the bytes with a hash.
	Forget func(ctx context.Context, hash string) error
	// Tell publishes the last event of an answer that was given up, for its readers.
	Tell func(ctx context.Context, answer uuid.UUID, attempt int, kind chat.EventKind, data []byte)
	Whys time.Duration // how long the explanations of answers are kept; 0: as long as the answers
	Log  *slog.Logger
}

// Run does the work at its intervals until ctx ends. After an error it tries again at the
// next one.
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
			u.dropSample(ctx)
		case <-statuses.C:
			u.refresh(ctx)
		case <-names.C:
			u.name(ctx)
		case <-prunes.C:
			u.prune(ctx)
		}
	}
}

// End fails the jobs that were given up, and informs the readers of answers among them.
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

// dropSample deletes the sample when the catalogue has other texts.
func (u *Upkeep) dropSample(ctx context.Context) {
	n, err := u.Store.DropSample(ctx, u.Forget)
	if err != nil {
		u.report(ctx, "sample", err)
	}
	if n > 0 {
		u.Log.InfoContext(ctx, "sample removed: the catalogue has texts of its own", "files", n)
	}
}

func (u *Upkeep) prune(ctx context.Context) {
	n, err := u.Store.Prune(ctx, u.Whys)
	if err != nil {
		u.report(ctx, "prune", err)
	}
	if n > 0 {
		u.Log.InfoContext(ctx, "rows removed that are no longer needed", "rows", n)
	}
}

// name creates the names of texts that have none, in batches.
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
