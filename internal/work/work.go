package work

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/work/lease"
	"vigueur/internal/work/queue"
)

// Class is one kind of job. Its fields are set once, before the first Run.
type Class struct {
	// Name is the kind in logs, metrics and traces: « answer ».
	Name string
	// Queue is the queue of its hints.
	Queue queue.Class
	// Concurrency is how many rows a process works on at once.
	Concurrency int
	// Poll is how often an idle process looks for hints. asynq sleeps up to one and a half
	// of it before it notices a shutdown, so it bounds how fast a worker ends as well.
	Poll time.Duration
	// Due selects rows that no worker holds, and records that each gets a hint.
	Due func(ctx context.Context, limit int) ([]uuid.UUID, error)
	// Take leases a row: the hinted one, or another that comes first. LeaseLost: there
	// is none to lease.
	Take func(ctx context.Context, hint uuid.UUID) (Attempt, error)
	// Tries is how many attempts may end with an error that passes (a store that is
	// down) before the job has failed; any other error fails it at once. 0: it is
	// retried for ever, after any error.
	Tries int
	// Backoff is how long a row waits after so many failures (1 or more) in a row.
	Backoff func(failures int) time.Duration
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
	Log   *slog.Logger
}

// Attempt is one attempt at one row.
type Attempt struct {
	ID       uuid.UUID
	Number   int
	Failures int    // in a row, before this one
	Trace    string // trace context of the request; "": not traced
	// Renew renews the lease; its stop is ErrCancelled once cancellation was requested.
	Renew lease.Renewal
	// Watch functions run beside the job, and may stop it sooner than the next renewal
	// of the lease; may be nil.
	Watch []func(held context.Context, stop context.CancelCauseFunc)
	// Do does the job. Its context ends when the process shuts down, the lease is lost
	// or the job is canceled; Do then returns soon, with any error.
	Do func(ctx context.Context) error
	// Settle writes how the attempt ended. It is not called after the lease was lost.
	Settle func(ctx context.Context, end End) error
	// Excuse records that the worker did not crash although the attempt is lost, so
	// that the job is not counted as one that crashes workers; nil: nothing is recorded.
	Excuse func(ctx context.Context) error
	// Done returns the outcome of a job that is done, for kinds that have several; nil:
	// Done.
	Done func() Outcome
	// Attrs returns the attributes of the attempt's log record.
	Attrs func() []slog.Attr
}

// Outcome is how an attempt ended, as logs and metrics name it.
type Outcome string

// The outcomes.
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
