package work_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/work"
	"vigueur/internal/work/queue"
	"vigueur/internal/work/queue/redistest"
)

// copies is a complete kind of job for this test: rows in memory that are copied.
type copies struct {
	mu      sync.Mutex
	queued  map[uuid.UUID]bool // true: the sweep may enqueue the row
	ends    []work.Outcome
	failing bool          // the store of copies is down
	begun   chan struct{} // receives once for each attempt
	finish  chan struct{} // attempts end when it is closed
}

func newCopies() *copies {
	return &copies{queued: map[uuid.UUID]bool{}, begun: make(chan struct{}, 100), finish: make(chan struct{})}
}

var copying = queue.Kind{Name: "copy", Queue: "copies", Task: "copy:run", Limit: time.Minute}

func (c *copies) Plan() work.Plan {
	return work.Plan{Kind: copying, Concurrency: 2, Poll: 5 * time.Millisecond,
		Backoff: func(int) time.Duration { return 0 }, Log: slog.New(slog.DiscardHandler)}
}

func (c *copies) Due(context.Context, int) (ids []uuid.UUID, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failing {
		return nil, errs.New(errs.Unavailable, "")
	}
	for id, due := range c.queued {
		if due {
			ids = append(ids, id)
			c.queued[id] = false
		}
	}
	return ids, nil
}

func (c *copies) Lease(_ context.Context, id uuid.UUID) (work.Job, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, waits := c.queued[id]; !waits {
		return nil, errs.New(errs.LeaseLost, "")
	}
	delete(c.queued, id)
	return &copyJob{c, id}, nil
}

// copyJob is one attempt at a copy.
type copyJob struct {
	*copies
	id uuid.UUID
}

func (j *copyJob) Row() work.Row                           { return work.Row{ID: j.id, Attempt: 1} }
func (j *copyJob) Renew(context.Context) (stop, err error) { return nil, nil }
func (j *copyJob) Attrs() []slog.Attr                      { return nil }

func (j *copyJob) Work(ctx context.Context) error {
	j.begun <- struct{}{}
	select {
	case <-j.finish:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (j *copyJob) Conclude(_ context.Context, end work.End) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.ends = append(j.ends, end.Outcome); end.Outcome != work.Done {
		j.queued[j.id] = false // the process that released the row enqueues the hint
	}
	return nil
}

func (c *copies) outcomes() []work.Outcome {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]work.Outcome(nil), c.ends...)
}

func serve(t *testing.T, ctx context.Context, url string, c *copies) (*work.Server, *queue.Client) { //nolint:revive // the test comes first
	t.Helper()
	hints, err := queue.NewClient(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = hints.Close() })
	s, err := work.Serve(ctx, url, hints, slog.New(slog.DiscardHandler), c)
	if err != nil {
		t.Fatal(err)
	}
	return s, hints
}

func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(3 * time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

func TestAnotherKindOfWorkIsOneWorker(t *testing.T) {
	t.Parallel()
	redis := redistest.New(t)
	c, hinted, swept := newCopies(), uuid.New(), uuid.New()
	c.queued[hinted], c.queued[swept] = false, true
	close(c.finish)
	c.failing = true // the sweep asks a store that is down again
	s, hints := serve(t, t.Context(), redis.URL(), c)
	defer s.Stop()
	if err := hints.Enqueue(t.Context(), copying, hinted); err != nil {
		t.Fatal(err)
	}
	<-c.begun
	c.mu.Lock()
	c.failing = false
	c.mu.Unlock()
	<-c.begun // the attempt at the row that only the sweep knows
	await(t, "both are done", func() bool { return len(c.outcomes()) == 2 })
	if n, err := hints.Workers(copying.Queue); err != nil || n != 1 {
		t.Errorf("%d workers, %v", n, err)
	}
}

func TestStoppedProcessHandsItsWorkOn(t *testing.T) {
	t.Parallel()
	redis := redistest.New(t)
	c, id := newCopies(), uuid.New()
	c.queued[id] = false
	ctx, stop := context.WithCancel(t.Context())
	s, hints := serve(t, ctx, redis.URL(), c)
	if err := hints.Enqueue(t.Context(), copying, id); err != nil {
		t.Fatal(err)
	}
	<-c.begun
	stop()
	s.Stop()
	// The process itself may receive the hint before it has stopped; then the row is
	// released once more.
	ends := c.outcomes()
	for _, end := range ends {
		if end != work.Released {
			t.Fatalf("ended %v", ends)
		}
	}
	if len(ends) == 0 {
		t.Fatal("not given back")
	}
	other, _ := serve(t, t.Context(), redis.URL(), c) // the sweep does not find the row: the first process has enqueued the hint
	defer other.Stop()
	<-c.begun
	close(c.finish)
	await(t, "the other has done it", func() bool { all := c.outcomes(); return all[len(all)-1] == work.Done })
}

func TestNothingRunsOfTheRestWhenOneCannot(t *testing.T) {
	t.Parallel()
	if _, err := work.Serve(t.Context(), "http://ailleurs", nil, slog.New(slog.DiscardHandler), newCopies()); !errs.Is(err, errs.Invalid) {
		t.Errorf("Serve: %v", err)
	}
}

func TestWorkBeginsWhenRedisComes(t *testing.T) {
	t.Parallel()
	redis := redistest.New(t)
	redis.Stop()
	c, id := newCopies(), uuid.New()
	c.queued[id] = true
	close(c.finish)
	s, _ := serve(t, t.Context(), redis.URL(), c)
	defer s.Stop()
	if err := redis.Start(); err != nil {
		t.Fatal(err)
	}
	c.mu.Lock()
	c.queued[id] = true // the hint was lost, and the row may be enqueued again
	c.mu.Unlock()
	await(t, "it is done", func() bool { return len(c.outcomes()) == 1 })
}
