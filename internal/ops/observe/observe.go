// Package observe is the structured log and the Prometheus metrics of a process: the log has
// one wide event per request and per job, and the metrics are counted from these events. No
// attribute ever contains a request body, question, answer or password.
package observe

import (
	"encoding/json"
	"io"
	"log/slog"
	"strings"
)

// Logger returns a logger that writes JSON lines to w, each with the name of the process.
// level is the lowest level that is written: debug, info, warn or error; any other text
// means info.
func Logger(w io.Writer, process, level string) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		l = slog.LevelInfo
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: l, ReplaceAttr: capValue})).With("process", process)
}

// longest is the maximum length of an attribute of a record in bytes, also of its message:
// errors repeat what others wrote.
const longest = 4 << 10

// capValue cuts an attribute that is too long.
func capValue(_ []string, a slog.Attr) slog.Attr {
	var text string
	switch a.Value.Kind() {
	case slog.KindString:
		text = a.Value.String()
	case slog.KindAny:
		switch v := a.Value.Any().(type) {
		case error:
			text = v.Error()
		case *slog.Source:
			return a
		default:
			raw, err := json.Marshal(v)
			if err != nil || len(raw) <= longest {
				return a
			}
			text = string(raw)
		}
	default:
		return a
	}
	if len(text) > longest {
		a.Value = slog.StringValue(strings.ToValidUTF8(text[:longest], "") + "…")
	}
	return a
}
