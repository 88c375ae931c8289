// Package notify tells of inquiries by e-mail: to a mail server, or without one
// as .eml files in a folder.
//
// An inquiry is a row. queued → running → done, or back to queued when the
// message could not be handed over. It is never given up: after a failure the
// next attempt follows in 1, 5 and 30 minutes, then 2 hours, then every 6 hours,
// because what is wrong (an address, a password, a server) is mended by people
// who then expect the message to arrive. Each attempt leaves a line with its
// outcome.
//
// A message is handed over at least once. All that is in it, its Message-ID and
// its date too, is made from the row, so that a second copy is the first one's
// equal and mail programs see one. There is a second copy only when the worker or
// the connection was lost between the mail server taking the message and the row
// saying so. A file has the inquiry's id as its name: there is never a second.
//
// What strangers wrote stands in the message as plain text. Nothing of it can
// become a header, and none of it becomes a recipient.
package notify

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/errs"
	"vigueur/internal/postgres"
	"vigueur/internal/queue"
	"vigueur/internal/work"
)

const (
	// sendLimit is how long handing over one message may take.
	sendLimit = time.Minute
	// settleTime is how long the last write may take once the work has ended.
	settleTime = 5 * time.Second
)

// Backoff is how long to wait after a number of failures (1 or more).
func Backoff(failures int) time.Duration {
	steps := []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour}
	return steps[min(max(failures, 1), len(steps))-1]
}

// Transport hands a message over. Its errors carry the French sentence that an
// administrator reads.
type Transport interface {
	Send(ctx context.Context, letter *Letter) error
}

// Runner tells of inquiries. Its fields are set once, before the first Run.
type Runner struct {
	DB        *postgres.DB
	Envelope  Envelope
	Transport Transport
	Log       *slog.Logger
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
}

// Class is the work of inquiries. Nobody watches a message leave: asynq's own second
// is often enough.
func (r *Runner) Class() work.Class {
	return work.Class{Name: "notification", Queue: queue.Notifications, Poll: time.Second, Due: r.DB.DueNotifications, Take: r.take,
		Backoff: Backoff, Renew: r.Renew, Log: r.Log}
}

// Run takes the inquiry up and tells of it, as work.Class.Run says. LeaseLost, too,
// when it is not yet time.
func (r *Runner) Run(ctx context.Context, id uuid.UUID) error { return r.Class().Run(ctx, id) }

func (r *Runner) take(ctx context.Context, id uuid.UUID) (work.Attempt, error) {
	row, err := r.DB.StartNotification(ctx, id)
	if err != nil {
		return work.Attempt{}, err
	}
	attempt := row.Notification.Attempt
	return work.Attempt{ID: id, Number: attempt, Failures: row.Notification.Failures,
		Renew: func(ctx context.Context) (stop, err error) { return nil, r.DB.KeepNotification(ctx, id, attempt) },
		Do:    func(ctx context.Context) error { return r.send(ctx, row) },
		Settle: func(ctx context.Context, end work.End) error {
			switch end.Outcome {
			case work.Done:
				return r.DB.FinishNotification(ctx, id, attempt)
			case work.PutBack:
				return r.DB.PutBackNotification(ctx, id, attempt, errs.Public(end.Err), end.After)
			}
			return r.DB.ReleaseNotification(ctx, id, attempt)
		},
		Attrs: func() []slog.Attr { return []slog.Attr{slog.String("inquiry", id.String())} }}, nil
}

// level is how loud the end of a message is in the log.
func level(err error) slog.Level {
	if err != nil {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// send composes the message and hands it over.
func (r *Runner) send(ctx context.Context, row postgres.Inquiry) error {
	ctx, cancel := context.WithTimeout(ctx, sendLimit)
	defer cancel()
	return r.Transport.Send(ctx, Compose(row, r.Envelope))
}
