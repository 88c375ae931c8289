package work

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/queue"
)

// Plan says how a process runs a kind of job.
type Plan struct {
	queue.Kind
	// Concurrency is the number of rows that a process works on at once; 0: one.
	Concurrency int
	// Poll is the interval at which an idle process looks for hints. asynq sleeps up to one
	// and a half intervals before it notices a shutdown, so a long interval also delays the
	// end of a worker.
	Poll time.Duration
	// Tries is the number of attempts, each ended by a temporary error (a store is down),
	// after which the job has failed. Any other error fails the job at once. 0: the job is
	// retried for ever, after any error.
	Tries int
	// Backoff returns the delay before the next attempt, given the number of consecutive
	// failures (1 or more).
	Backoff func(failures int) time.Duration
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
	Log   *slog.Logger
}

// Worker does the jobs of one kind. Its methods are called by many goroutines.
type Worker interface {
	Plan() Plan
	// Due selects up to limit rows that no worker holds, and records that each gets a hint.
	Due(ctx context.Context, limit int) ([]uuid.UUID, error)
	// Lease begins an attempt at a row: the hinted row, or another row that takes
	// precedence. LeaseLost: there is no row to lease.
	Lease(ctx context.Context, hint uuid.UUID) (Job, error)
}

// Job is one attempt at one row.
type Job interface {
	Row() Row
	// Renew renews the lease once, as lease.Renewal says; stop is ErrCancelled once
	// cancellation was requested.
	Renew(ctx context.Context) (stop, err error)
	// Work does the job. Its context ends when the process shuts down, the lease is lost
	// or the job is canceled; Work then returns soon, with any error.
	Work(ctx context.Context) error
	// Conclude writes how the attempt ended. It is not called after the lease was lost.
	Conclude(ctx context.Context, end End) error
	// Attrs returns the attributes of the attempt's log record.
	Attrs() []slog.Attr
}

// Leased implements Row, Renew and Conclude of a Job by the lease of its row. Jobs embed it.
type Leased struct {
	Lease postgres.Leased
	// Reason returns the text of an error for an administrator, in French; nil: errs.Public.
	Reason func(err error) string
}

// Row names the row and the attempt.
func (l Leased) Row() Row {
	return Row{ID: l.Lease.ID, Attempt: l.Lease.Attempt, Failures: l.Lease.Failures}
}

// Renew renews the lease.
func (l Leased) Renew(ctx context.Context) (stop, err error) { return nil, l.Lease.Renew(ctx) }

// Conclude writes how the attempt ended: it is done, is retried, or is released.
func (l Leased) Conclude(ctx context.Context, end End) error {
	switch end.Outcome {
	case Done:
		return l.Lease.Finish(ctx)
	case PutBack:
		reason := errs.Public
		if l.Reason != nil {
			reason = l.Reason
		}
		return l.Lease.Retry(ctx, reason(end.Err), end.After)
	default:
		return l.Lease.Release(ctx)
	}
}

// Row names the row and the attempt of a Job.
type Row struct {
	ID       uuid.UUID
	Attempt  int
	Failures int    // number of consecutive failures before this attempt
	Trace    string // trace context of the request; "": not traced
}

// Watched is a Job with watchers: each runs beside Work, and can stop Work before the next
// renewal of the lease.
type Watched interface {
	Watchers() []func(held context.Context, stop context.CancelCauseFunc)
}

// Excusable is a Job whose lost attempts are counted, so that a job that crashes workers is
// given up. Excuse records that the worker did not crash although the attempt is lost.
type Excusable interface {
	Excuse(ctx context.Context) error
}

// Graded is a Job that can be done with different outcomes; other jobs are done with the
// outcome Done.
type Graded interface {
	DoneAs() Outcome
}

// Outcome is how an attempt ended, as logs and metrics name it.
type Outcome string

// The outcomes, which the package comment explains. A Graded job may have others.
const (
	Done      Outcome = "done"
	Cancelled Outcome = "cancelled"
	Released  Outcome = "released"
	PutBack   Outcome = "put back"
	Failed    Outcome = "failed"
	Lost      Outcome = "lost"
)

// End is how an attempt ended.
type End struct {
	Outcome
	Err   error         // the cause, for PutBack and Failed
	After time.Duration // the delay until the next attempt, for PutBack
}

// ErrCancelled is the cause of an attempt that was canceled on request.
var ErrCancelled = errs.New(errs.Cancelled, "")
