// Package jobs ties the queue to the work: one file a kind of task, from an id
// to the call, and the sweep that gives a new hint for each row that no worker
// holds.
//
// A handler returns nothing: its row holds the outcome. When the process stops,
// the base context ends, the work gives its row back, and a new hint sends it to
// another worker at once.
package jobs

import (
	"context"
	"log/slog"

	"github.com/google/uuid"

	"vigueur/internal/errs"
	"vigueur/internal/queue"
)

// Runner does the work of one row.
type Runner interface {
	Run(ctx context.Context, id uuid.UUID) error
}

// Hinter hints that a row waits for a worker.
type Hinter func(ctx context.Context, id uuid.UUID) error

// handler runs a task under both the task's context and the process's: asynq
// ends the first after its time-out only, the second ends when the process is
// told to stop.
func handler(base context.Context, name string, run Runner, hint Hinter, log *slog.Logger) queue.Handler {
	return func(ctx context.Context, id uuid.UUID) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(base, cancel)()
		err := run.Run(ctx, id)
		if err == nil || errs.Is(err, errs.LeaseLost) || errs.Is(err, errs.NotFound) {
			return // a stale hint, or another worker's
		}
		if base.Err() != nil {
			rehint(base, name, id, hint, log)
		}
	}
}

// rehint sends a row that was given back to another worker. Without Redis the
// sweep finds it a second later.
func rehint(base context.Context, name string, id uuid.UUID, hint Hinter, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(base), hintTime)
	defer cancel()
	if err := hint(ctx, id); err != nil {
		log.WarnContext(ctx, "hint", "kind", name, "id", id, "error", err)
	}
}
