package work

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/trace"
	"vigueur/internal/work/lease"
)

// LastWrite returns the context of the write that ends an attempt. It lasts half a minute, because a store that is slow for some
// seconds must not have the work done again, or five seconds once ctx has ended.
func LastWrite(ctx context.Context) (last context.Context, done func()) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	part := context.AfterFunc(ctx, func() { time.AfterFunc(5*time.Second, cancel) })
	return last, func() { part(); cancel() }
}

// Run leases a row and runs one attempt to its end. nil: the job is done, or was
// canceled on request. LeaseLost: there was no row to lease, or the lease was lost
// meanwhile and nothing was written. Cancelled: ctx ended, and the row was released.
// Other errors say why the job failed or was put back, as the row does.
func Run(ctx context.Context, w Worker, hint uuid.UUID) error {
	job, err := w.Lease(ctx, hint)
	if err != nil {
		return err
	}
	a := attempt{plan: w.Plan(), job: job, row: job.Row()}
	began := time.Now()
	// The trace context comes from the row, because the hint may have named another row.
	ctx, span := trace.Start(trace.Continue(ctx, a.row.Trace), a.plan.Name)
	held, release := a.hold(ctx)
	defer release()
	end, err := a.conclude(ctx, a.work(held), release)
	attrs := append(job.Attrs(), slog.Int("attempt", a.row.Attempt), slog.String("outcome", string(end.Outcome)),
		slog.Duration("took", time.Since(began)), slog.Any("error", err))
	a.plan.Log.LogAttrs(ctx, level(end.Outcome, err), a.plan.Name, attrs...)
	span.Text("id", a.row.ID.String())
	span.Number("attempt", a.row.Attempt)
	span.Text("outcome", string(end.Outcome))
	span.End(err)
	return err
}

// attempt is a job that was leased.
type attempt struct {
	plan Plan
	job  Job
	row  Row
}

// level is the log level of an attempt's end. An error beside a good outcome comes from the
// last write.
func level(end Outcome, err error) slog.Level {
	switch {
	case end == Failed, err != nil && end != PutBack && end != Released && end != Lost:
		return slog.LevelError
	case end == PutBack, end == Lost:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// hold renews the lease until release is called.
func (a attempt) hold(ctx context.Context) (held context.Context, release func()) {
	var watchers []func(held context.Context, stop context.CancelCauseFunc)
	if watched, ok := a.job.(Watched); ok {
		watchers = watched.Watchers()
	}
	return lease.Holder{Every: a.plan.Renew}.Hold(ctx, a.job.Renew, watchers...)
}

// work does the job. If the context has ended, it returns the context's cause, which says more than the job's own error. A
// panic becomes an error, so that it does not crash the worker.
func (a attempt) work(held context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			a.plan.Log.LogAttrs(held, slog.LevelError, "panic", slog.String("kind", a.plan.Name), slog.Any("id", a.row.ID), slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			err = errs.Wrap(errs.Internal, "", fmt.Errorf("panic: %v", p))
		}
		if cause := context.Cause(held); err != nil && cause != nil {
			err = cause
		}
	}()
	return a.job.Work(held)
}

// conclude decides how the attempt ended and writes the outcome, even during shutdown, then releases the lease.
func (a attempt) conclude(ctx context.Context, err error, release func()) (End, error) {
	end := a.end(ctx, err)
	if end.Outcome == Cancelled {
		err = nil
	}
	var failed error
	if end.Outcome != Lost {
		last, done := LastWrite(ctx)
		failed = a.job.Conclude(last, end)
		done()
	}
	release()
	if end.Outcome == Lost || failed != nil {
		a.excuse(ctx)
	}
	if failed != nil {
		err = errors.Join(err, failed)
		if errs.Is(failed, errs.LeaseLost) { // the last write found out
			end.Outcome = Lost
		}
	}
	return end, err
}

// end returns the outcome of an attempt whose job returned err.
func (a attempt) end(ctx context.Context, err error) End {
	kind := errs.KindOf(err)
	switch graded, ok := a.job.(Graded); {
	case err == nil && ok:
		return End{Outcome: graded.DoneAs()}
	case err == nil:
		return End{Outcome: Done}
	case errors.Is(err, ErrCancelled):
		return End{Outcome: Cancelled}
	case kind == errs.LeaseLost:
		return End{Outcome: Lost}
	case errors.Is(ctx.Err(), context.Canceled):
		return End{Outcome: Released}
	case a.plan.Tries == 0, errs.Describe(kind).Retry && a.row.Failures+1 < a.plan.Tries:
		return End{Outcome: PutBack, Err: err, After: a.plan.Backoff(a.row.Failures + 1)}
	}
	return End{Outcome: Failed, Err: err}
}

// excuse records that this worker did not crash although its attempt is lost: the attempt
// then counts as a failure caused by a store that is down. It records nothing once the
// failures reach Tries, so that a job that stalls its workers is given up like a job that
// crashes them.
func (a attempt) excuse(ctx context.Context) {
	excusable, ok := a.job.(Excusable)
	if !ok || a.row.Failures+1 >= a.plan.Tries {
		return
	}
	if err := (lease.Holder{Every: a.plan.Renew}).Excuse(ctx, excusable.Excuse); err != nil {
		a.plan.Log.LogAttrs(ctx, slog.LevelWarn, "lost attempt not excused", slog.String("kind", a.plan.Name), slog.Any("id", a.row.ID), slog.Any("error", err))
	}
}
