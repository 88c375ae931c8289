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
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/errs"
	"vigueur/internal/lease"
	"vigueur/internal/postgres"
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

// Run takes the inquiry up and tells of it. LeaseLost: another worker holds it,
// it was told before or it is not yet time, and nothing was done. Other errors
// say why it was put back; so does the list of its attempts.
func (r *Runner) Run(ctx context.Context, id uuid.UUID) error {
	row, err := r.DB.StartNotification(ctx, id)
	if err != nil {
		return err
	}
	attempt := row.Notification.Attempt
	held, release := r.hold(ctx, id, attempt)
	err = r.send(held, row)
	cause := context.Cause(held)
	release()
	outcome := "sent"
	switch {
	case err == nil:
		err = r.settle(ctx, func(ctx context.Context) error { return r.DB.FinishNotification(ctx, id, attempt) })
	case errs.Is(cause, errs.LeaseLost):
		outcome, err = "lost", cause
	case ctx.Err() != nil:
		outcome = "released"
		r.note(ctx, r.settle(ctx, func(ctx context.Context) error { return r.DB.ReleaseNotification(ctx, id, attempt) }))
	default:
		outcome = "failed"
		after := Backoff(row.Notification.Failures + 1)
		r.note(ctx, r.settle(ctx, func(ctx context.Context) error {
			return r.DB.PutBackNotification(ctx, id, attempt, errs.Public(err), after)
		}))
	}
	r.Log.LogAttrs(ctx, level(err), "notification", slog.String("inquiry", id.String()), slog.Int("attempt", attempt),
		slog.String("outcome", outcome), slog.Any("error", err))
	return err
}

// level is how loud the end of an attempt is in the log.
func level(err error) slog.Level {
	if err != nil {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// note logs that an end could not be written: the sweep will find the row.
func (r *Runner) note(ctx context.Context, err error) {
	if err != nil {
		r.Log.WarnContext(ctx, "notification not settled", "error", err)
	}
}

// settle writes an attempt's end, also when the process is told to stop.
func (r *Runner) settle(ctx context.Context, write func(ctx context.Context) error) error {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	return write(last)
}

// send composes the message and hands it over; a panic is an error.
func (r *Runner) send(ctx context.Context, row postgres.Inquiry) (err error) {
	defer func() {
		if p := recover(); p != nil {
			r.Log.LogAttrs(ctx, slog.LevelError, "panic", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			err = fmt.Errorf("notify %s: panic: %v", row.ID, p)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, sendLimit)
	defer cancel()
	return r.Transport.Send(ctx, Compose(row, r.Envelope))
}

// hold renews the attempt's lease until release is called. The context it gives
// ends when the lease is lost, with that as cause.
func (r *Runner) hold(ctx context.Context, id uuid.UUID, attempt int) (held context.Context, release func()) {
	return lease.Holder{Every: r.Renew}.Hold(ctx, func(ctx context.Context) (stop, err error) {
		return nil, r.DB.KeepNotification(ctx, id, attempt)
	})
}
