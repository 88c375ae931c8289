// Package follow keeps an index outside PostgreSQL in step with the catalogue.
//
// An index has one row, with the version of the catalogue that it contains and whether it
// is to be rebuilt. The row is a job (package work) whenever the index is behind: queued →
// running → done, or queued again while the index does not respond, and retried after 2, 10,
// 30 and 60 seconds, then every 5 minutes for ever. Changed texts are written in batches,
// and the version after all of them, so a worker that crashes costs the batches since then.
package follow

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
	"vigueur/internal/work/queue"
)

// poll is the interval at which an idle process polls for tasks: the sweep enqueues one a
// second after a change, and nobody waits for it.
const poll = 200 * time.Millisecond

// Feed writes to an index during one attempt.
type Feed interface {
	// Outdated reports whether the index is to be rebuilt, whatever version it contains.
	Outdated(ctx context.Context) (bool, error)
	// Rebuild rebuilds the index from the catalogue and returns the catalogue's version
	// at its beginning, which the index then contains at least. texts counts what it wrote.
	Rebuild(ctx context.Context) (version int64, texts int, err error)
	// Write replaces texts in the index with what the catalogue has of them at version.
	Write(ctx context.Context, version int64, texts []uuid.UUID) error
}

// Follower describes an index that follows the catalogue.
type Follower struct {
	Name    string // in the log
	Queue   queue.Class
	DB      *postgres.DB
	Row     postgres.Follower
	Portion int // texts in a batch
	// Open returns the Feed for one attempt.
	Open func() Feed
	// Reason is the text of an error for an administrator.
	Reason func(err error) string
	Log    *slog.Logger
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
}

// Backoff is the delay after a number of failures (1 or more).
func Backoff(failures int) time.Duration {
	steps := []time.Duration{2 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute}
	return steps[min(max(failures, 1), len(steps))-1]
}

// Class is the class of the index: one attempt at a time, for there is one row.
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

// follow writes texts to the index until it is up to date.
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
