// Package indexsync keeps an index outside PostgreSQL in step with the catalogue.
//
// An index has one row, with the version of the catalogue that it contains and whether it
// must be rebuilt. The row is a job (package work) whenever the index is behind: queued →
// running → done, or queued again while the index does not respond. It is retried after 2,
// 10, 30 and 60 seconds, then every 5 minutes for ever. Changed texts are written in
// batches, and the version after all of them, so a crash costs only the batches that were
// written since the last version.
package indexsync

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

// poll is the interval at which an idle process polls for tasks: the sweep enqueues a task
// a second after a change, and nobody waits for it.
const poll = 200 * time.Millisecond

// Feed writes to an index during one attempt.
type Feed interface {
	// Outdated reports whether the index must be rebuilt, whatever version it contains.
	Outdated(ctx context.Context) (bool, error)
	// Rebuild rebuilds the index from the catalogue. version is the version that the
	// catalogue had when the rebuild began; later changes may be in the index or not. texts
	// is the number of texts written.
	Rebuild(ctx context.Context) (version int64, texts int, err error)
	// Write replaces texts in the index with their state in the catalogue at version.
	Write(ctx context.Context, version int64, texts []uuid.UUID) error
}

// Follower describes an index that follows the catalogue.
type Follower struct {
	Names   queue.Kind // the kind of job: its names and its queue
	DB      *postgres.DB
	Row     postgres.Follower
	Portion int // number of texts in a batch
	// Open returns the Feed for one attempt.
	Open func() Feed
	// Reason returns the text of an error for an administrator, in French.
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

// Plan describes the index: one attempt at a time, because there is one row.
func (f Follower) Plan() work.Plan {
	return work.Plan{Kind: f.Names, Poll: poll, Backoff: Backoff, Renew: f.Renew, Log: f.Log}
}

// Due returns the row if the index is behind the catalogue and no worker holds it.
func (f Follower) Due(ctx context.Context, limit int) ([]uuid.UUID, error) {
	return f.Row.Due(ctx, limit)
}

// Lease begins an attempt at the row.
func (f Follower) Lease(ctx context.Context, id uuid.UUID) (work.Job, error) {
	row, err := f.Row.Lease(ctx, id)
	if err != nil {
		return nil, err
	}
	return &job{Leased: work.Leased{Lease: row.Leased, Reason: f.Reason}, follower: f, row: row}, nil
}

// job is one attempt at bringing the index up to date.
type job struct {
	work.Leased
	follower Follower
	row      postgres.Following
	texts    int // number of texts written by this attempt
}

// Work brings the index up to date with the catalogue.
func (j *job) Work(ctx context.Context) (err error) {
	j.texts, err = j.follower.follow(ctx, j.row)
	return err
}

// Attrs returns the attributes of the attempt's log record.
func (j *job) Attrs() []slog.Attr { return []slog.Attr{slog.Int("texts", j.texts)} }

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
		if err := row.Advance(ctx, row.Version); err != nil {
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
		if err := row.Advance(ctx, version); err != nil {
			return texts, err
		}
		row.Version = version
	}
}
