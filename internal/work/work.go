// Package work runs the rows that are work: answers, gazette files, messages and
// the indexes that follow the catalogue.
//
// A row is leased. Whoever takes it up gets an attempt, whose number every write
// names, renews the lease while it works, and writes how it ended as the last
// thing of all:
//
//	done      the work is done
//	cancelled somebody asked for it to stop
//	released  the process is told to end: another worker goes on at once
//	put back  it failed and is tried again after a while
//	failed    it failed for good
//	lost      the lease is another's: nothing is written
//
// What differs by kind is one Class: its queue, how its rows are taken up, what is
// done with them and what is written at the end. Serve gives each class a queue
// server of its own, and looks once a second for rows that no worker holds.
package work

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/errs"
	"vigueur/internal/lease"
	"vigueur/internal/queue"
)

// Class is one kind of work. Its fields are set once, before the first Run.
type Class struct {
	// Name is the kind in logs, metrics and traces: « answer ».
	Name string
	// Queue is where its hints wait.
	Queue queue.Class
	// Concurrency is how many rows a process works on at once.
	Concurrency int
	// Poll is how often an idle process looks for hints.
	Poll time.Duration
	// Due picks rows that no worker holds and notes that each is given a hint.
	Due func(ctx context.Context, limit int) ([]uuid.UUID, error)
	// Take takes a row up, the hinted one or another that comes first. LeaseLost:
	// there is none to be had.
	Take func(ctx context.Context, hint uuid.UUID) (Attempt, error)
	// Tries is how many attempts may fail on something that is down before the work
	// has failed; what cannot succeed later fails at once. 0: it is tried for ever,
	// whatever went wrong.
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
	Trace    string // of whoever asked for the work; "": of nobody
	// Renew renews the lease; its stop is ErrCancelled when somebody asked for the
	// work to stop.
	Renew lease.Renewal
	// Watch runs beside the work, and may end it before the lease is next renewed;
	// nil: nothing does.
	Watch []func(held context.Context, stop context.CancelCauseFunc)
	// Do does the work. Its context ends when the process is told to end, the lease
	// is lost or the work is canceled; Do then returns soon, with any error.
	Do func(ctx context.Context) error
	// Settle writes how the attempt ended. It is not called when the lease is lost.
	Settle func(ctx context.Context, end End) error
	// Excuse notes that the worker lives although the attempt is lost, so that the
	// work is not taken for one that kills its workers; nil: nothing is noted.
	Excuse func(ctx context.Context) error
	// Done is the word for work that is done, where there is more than one; nil: Done.
	Done func() Outcome
	// Attrs are what the log tells of the attempt.
	Attrs func() []slog.Attr
}

// Outcome is how an attempt ended, as logs and metrics say it.
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
	Err   error         // why, of PutBack and Failed
	After time.Duration // how long until the next attempt, of PutBack
}

// ErrCancelled is why an attempt ends that somebody asked to stop.
var ErrCancelled = errs.New(errs.Cancelled, "")
