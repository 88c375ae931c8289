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

// settleTime is how long the last write of an attempt may take.
const settleTime = 5 * time.Second

// Run leases a row and runs one attempt to its end. nil: the job is done, or was
// canceled on request. LeaseLost: there was no row to lease, or the lease was lost
// meanwhile and nothing was written. Cancelled: ctx ended, and the row was released.
// Other errors say why the job failed or was put back, as the row does.
func (c Class) Run(ctx context.Context, hint uuid.UUID) error {
	a, err := c.Take(ctx, hint)
	if err != nil {
		return err
	}
	began := time.Now()
	// The trace is the row's: the hint may have been for another row.
	ctx, span := trace.Start(trace.Continue(ctx, a.Trace), c.Name)
	end, err := c.settle(ctx, a, c.do(ctx, a))
	attrs := append(a.Attrs(), slog.Int("attempt", a.Number), slog.String("outcome", string(end.Outcome)),
		slog.Duration("took", time.Since(began)), slog.Any("error", err))
	c.Log.LogAttrs(ctx, level(end.Outcome, err), c.Name, attrs...)
	span.Text("id", a.ID.String())
	span.Number("attempt", a.Number)
	span.Text("outcome", string(end.Outcome))
	span.End(err)
	return err
}

// level is the log level of an attempt's end. An error together with a good outcome is
// of the last write.
func level(end Outcome, err error) slog.Level {
	switch {
	case end == Failed, err != nil && end != PutBack && end != Released && end != Lost:
		return slog.LevelError
	case end == PutBack, end == Lost:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// do does the job while its lease is renewed. If the context has ended, it returns the
// context's cause, which tells more than the job's own error. A panic becomes an error, so
// that it does not crash the worker.
func (c Class) do(ctx context.Context, a Attempt) (err error) {
	held, release := lease.Holder{Every: c.Renew}.Hold(ctx, a.Renew, a.Watch...)
	defer release()
	defer func() {
		if p := recover(); p != nil {
			c.Log.LogAttrs(held, slog.LevelError, "panic", slog.String("kind", c.Name), slog.Any("id", a.ID), slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			err = errs.Wrap(errs.Internal, "", fmt.Errorf("panic: %v", p))
		}
		if cause := context.Cause(held); err != nil && cause != nil {
			err = cause
		}
	}()
	return a.Do(held)
}

// settle decides how the attempt ended and writes it, also during shutdown.
func (c Class) settle(ctx context.Context, a Attempt, err error) (End, error) {
	end := c.end(ctx, a, err)
	if end.Outcome == Cancelled {
		err = nil
	}
	var failed error
	if end.Outcome != Lost {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
		failed = a.Settle(last, end)
		cancel()
	}
	if end.Outcome == Lost || failed != nil {
		c.excuse(ctx, a)
	}
	if failed != nil {
		err = errors.Join(err, failed)
		if errs.Is(failed, errs.LeaseLost) { // noticed by this very write
			end.Outcome = Lost
		}
	}
	return end, err
}

// end returns how an attempt ended whose job returned err.
func (c Class) end(ctx context.Context, a Attempt, err error) End {
	kind := errs.KindOf(err)
	switch {
	case err == nil && a.Done != nil:
		return End{Outcome: a.Done()}
	case err == nil:
		return End{Outcome: Done}
	case errors.Is(err, ErrCancelled):
		return End{Outcome: Cancelled}
	case kind == errs.LeaseLost:
		return End{Outcome: Lost}
	case errors.Is(ctx.Err(), context.Canceled):
		return End{Outcome: Released}
	case c.Tries == 0, errs.Describe(kind).Retry && a.Failures+1 < c.Tries:
		return End{Outcome: PutBack, Err: err, After: c.Backoff(a.Failures + 1)}
	}
	return End{Outcome: Failed, Err: err}
}

// excuse records that this worker did not crash although its attempt is lost: the attempt
// then counts as one that failed on a store that is down, up to Tries of them. A job that
// stalls its worker more often than that is given up like one that crashes it.
func (c Class) excuse(ctx context.Context, a Attempt) {
	if a.Excuse == nil || a.Failures+1 >= c.Tries {
		return
	}
	if err := (lease.Holder{Every: c.Renew}).Excuse(ctx, a.Excuse); err != nil {
		c.Log.LogAttrs(ctx, slog.LevelWarn, "lost attempt not excused", slog.String("kind", c.Name), slog.Any("id", a.ID), slog.Any("error", err))
	}
}
