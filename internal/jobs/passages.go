package jobs

import (
	"context"
	"log/slog"

	"vigueur/internal/queue"
)

// Passages handles the tasks that bring the passage index up to the catalogue.
func Passages(base context.Context, run Runner, hint Hinter, log *slog.Logger) queue.Handler {
	return handler(base, "passages", run, hint, log)
}
