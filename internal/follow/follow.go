// Package follow keeps an index outside PostgreSQL in step with the catalogue.
//
// The index is one row: the version of the catalogue that it has, and whether it
// is to be made anew. It is a piece of work whenever it is behind: queued →
// running → done, or back to queued when the index does not answer, then tried
// again after 2, 10, 30 and 60 seconds, and every 5 minutes for ever. Texts that
// changed are written a portion at a time, and the version when all of them are: a
// worker that is lost costs its last portions.
package follow

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/postgres"
	"vigueur/internal/queue"
	"vigueur/internal/work"
)

// poll is how often an idle process looks for tasks: the sweep gives one a second
// after a change, and nobody waits for it.
const poll = 200 * time.Millisecond

// Feed is an index as one attempt writes to it.
type Feed interface {
	// Outdated tells whether the index is to be made anew, whatever it has taken in.
	Outdated(ctx context.Context) (bool, error)
	// Rebuild makes it anew from the catalogue, whose version it gives as it was
	// before: the index has that at least. texts is how many it wrote.
	Rebuild(ctx context.Context) (version int64, texts int, err error)
	// Write puts texts as they are in the catalogue at version in the place of what
	// the index has of them.
	Write(ctx context.Context, version int64, texts []uuid.UUID) error
}

// Follower says which index follows the catalogue, and how.
type Follower struct {
	Name    string // in the log
	Queue   queue.Class
	DB      *postgres.DB
	Row     postgres.Follower
	Portion int // how many texts are written together
	// Open gives the index for one attempt.
	Open func() Feed
	// Reason is what an administrator reads of an error.
	Reason func(err error) string
	Log    *slog.Logger
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
}

// Backoff is how long to wait after a number of failures (1 or more).
func Backoff(failures int) time.Duration {
	steps := []time.Duration{2 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute}
	return steps[min(max(failures, 1), len(steps))-1]
}

// Class is the work of the index: one attempt at a time, for there is one row.
func (f Follower) Class() work.Class {
	return work.Class{Name: f.Name, Queue: f.Queue, Concurrency: 1, Poll: poll, Due: f.Row.Due, Take: f.take, Backoff: Backoff, Renew: f.Renew, Log: f.Log}
}

func (f Follower) take(ctx context.Context, id uuid.UUID) (work.Attempt, error) {
	row, err := f.Row.Start(ctx, id)
	if err != nil {
		return work.Attempt{}, err
	}
	texts := 0
	return work.Attempt{ID: id, Number: row.Attempt, Failures: row.Failures,
		Renew: func(ctx context.Context) (stop, err error) { return nil, f.Row.Keep(ctx, id, row.Attempt) },
		Do: func(ctx context.Context) (err error) {
			texts, err = f.follow(ctx, row)
			return err
		},
		Settle: func(ctx context.Context, end work.End) error {
			switch end.Outcome {
			case work.Done:
				return f.Row.Finish(ctx, id, row.Attempt)
			case work.PutBack:
				return f.Row.PutBack(ctx, id, row.Attempt, f.Reason(end.Err), end.After)
			}
			return f.Row.Release(ctx, id, row.Attempt)
		},
		Attrs: func() []slog.Attr { return []slog.Attr{slog.Int("texts", texts)} }}, nil
}

// follow writes what the index lacks, until it lacks nothing.
func (f Follower) follow(ctx context.Context, row postgres.Following) (texts int, err error) {
	feed := f.Open()
	outdated, err := feed.Outdated(ctx)
	if err != nil {
		return 0, err
	}
	if row.Rebuild || outdated {
		if row.Version, texts, err = feed.Rebuild(ctx); err != nil {
			return texts, err
		}
		if err := f.Row.Advance(ctx, row.ID, row.Attempt, row.Version); err != nil {
			return texts, err
		}
	}
	for {
		changed, version, err := f.DB.Changes(ctx, row.Version)
		if err != nil || len(changed) == 0 {
			return texts, err
		}
		for part := range slices.Chunk(changed, f.Portion) {
			if err := feed.Write(ctx, version, part); err != nil {
				return texts, err
			}
			texts += len(part)
		}
		if err := f.Row.Advance(ctx, row.ID, row.Attempt, version); err != nil {
			return texts, err
		}
		row.Version = version
	}
}
