package jobs

import (
	"context"
	"log/slog"

	"vigueur/internal/queue"
)

// Answer handles the tasks of answers.
func Answer(base context.Context, run Runner, hint Hinter, log *slog.Logger) queue.Handler {
	return handler(base, "answer", run, hint, log)
}
