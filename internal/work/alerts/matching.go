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

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
	"vigueur/internal/work/indexsync"
	"vigueur/internal/work/queue"
)

// Matcher compares the journal with what accounts follow.
type Matcher struct {
	DB  *postgres.DB
	Log *slog.Logger
}

// Plan describes the matching: one attempt at a time, because there is one row.
func (m *Matcher) Plan() work.Plan {
	return work.Plan{Kind: queue.Alerts, Poll: work.BackgroundPoll, Backoff: indexsync.Backoff, Log: m.Log}
}

// Due returns the row if the journal is ahead of it and no worker holds it.
func (m *Matcher) Due(ctx context.Context, _ int) ([]uuid.UUID, error) { return m.DB.DueMatching(ctx) }

// Lease begins an attempt at the row.
func (m *Matcher) Lease(ctx context.Context, id uuid.UUID) (work.Job, error) {
	lease, err := m.DB.LeaseMatching(ctx, id)
	if err != nil {
		return nil, err
	}
	return &matching{Leased: work.Leased{Lease: lease}, db: m.DB}, nil
}

// matching is one attempt at the matching.
type matching struct {
	work.Leased
	db     *postgres.DB
	alerts int
}

// Work compares batch after batch until the end of the journal.
func (j *matching) Work(ctx context.Context) error {
	for {
		n, more, err := j.db.MatchAlerts(ctx, j.Lease)
		j.alerts += n
		if err != nil || !more {
			return err
		}
	}
}

// Attrs returns the attributes of the attempt's log record.
func (j *matching) Attrs() []slog.Attr { return []slog.Attr{slog.Int("alerts", j.alerts)} }
