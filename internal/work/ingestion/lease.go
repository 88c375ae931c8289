package ingestion

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/gazette/ocr"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/tick"
	"vigueur/internal/work"
)

// Lease begins an attempt at a file.
func (r *Runner) Lease(ctx context.Context, id uuid.UUID) (work.Job, error) {
	row, err := r.DB.StartIngestion(ctx, id)
	if err != nil {
		return nil, err
	}
	j := &job{Runner: r, Ingestion: row, log: r.Log.With("ingestion", id, "attempt", row.Attempt)}
	if r.MostOCR > 0 {
		j.budget = ocr.NewBudget(r.MostOCR, row.Recognition)
	}
	return j, nil
}

// Row identifies the attempt.
func (j *job) Row() work.Row {
	return work.Row{ID: j.ID, Attempt: j.Attempt, Failures: j.Failures, Trace: j.Trace}
}

// DoneAs returns « done », or « review » when a text waits for a person.
func (j *job) DoneAs() work.Outcome { return work.Outcome(j.state) }

// Watchers returns a watcher that stops the attempt when its cancellation was requested.
func (j *job) Watchers() []func(held context.Context, stop context.CancelCauseFunc) {
	return []func(context.Context, context.CancelCauseFunc){j.watchCancel}
}

// Excuse records that the worker did not crash.
func (j *job) Excuse(ctx context.Context) error { return j.DB.ExcuseIngestion(ctx, j.ID, j.Attempt) }

// Renew renews the lease and records the time of recognition, of which a killed worker thus loses no
// more than an interval between two renewals; stop is ErrCancelled once cancellation was requested.
func (j *job) Renew(ctx context.Context) (stop, err error) {
	cancel, err := j.DB.KeepIngestion(ctx, j.ID, j.Attempt, j.budget.Used())
	if cancel {
		stop = work.ErrCancelled
	}
	return stop, err
}

// cancelPoll is the interval at which an attempt checks whether its cancellation was
// requested. A person waits for it, and the lease is renewed less often.
const cancelPoll = 400 * time.Millisecond

// watchCancel ends the attempt soon after cancellation was requested. Errors of the store
// are left to the renewal of the lease.
func (j *job) watchCancel(held context.Context, stop context.CancelCauseFunc) {
	for range tick.Every(held, cancelPoll) {
		if asked, err := j.DB.CancelRequested(held, j.ID); err == nil && asked {
			stop(work.ErrCancelled)
			return
		}
	}
}

// Attrs returns the attributes of the attempt's log record.
func (j *job) Attrs() []slog.Attr {
	return []slog.Attr{slog.Any("ingestion", j.ID), slog.Int("pages_read", j.read),
		slog.Duration("reading", j.took.reading), slog.Duration("cutting", j.took.cutting), slog.Duration("saving", j.took.saving)}
}

// Conclude writes to the row how the attempt ended, with a French sentence about a failure, a
// postponement or missing pages. If pages were recognized since the last renewal, it first saves the
// time that this took, through Renew.
func (j *job) Conclude(ctx context.Context, end work.End) error {
	if j.budget.Used() > j.Recognition {
		if _, err := j.Renew(ctx); err != nil {
			return err
		}
	}
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
