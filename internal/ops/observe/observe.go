// Package observe is the structured log and the Prometheus metrics of a process: the log has
// one wide event per request and per job, and the metrics are counted from these events. No
// attribute ever contains a request body, question, answer or password.
package observe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"vigueur/internal/kit/errs"
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

// Serve serves the metrics at /metrics on an address of their own until ctx ends; stopped is
// closed after that. There /healthz is 200 while the process runs, and /readyz 200 while ready
// returns true, else 503: a supervisor asks here, where clients of the service cannot come in
// its way. An empty address serves nothing. The error reports that the address cannot be
// listened on.
func Serve(ctx context.Context, address string, figures prometheus.Gatherer, ready func() bool, log *slog.Logger) (stopped <-chan struct{}, err error) {
	ended := make(chan struct{})
	if address == "" {
		close(ended)
		return ended, nil
	}
	ln, err := net.Listen("tcp", address)
	if err != nil {
		return nil, errs.Wrap(errs.Unavailable, fmt.Sprintf("L’adresse %s (VIGUEUR_METRICS_LISTEN) ne peut pas être écoutée : %v", address, err), err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(figures, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second}))
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !ready() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10}
	log.InfoContext(ctx, "metrics", "address", ln.Addr().String())
	go func() {
		defer close(ended)
		if err := server.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			log.ErrorContext(ctx, "metrics ended", "error", err)
		}
	}()
	context.AfterFunc(ctx, func() { _ = server.Close() }) // a scrape that is cut off is repeated
	return ended, nil
}
