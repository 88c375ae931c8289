package work

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/tick"
	"vigueur/internal/work/queue"
)

// BackgroundPoll is the polling interval of jobs that nobody waits for. Ten idle polls a
// second cost Redis less than 0.1 % of a core, by the measurement at
// queue.Options.PollEvery; a longer interval delays the end of a worker.
const BackgroundPoll = 100 * time.Millisecond

const (
	// sweepEvery is the interval between two sweeps for rows that no worker holds.
	sweepEvery = time.Second
	// sweepBatch is the maximum number of rows of a kind that one sweep enqueues.
	sweepBatch = 100
	// hintTime bounds enqueueing the hint for a row that was released.
	hintTime = 2 * time.Second
)

// Hinter enqueues the hint for a row: *queue.Client.
type Hinter interface {
	Enqueue(ctx context.Context, kind queue.Kind, id uuid.UUID) error
}

// Server runs the jobs of some kinds.
type Server struct {
	queues []*queue.Server
	sweeps sync.WaitGroup
	end    context.CancelFunc
}

// Serve starts a queue server and a sweep for each worker, so that no kind waits for
// another. When ctx ends, the rows that are being worked on are released. While Redis is
// down, the servers retry without limit. An error means that the address of Redis is
// invalid; then nothing runs.
func Serve(ctx context.Context, redisURL string, hints Hinter, log *slog.Logger, workers ...Worker) (*Server, error) {
	ctx, end := context.WithCancel(ctx)
	s := &Server{end: end}
	for _, w := range workers {
		r := runner{Worker: w, plan: w.Plan(), hints: hints}
		server, err := queue.NewServer(queue.Options{RedisURL: redisURL, Kind: r.plan.Kind, Concurrency: max(1, r.plan.Concurrency), PollEvery: r.plan.Poll,
			Handle: func(task context.Context, id uuid.UUID) { r.handle(ctx, task, id) }, Log: log})
		if err == nil {
			err = server.Start()
		}
		if err != nil {
			s.Stop()
			return nil, err
		}
		s.queues = append(s.queues, server)
		s.sweeps.Go(func() { r.sweep(ctx) })
	}
	return s, nil
}

// Stop releases the rows that are being worked on, and returns when all are released. The
// queues stop at the same time, because each ends only after the pause between two polls.
func (s *Server) Stop() {
	s.end()
	var stops sync.WaitGroup
	for _, q := range s.queues {
		stops.Go(q.Stop)
	}
	stops.Wait()
	s.sweeps.Wait()
}

// runner runs the jobs of one worker.
type runner struct {
	Worker
	plan  Plan
	hints Hinter
}

// handle runs a job under both the task's context, which asynq ends only after its timeout,
// and the process's context, which ends at shutdown. It returns nothing: the row holds the
// outcome. A row that was released is enqueued for another worker; without Redis the sweep
// finds it a second later.
func (r runner) handle(process, task context.Context, id uuid.UUID) {
	ctx, cancel := context.WithCancel(task)
	defer cancel()
	defer context.AfterFunc(process, cancel)()
	err := Run(ctx, r.Worker, id)
	if err == nil || errs.Is(err, errs.LeaseLost) || errs.Is(err, errs.NotFound) {
		return // a stale hint, or another worker holds the row
	}
	if process.Err() == nil {
		return
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(process), hintTime)
	defer cancel()
	if err := r.hints.Enqueue(last, r.plan.Kind, id); err != nil {
		r.plan.Log.WarnContext(last, "hint", "kind", r.plan.Name, "id", id, "error", err)
	}
}

// sweep enqueues a new hint for each row that no worker holds, until ctx ends. After an
// error it tries again at the next tick.
func (r runner) sweep(ctx context.Context) {
	for range tick.Every(ctx, sweepEvery) {
		if err := r.enqueueDue(ctx); err != nil && ctx.Err() == nil {
			r.plan.Log.WarnContext(ctx, "sweep", "kind", r.plan.Name, "error", err)
		}
	}
}

func (r runner) enqueueDue(ctx context.Context) error {
	ids, err := r.Due(ctx, sweepBatch)
	if err != nil {
		return err
	}
	for _, id := range ids {
		r.plan.Log.DebugContext(ctx, "hint again", "kind", r.plan.Name, "id", id)
		if err := r.hints.Enqueue(ctx, r.plan.Kind, id); err != nil {
			return err
		}
	}
	return nil
}
