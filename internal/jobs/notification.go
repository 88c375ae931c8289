package jobs

import (
	"context"
	"log/slog"

	"vigueur/internal/queue"
)

// Notification handles the tasks of inquiries that are to be told of by e-mail.
func Notification(base context.Context, run Runner, hint Hinter, log *slog.Logger) queue.Handler {
	return handler(base, "notification", run, hint, log)
}
