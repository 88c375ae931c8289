// Package observe is the structured log and the Prometheus metrics of a process: the log has
// one wide event per request and per job, and the metrics are counted from these events. No
// attribute ever contains a request body, question, answer or password.
package observe

import (
	"io"
	"log/slog"
)

// Logger writes JSON lines to w from the given level up (debug, info, warn,
// error; anything else reads as info), each with the process's name.
func Logger(w io.Writer, process, level string) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		l = slog.LevelInfo
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: l})).With("process", process)
}
