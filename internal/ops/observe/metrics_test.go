package observe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/ops/observe"
	"vigueur/internal/work/queue"
)

// scrape serves the metrics and reads them as Prometheus does.
func scrape(t *testing.T, of observe.Process, count func(log *slog.Logger)) (figures, logged string) {
	t.Helper()
	var out bytes.Buffer
	registry := observe.NewRegistry()
	log := observe.Counting(observe.Logger(&out, "api", "info"), registry, of, queue.Kinds()...)
	count(log)
	logged = out.String()
	ctx, stop := context.WithCancel(t.Context())
	var ready atomic.Bool
	stopped, err := observe.Serve(ctx, "127.0.0.1:0", registry, ready.Load, log)
	if err != nil {
		t.Fatal(err)
	}
	var line struct{ Address string }
	if err := json.Unmarshal([]byte(strings.TrimPrefix(out.String(), logged)), &line); err != nil {
		t.Fatal(err)
	}
	figures = get(t, "http://"+line.Address+"/metrics", http.StatusOK)
	get(t, "http://"+line.Address+"/", http.StatusNotFound)
	get(t, "http://"+line.Address+"/healthz", http.StatusOK)
	get(t, "http://"+line.Address+"/readyz", http.StatusServiceUnavailable)
	ready.Store(true)
	get(t, "http://"+line.Address+"/readyz", http.StatusOK)
	stop()
	<-stopped
	if r, err := http.Get("http://" + line.Address + "/metrics"); err == nil {
		_ = r.Body.Close()
		t.Error("figures are given after the end")
	}
	return figures, logged
}

func get(t *testing.T, url string, status int) string {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != status {
		t.Fatalf("%s: %d, %v, want %d", url, r.StatusCode, err, status)
	}
	return string(body)
}

func TestEventsOfRequestsAreCounted(t *testing.T) {
	t.Parallel()
	figures, logged := scrape(t, observe.API, func(log *slog.Logger) {
		request := func(args ...any) { log.With("request_id", "secret-id").Info("request", args...) }
		request("method", "GET", "route", "/api/v1/documents", "status", 200, "ms", 30.0)
		request("method", "GET", "route", "/api/v1/documents", "status", 200, "ms", 4.0)
		request("method", "BREW", "route", "/", "status", 405, "ms", 1.0, "kind", "http_405")
		for _, status := range []int{200, 401, 429} {
			request("method", "POST", "route", "/api/v1/auth/login", "status", status, "ms", 60.0)
		}
		for range 3 {
			log.Debug("stream open")
		}
		request("method", "POST", "route", "/api/v1/chat-rag/stream", "status", 200, "ms", 9000.0, "outcome", "ended", "first_ms", 12.0)
		request("method", "POST", "route", "/api/v1/chat-rag/stream", "status", 200, "ms", 10.0, "outcome", "gone")
		log.Info("answer", "outcome", "done")
		log.Info("something else", "kind", "unknown")
		log.WithGroup("g").Info("request", "method", "GET", "route", "/healthz", "status", 200, "ms", 1.0)
	})
	for _, want := range []string{
		`vigueur_requests_total{method="GET",route="/api/v1/documents",status="200"} 2`,
		`vigueur_requests_total{method="other",route="/",status="405"} 1`,
		`vigueur_requests_total{method="GET",route="/healthz",status="200"} 1`,
		`vigueur_request_seconds_count{route="/api/v1/documents"} 2`,
		`vigueur_request_seconds_bucket{route="/api/v1/documents",le="0.005"} 1`,
		`vigueur_errors_total{kind="http_405"} 1`,
		`vigueur_login_failures_total 2`,
		`vigueur_streams_open 1`,
		`vigueur_streams_total{outcome="ended"} 1`,
		`vigueur_streams_total{outcome="gone"} 1`,
		`vigueur_streams_total{outcome="revoked"} 0`,
		`vigueur_stream_first_event_seconds_count 1`,
		`go_goroutines `, `process_resident_memory_bytes `,
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(figures, "\n"+want) {
				t.Errorf("no %s", want)
			}
		})
	}
	for _, absent := range []string{"secret-id", `vigueur_request_seconds_count{route="/api/v1/chat-rag/stream"}`, "unknown", "vigueur_jobs"} {
		t.Run(absent, func(t *testing.T) {
			if strings.Contains(figures, absent) {
				t.Errorf("%s is among the figures", absent)
			}
		})
	}
	if strings.Contains(logged, "stream open") || strings.Count(logged, "secret-id") != 8 {
		t.Errorf("what is logged is not what is logged without counting:\n%s", logged)
	}
}

func TestEventsOfJobsAreCounted(t *testing.T) {
	t.Parallel()
	figures, logged := scrape(t, observe.Worker, func(log *slog.Logger) {
		log.Info("answer", "outcome", "done", "waited", 3*time.Millisecond, "search", 20*time.Millisecond, "first", 70*time.Millisecond, "took", 80*time.Millisecond,
			"tokens_in", 1000, "tokens_out", 41, "cost", 0.5, "server", "modeles.example")
		log.Debug("model usage", "server", "away.example", "tokens_in", 100, "tokens_out", 1, "cost", 0.25)
		log.Debug("model usage", "server", "modeles.example", "tokens_in", 900, "tokens_out", 40, "cost", 0.25)
		log.Warn("model server", "server", "modeles.example")
		log.Info("answer", "outcome", "lost", "waited", time.Second, "search", time.Duration(0), "first", time.Duration(0), "took", time.Second)
		log.Debug("passages", "way", "milvus", "why", "", "took", time.Millisecond)
		log.Warn("passages", "way", "words", "why", "slow", "took", time.Millisecond)
		log.Info("ingestion", "outcome", "done", "pages_read", 7, "took", 2*time.Second)
		log.Info("notification", "outcome", "failed")
		log.Debug("hint again", "kind", "ingestion", "id", "x")
		log.Error("answer given up", "message_id", "x")
	})
	for _, want := range []string{
		`vigueur_jobs_total{kind="answer",outcome="done"} 1`,
		`vigueur_jobs_total{kind="ingestion",outcome="done"} 1`,
		`vigueur_jobs_total{kind="notification",outcome="failed"} 1`,
		`vigueur_job_seconds_count{kind="answer"} 2`,
		`vigueur_leases_lost_total{kind="answer"} 1`,
		`vigueur_sweep_hints_total{kind="ingestion"} 1`,
		`vigueur_answers_given_up_total 1`,
		`vigueur_pages_read_total 7`,
		`vigueur_model_tokens_total{direction="in",server="modeles.example"} 900`,
		`vigueur_model_tokens_total{direction="out",server="away.example"} 1`,
		`vigueur_model_cost_total{server="modeles.example"} 0.25`,
		`vigueur_model_server_failures_total{server="modeles.example"} 1`,
		`vigueur_passage_searches_total{way="milvus",why=""} 1`,
		`vigueur_passage_searches_total{way="words",why="slow"} 1`,
		`vigueur_passage_search_seconds_count{way="words"} 1`,
		`vigueur_answer_queue_wait_seconds_count 2`,
		`vigueur_answer_retrieval_seconds_count 1`,
		`vigueur_answer_first_text_seconds_count 1`,
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(figures, "\n"+want) {
				t.Errorf("no %s", want)
			}
		})
	}
	if strings.Contains(logged, "hint again") || strings.Contains(figures, "vigueur_streams_open") {
		t.Error("what belongs elsewhere is told")
	}
}

func TestNoFiguresWithoutAnAddress(t *testing.T) {
	t.Parallel()
	stopped, err := observe.Serve(t.Context(), "", observe.NewRegistry(), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	<-stopped
	if _, err := observe.Serve(t.Context(), "192.0.2.1:1", observe.NewRegistry(), nil, slog.New(slog.DiscardHandler)); !errs.Is(err, errs.Unavailable) ||
		!strings.Contains(errs.Public(err), "VIGUEUR_METRICS_LISTEN") {
		t.Errorf("an address that is not this machine's: %v", err)
	}
}
