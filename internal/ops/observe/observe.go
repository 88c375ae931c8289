// Package observe is the structured log and the Prometheus metrics of a process: the log has
// one wide event per request and per job, and the metrics are counted from these events. No
// attribute ever contains a request body, question, answer or password.
package observe

import (
	"io"
	"log/slog"
)

// Logger returns a logger that writes JSON lines to w, each with the name of the process.
// level is the lowest level that is written: debug, info, warn or error; any other text
// means info.
func Logger(w io.Writer, process, level string) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		l = slog.LevelInfo
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: l})).With("process", process)
}
