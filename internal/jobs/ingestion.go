package jobs

import (
	"context"
	"log/slog"

	"vigueur/internal/queue"
)

// Ingestion handles the tasks of gazette files.
func Ingestion(base context.Context, run Runner, hint Hinter, log *slog.Logger) queue.Handler {
	return handler(base, "ingestion", run, hint, log)
}
