package answering

import (
	"context"

	"vigueur/internal/work"
)

// Row identifies the attempt.
func (j *job) Row() work.Row {
	return work.Row{ID: j.ID, Attempt: j.Attempt, Failures: j.Failures, Trace: j.Trace}
}

// Renew renews the lease; stop is ErrCancelled once the reader has canceled.
func (j *job) Renew(ctx context.Context) (stop, err error) {
	canceled, err := j.DB.KeepAnswer(ctx, j.ID, j.Attempt)
	if canceled {
		stop = work.ErrCancelled
	}
	return stop, err
}

// Watchers returns a watcher that stops the attempt when the reader cancels.
func (j *job) Watchers() []func(held context.Context, stop context.CancelCauseFunc) {
	return []func(context.Context, context.CancelCauseFunc){j.watchCancel}
}

// Excuse records that the worker did not crash.
func (j *job) Excuse(ctx context.Context) error { return j.DB.ExcuseAnswer(ctx, j.ID, j.Attempt) }

// watchCancel ends the attempt as soon as the reader cancels, without waiting for the
// next renewal of the lease.
func (j *job) watchCancel(held context.Context, stop context.CancelCauseFunc) {
	j.WatchCancel(held, j.ID, func() { stop(work.ErrCancelled) })
}
