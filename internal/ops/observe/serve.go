package observe

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"vigueur/internal/kit/errs"
)

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
