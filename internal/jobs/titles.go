package jobs

import (
	"context"
	"log/slog"

	"vigueur/internal/queue"
)

// Titles handles the tasks that bring the title index up to the catalogue.
func Titles(base context.Context, run Runner, hint Hinter, log *slog.Logger) queue.Handler {
	return handler(base, "titles", run, hint, log)
}
