package queue

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"

	"vigueur/internal/kit/trace"
	"vigueur/internal/store/redisurl"
)

// Handler runs the job of a row. It returns nothing: the row records what went wrong and
// whether the job is retried.
type Handler func(ctx context.Context, id uuid.UUID)

// Options configures a Server.
type Options struct {
	RedisURL    string
	Kind        Kind
	Concurrency int // number of tasks that run at once
	Handle      Handler
	Log         *slog.Logger
	// PollEvery is the interval at which an idle server polls for tasks. 4 ms cost about
	// 2 % of a core of Redis; asynq's default of a second, used for 0, delays the first
	// word of every answer by half a second.
	PollEvery time.Duration
	Shutdown  time.Duration // how long Stop waits for running tasks; 0: 5 s
}

// Server runs the tasks of one kind.
type Server struct {
	server *asynq.Server
	mux    *asynq.ServeMux
	queue  string
}

// NewServer returns a server for the tasks of one kind; it does nothing before Start.
func NewServer(o Options) (*Server, error) {
	client, err := redisurl.Open(o.RedisURL)
	if err != nil {
		return nil, err
	}
	if o.Shutdown == 0 {
		o.Shutdown = 5 * time.Second
	}
	s := &Server{queue: o.Kind.Queue, mux: asynq.NewServeMux(), server: asynq.NewServer(connection{client}, asynq.Config{
		Concurrency: o.Concurrency, Queues: map[string]int{o.Kind.Queue: 1},
		TaskCheckInterval: o.PollEvery, ShutdownTimeout: o.Shutdown,
		Logger: logger{o.Log}, LogLevel: asynq.WarnLevel,
	})}
	s.mux.HandleFunc(o.Kind.Task, handle(o.Kind.Task, o))
	return s, nil
}

// handle decodes a task and calls the handler. A panic is logged and recovered: the row's
// lease expires, and the sweep enqueues it again.
func handle(kind string, o Options) asynq.HandlerFunc {
	return func(ctx context.Context, t *asynq.Task) error {
		defer func() {
			if p := recover(); p != nil {
				o.Log.ErrorContext(ctx, "task panicked", "kind", kind, "panic", fmt.Sprint(p))
			}
		}()
		id, err := uuid.FromBytes(t.Payload())
		if err != nil || t.Type() != kind {
			o.Log.ErrorContext(ctx, "task not understood", "kind", t.Type())
			return nil
		}
		if carried := t.Headers()[traceHeader]; carried != "" {
			var span *trace.Span
			ctx, span = trace.Start(trace.Continue(ctx, carried), "task")
			defer span.End(nil) // the job's own span records how it ended
			span.Text("kind", kind)
		}
		o.Handle(ctx, id)
		return nil
	}
}

// Start begins to read the queue and returns. While Redis is down, the server retries
// without limit.
func (s *Server) Start() error {
	if err := s.server.Start(s.mux); err != nil {
		return fmt.Errorf("queue: start %s: %w", s.queue, unavailable(err))
	}
	return nil
}

// Stop accepts no more tasks, waits for running ones up to the shutdown time, and ends.
func (s *Server) Stop() {
	s.server.Stop()
	s.server.Shutdown()
}

// logger passes asynq's log lines to slog.
type logger struct{ log *slog.Logger }

func (l logger) Debug(args ...any) { l.log.Debug("asynq", "text", fmt.Sprint(args...)) }
func (l logger) Info(args ...any)  { l.log.Info("asynq", "text", fmt.Sprint(args...)) }
func (l logger) Warn(args ...any)  { l.log.Warn("asynq", "text", fmt.Sprint(args...)) }
func (l logger) Error(args ...any) { l.log.Error("asynq", "text", fmt.Sprint(args...)) }
func (l logger) Fatal(args ...any) { l.log.Error("asynq", "fatal", fmt.Sprint(args...)) }
