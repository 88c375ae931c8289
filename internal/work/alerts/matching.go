// Package alerts tells people and programs that the law has changed. Matcher compares the
// journal of changes with what accounts follow, and Sender sends what follows from it to
// webhooks. Digests by mail are in package notify.
//
// The matching is one row, and each of its transactions compares one change with a bounded
// number of follows and records how far it came, so that a worker that is killed at any point
// loses nothing and stores nothing twice. A delivery is a row too: it is sent at least once,
// always with the same id, which the receiver may compare.
package alerts

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
	"vigueur/internal/work/indexsync"
	"vigueur/internal/work/queue"
)

// Matcher compares the journal with what accounts follow.
type Matcher struct {
	DB  *postgres.DB
	Log *slog.Logger
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
}

// Kind describes the matching: one attempt at a time, because there is one row.
func (m *Matcher) Kind() work.Kind {
	return work.Kind{Kind: queue.Alerts, Poll: work.BackgroundPoll, Backoff: indexsync.Backoff, Renew: m.Renew, Log: m.Log}
}

// Due returns the row if the journal is ahead of it and no worker holds it.
func (m *Matcher) Due(ctx context.Context, _ int) ([]uuid.UUID, error) { return m.DB.DueMatching(ctx) }

// Lease begins an attempt at the row.
func (m *Matcher) Lease(ctx context.Context, id uuid.UUID) (work.Job, error) {
	row, err := m.DB.StartMatching(ctx, id)
	if err != nil {
		return nil, err
	}
	return &matching{db: m.DB, row: row}, nil
}

// matching is one attempt at the matching.
type matching struct {
	db     *postgres.DB
	row    postgres.Matching
	alerts int
}

// Row identifies the attempt.
func (j *matching) Row() work.Row {
	return work.Row{ID: j.row.ID, Attempt: j.row.Attempt, Failures: j.row.Failures}
}

// Renew renews the lease.
func (j *matching) Renew(ctx context.Context) (stop, err error) {
	return nil, j.db.KeepMatching(ctx, j.row)
}

// Work compares batch after batch until the end of the journal.
func (j *matching) Work(ctx context.Context) error {
	for {
		n, more, err := j.db.MatchAlerts(ctx, j.row)
		j.alerts += n
		if err != nil || !more {
			return err
		}
	}
}

// Conclude writes how the attempt ended.
func (j *matching) Conclude(ctx context.Context, end work.End) error {
	switch end.Outcome {
	case work.Done:
		return j.db.FinishMatching(ctx, j.row)
	case work.PutBack:
		return j.db.PutBackMatching(ctx, j.row, errs.Public(end.Err), end.After)
	default:
		return j.db.ReleaseMatching(ctx, j.row)
	}
}

// Attrs returns the attributes of the attempt's log record.
func (j *matching) Attrs() []slog.Attr { return []slog.Attr{slog.Int("alerts", j.alerts)} }
