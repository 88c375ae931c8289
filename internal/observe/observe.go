// Package observe is how a process tells what it does: a structured log with
// one wide event per request and per job, and figures for Prometheus that are
// counted from these events. No request body, question, answer or password is
// ever an attribute of it.
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
