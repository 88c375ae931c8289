package work

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/errs"
	"vigueur/internal/queue"
)

const (
	// sweepEvery is how often rows without a worker are looked for.
	sweepEvery = time.Second
	// sweepBatch is how many rows of a class one look hands out.
	sweepBatch = 100
	// hintTime is how long the hint for a row that was given back may take.
	hintTime = 2 * time.Second
)

// Hinter puts a hint into the queue of a class: *queue.Client.
type Hinter interface {
	Enqueue(ctx context.Context, class queue.Class, id uuid.UUID) error
}

// Server works on the rows of some classes.
type Server struct {
	queues []*queue.Server
	sweeps sync.WaitGroup
	end    context.CancelFunc
}

// Serve begins to work on the rows of classes, each with a queue server and a sweep
// of its own, so that none waits for another. When ctx ends, the rows at work are
// given back. A Redis that is down is waited for, as long as it takes; an error says
// that its address is none, and nothing runs.
func Serve(ctx context.Context, redisURL string, hints Hinter, log *slog.Logger, classes ...Class) (*Server, error) {
	ctx, end := context.WithCancel(ctx)
	s := &Server{end: end}
	for _, c := range classes {
		server, err := queue.NewServer(queue.Options{RedisURL: redisURL, Class: c.Queue, Concurrency: c.Concurrency, PollEvery: c.Poll,
			Handle: func(task context.Context, id uuid.UUID) { c.handle(ctx, task, id, hints) }, Log: log})
		if err == nil {
			err = server.Start()
		}
		if err != nil {
			s.Stop()
			return nil, err
		}
		s.queues = append(s.queues, server)
		s.sweeps.Go(func() { c.sweep(ctx, hints) })
	}
	return s, nil
}

// Stop lets the rows at work be given back, and ends when they are.
func (s *Server) Stop() {
	s.end()
	for _, q := range s.queues {
		q.Stop()
	}
	s.sweeps.Wait()
}

// handle runs a row under both the task's context and the process's: asynq ends
// the first after its time-out only, the second ends when the process is told to.
// It returns nothing: the row holds the outcome. A row that was given back is sent
// to another worker; without Redis the sweep finds it a second later.
func (c Class) handle(process, task context.Context, id uuid.UUID, hints Hinter) {
	ctx, cancel := context.WithCancel(task)
	defer cancel()
	defer context.AfterFunc(process, cancel)()
	err := c.Run(ctx, id)
	if err == nil || errs.Is(err, errs.LeaseLost) || errs.Is(err, errs.NotFound) {
		return // a stale hint, or another worker's
	}
	if process.Err() == nil {
		return
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(process), hintTime)
	defer cancel()
	if err := hints.Enqueue(last, c.Queue, id); err != nil {
		c.Log.WarnContext(last, "hint", "kind", c.Name, "id", id, "error", err)
	}
}

// sweep gives a new hint for each row that no worker holds, until ctx ends. A store
// that is down is asked again.
func (c Class) sweep(ctx context.Context, hints Hinter) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := c.handOut(ctx, hints); err != nil && ctx.Err() == nil {
				c.Log.WarnContext(ctx, "sweep", "kind", c.Name, "error", err)
			}
		}
	}
}

func (c Class) handOut(ctx context.Context, hints Hinter) error {
	ids, err := c.Due(ctx, sweepBatch)
	if err != nil {
		return err
	}
	for _, id := range ids {
		c.Log.DebugContext(ctx, "hint again", "kind", c.Name, "id", id)
		if err := hints.Enqueue(ctx, c.Queue, id); err != nil {
			return err
		}
	}
	return nil
}
