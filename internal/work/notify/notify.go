// Package notify sends e-mail: notifications of inquiries to the team (Runner), and links to
// the owners of accounts (Post). It delivers to a mail server, or without one to a folder as
// .eml files.
//
// An inquiry is a row: queued → running → done, or queued again if the message could not be
// delivered. It is retried for ever, after 1, 5 and 30 minutes, 2 hours, then every 6 hours,
// because people fix what is wrong (an address, a password, a server) and then expect the
// message to arrive. Each attempt is recorded with its outcome.
//
// A notification is delivered at least once. Its content, with Message-ID and date, is derived
// from the row alone, so that a second copy equals the first and mail programs show one.
// A second copy is sent only if the worker crashed, or the connection was lost, after the mail
// server accepted the message and before the row recorded it. A file is named by the
// inquiry's id, so there is never a second.
//
// Text by strangers is included as plain text. None of it can become a header or a
// recipient.
package notify

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
	"vigueur/internal/work/queue"
)

const (
	// sendLimit bounds the delivery of one message.
	sendLimit = time.Minute
	// settleTime bounds the write of the outcome.
	settleTime = 5 * time.Second
)

// Backoff is the delay after a number of failures (1 or more).
func Backoff(failures int) time.Duration {
	steps := []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour}
	return steps[min(max(failures, 1), len(steps))-1]
}

// Transport delivers a message. Its errors have a French sentence for administrators.
type Transport interface {
	Send(ctx context.Context, n *Notification) error
}

// Runner sends the notifications of inquiries. Its fields are set once, before the first Run.
type Runner struct {
	DB        *postgres.DB
	Envelope  Envelope
	Transport Transport
	Log       *slog.Logger
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
}

// Class is the class of inquiries. Nobody waits for them, so polling once a second is
// enough.
func (r *Runner) Class() work.Class {
	return work.Class{Name: "notification", Queue: queue.Notifications, Poll: work.BackgroundPoll, Due: r.DB.DueNotifications, Take: r.take,
		Backoff: Backoff, Renew: r.Renew, Log: r.Log}
}

// Run leases the inquiry and sends its notification, as work.Class.Run does. LeaseLost also
// if its retry is not due yet.
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

// level is the log level of a delivery that ended with err.
func level(err error) slog.Level {
	if err != nil {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// send composes the message and delivers it.
func (r *Runner) send(ctx context.Context, row postgres.Inquiry) error {
	ctx, cancel := context.WithTimeout(ctx, sendLimit)
	defer cancel()
	return r.Transport.Send(ctx, Compose(row, r.Envelope))
}
