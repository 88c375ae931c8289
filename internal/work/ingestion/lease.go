package ingestion

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/work"
)

// take leases a file.
func (r *Runner) take(ctx context.Context, id uuid.UUID) (work.Attempt, error) {
	row, err := r.DB.StartIngestion(ctx, id)
	if err != nil {
		return work.Attempt{}, err
	}
	j := &job{Runner: r, Ingestion: row, log: r.Log.With("ingestion", id, "attempt", row.Attempt)}
	return work.Attempt{ID: id, Number: row.Attempt, Failures: row.Failures, Trace: row.Trace,
		Renew: j.renew, Watch: []func(context.Context, context.CancelCauseFunc){j.watchCancel},
		Do: j.do, Settle: j.settle, Attrs: j.attrs,
		Done:   func() work.Outcome { return work.Outcome(j.state) },
		Excuse: func(ctx context.Context) error { return r.DB.ExcuseIngestion(ctx, id, row.Attempt) }}, nil
}

// renew renews the lease; stop is ErrCancelled once cancellation was requested.
func (j *job) renew(ctx context.Context) (stop, err error) {
	cancel, err := j.DB.KeepIngestion(ctx, j.ID, j.Attempt)
	if cancel {
		stop = work.ErrCancelled
	}
	return stop, err
}

// cancelPoll is the interval at which a request for cancellation is polled for: a person
// waits for it, and the lease is renewed too seldom for that.
const cancelPoll = 400 * time.Millisecond

// watchCancel ends the attempt soon after cancellation was requested. Errors of the store
// are left to the renewal of the lease.
func (j *job) watchCancel(held context.Context, stop context.CancelCauseFunc) {
	tick := time.NewTicker(cancelPoll)
	defer tick.Stop()
	for {
		select {
		case <-held.Done():
			return
		case <-tick.C:
		}
		if asked, err := j.DB.CancelRequested(held, j.ID); err == nil && asked {
			stop(work.ErrCancelled)
			return
		}
	}
}

// attrs are the attributes of the attempt's log record.
func (j *job) attrs() []slog.Attr {
	return []slog.Attr{slog.Any("ingestion", j.ID), slog.Int("pages_read", j.read),
		slog.Duration("reading", j.took.reading), slog.Duration("cutting", j.took.cutting), slog.Duration("saving", j.took.saving)}
}

// settle writes the end of an attempt, with the French sentence for the row.
func (j *job) settle(ctx context.Context, end work.End) error {
	switch end.Outcome {
	case work.Released:
		return j.DB.ReleaseIngestion(ctx, j.ID, j.Attempt)
	case work.PutBack:
		return j.DB.PutBackIngestion(ctx, j.ID, j.Attempt, errs.Public(end.Err), end.After)
	case work.Cancelled:
		return j.DB.MarkIngestion(ctx, j.ID, j.Attempt, "cancelled", "")
	case work.Failed:
		reason := errs.Public(end.Err)
		if errs.Is(end.Err, errs.Internal) {
			reason = "Une erreur interne a interrompu le traitement de ce fichier ; le journal du worker en donne le détail."
		}
		return j.DB.MarkIngestion(ctx, j.ID, j.Attempt, "failed", reason)
	}
	return j.DB.MarkIngestion(ctx, j.ID, j.Attempt, j.state, j.missing)
}
