package ingestion

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"vigueur/internal/errs"
	"vigueur/internal/lease"
)

// hold renews the attempt's lease until release is called. The context it gives
// ends when the lease is lost or canceling was asked for, with that as cause.
func (j *job) hold(ctx context.Context) (held context.Context, release func()) {
	return lease.Holder{Every: j.Renew}.Hold(ctx, func(ctx context.Context) (stop, err error) {
		cancel, err := j.DB.KeepIngestion(ctx, j.ID, j.Attempt)
		if cancel {
			stop = errCancelled
		}
		return stop, err
	}, j.watchCancel)
}

// cancelPoll is how often it is looked whether canceling was asked for: whoever
// asks waits, and the lease is renewed too seldom for that.
const cancelPoll = 400 * time.Millisecond

// watchCancel ends the attempt soon after its canceling was asked for. A store
// that does not answer is the lease's concern.
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
			stop(errCancelled)
			return
		}
	}
}

// guarded is work whose panics are errors.
func (j *job) guarded(ctx context.Context) (state string, err error) {
	defer func() {
		if p := recover(); p != nil {
			j.log.LogAttrs(ctx, slog.LevelError, "panic", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			err = fmt.Errorf("ingestion %s: panic: %v", j.ID, p)
		}
	}()
	return j.work(ctx)
}

// settle writes the attempt's end, the last write of all, and gives what became
// of the row and the error that Run returns.
func (j *job) settle(ctx, held context.Context, state string, err error) (end string, _ error) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if cause := context.Cause(held); err != nil && cause != nil && errs.KindOf(cause) == errs.LeaseLost {
		err = cause
	}
	state, reason := j.verdict(ctx, held, state, err)
	switch state {
	case "lost":
		j.excuse(ctx)
		return state, err
	case "released":
		if failed := j.DB.ReleaseIngestion(last, j.ID, j.Attempt); failed != nil {
			j.excuse(ctx)
			return state, failed
		}
		return state, err
	}
	if failed := j.mark(last, state, reason); failed != nil {
		j.excuse(ctx)
		return "lost", failed
	}
	if state == "cancelled" {
		err = nil
	}
	return state, err
}

// excuse tells that this worker lives, though its attempt is lost: it counts as
// one that failed on a store that is down, and as often at most. After that a file
// that takes its worker's breath away each time comes to its end like one that
// kills it.
func (j *job) excuse(ctx context.Context) {
	if j.Failures+1 >= MaxTries {
		return
	}
	err := lease.Holder{Every: j.Renew}.Excuse(ctx, func(ctx context.Context) error {
		return j.DB.ExcuseIngestion(ctx, j.ID, j.Attempt)
	})
	if err != nil {
		j.log.LogAttrs(ctx, slog.LevelWarn, "lost attempt not excused", slog.Any("error", err))
	}
}

// mark writes the end, or puts the file back for a while.
func (j *job) mark(ctx context.Context, state, reason string) error {
	if state != "queued" {
		return j.DB.MarkIngestion(ctx, j.ID, j.Attempt, state, reason)
	}
	backoff := j.Backoff
	if backoff == nil {
		backoff = Backoff
	}
	return j.DB.PutBackIngestion(ctx, j.ID, j.Attempt, reason, backoff(j.Failures+1))
}

// verdict decides what becomes of the row, and the French sentence it carries.
func (j *job) verdict(ctx, held context.Context, state string, err error) (end, reason string) {
	switch kind := errs.KindOf(err); {
	case err == nil:
		return state, j.missing
	case kind == errs.LeaseLost:
		return "lost", ""
	case err == errCancelled, context.Cause(held) == errCancelled: //nolint:errorlint // a sentinel of our own, never wrapped
		return "cancelled", ""
	case ctx.Err() != nil:
		return "released", ""
	case errs.Describe(kind).Retry && j.Failures+1 < MaxTries:
		return "queued", errs.Public(err)
	case kind == errs.Internal:
		return "failed", "Une erreur interne a interrompu le traitement de ce fichier ; le journal du worker en donne le détail."
	}
	return "failed", errs.Public(err)
}
