package queue_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/leak"
	"vigueur/internal/work/queue"
	"vigueur/internal/work/queue/redistest"
)

func TestMain(m *testing.M) { leak.Main(m) }

var quiet = slog.New(slog.DiscardHandler)

func client(t *testing.T, url string) *queue.Client {
	t.Helper()
	c, err := queue.NewClient(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func serve(t *testing.T, o queue.Options) *queue.Server {
	t.Helper()
	o.Log, o.PollEvery = quiet, 5*time.Millisecond
	s, err := queue.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

func receive(t *testing.T, ids <-chan uuid.UUID) uuid.UUID {
	t.Helper()
	select {
	case id := <-ids:
		return id
	case <-time.After(3 * time.Minute):
		t.Fatal("no task comes")
	}
	return uuid.Nil
}

func TestTaskReachesTheServerOfItsKind(t *testing.T) {
	t.Parallel()
	redis := redistest.New(t)
	c := client(t, redis.URL())
	answers, ingestions, notifications := make(chan uuid.UUID, 10), make(chan uuid.UUID, 10), make(chan uuid.UUID, 10)
	for kind, ids := range map[queue.Kind]chan uuid.UUID{queue.Answers: answers, queue.Ingestions: ingestions, queue.Notifications: notifications} {
		s := serve(t, queue.Options{RedisURL: redis.URL(), Kind: kind, Concurrency: 2,
			Handle: func(_ context.Context, id uuid.UUID) { ids <- id }})
		t.Cleanup(s.Stop)
	}
	a, i, m := uuid.New(), uuid.New(), uuid.New()
	if err := c.Enqueue(t.Context(), queue.Answers, a); err != nil {
		t.Fatal(err)
	}
	if err := c.Enqueue(t.Context(), queue.Ingestions, i); err != nil {
		t.Fatal(err)
	}
	if err := c.Enqueue(t.Context(), queue.Notifications, m); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, notifications); got != m {
		t.Errorf("notification %v, want %v", got, m)
	}
	if got := receive(t, answers); got != a {
		t.Errorf("answer %v, want %v", got, a)
	}
	if got := receive(t, ingestions); got != i {
		t.Errorf("ingestion %v, want %v", got, i)
	}
	if n, err := c.Workers(queue.Answers.Queue); err != nil || n != 1 {
		t.Errorf("%d workers, %v", n, err)
	}
}

func TestTasksOverTLS(t *testing.T) {
	t.Parallel()
	url := redistest.NewTLS(t).URL()
	c, ids := client(t, url), make(chan uuid.UUID, 1)
	s := serve(t, queue.Options{RedisURL: url, Kind: queue.Answers, Concurrency: 1, Handle: func(_ context.Context, id uuid.UUID) { ids <- id }})
	defer s.Stop()
	id := uuid.New()
	if err := c.Enqueue(t.Context(), queue.Answers, id); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, ids); got != id {
		t.Errorf("%v, want %v", got, id)
	}
	if n, err := c.Workers(queue.Answers.Queue); err != nil || n != 1 {
		t.Errorf("%d workers, %v", n, err)
	}
}

func TestPanicDoesNotEndTheServer(t *testing.T) {
	t.Parallel()
	redis := redistest.New(t)
	c := client(t, redis.URL())
	bad, ids := uuid.New(), make(chan uuid.UUID, 2)
	s := serve(t, queue.Options{RedisURL: redis.URL(), Kind: queue.Answers, Concurrency: 1, Handle: func(_ context.Context, id uuid.UUID) {
		ids <- id
		if id == bad {
			panic("a defect")
		}
	}})
	defer s.Stop()
	good := uuid.New()
	for _, id := range []uuid.UUID{bad, good} {
		if err := c.Enqueue(t.Context(), queue.Answers, id); err != nil {
			t.Fatal(err)
		}
	}
	receive(t, ids)
	if got := receive(t, ids); got != good {
		t.Errorf("after a panic came %v, want %v", got, good)
	}
}

func TestTwoHintsForOneRowBothPass(t *testing.T) {
	t.Parallel()
	redis := redistest.New(t)
	c := client(t, redis.URL())
	id := uuid.New()
	for range 2 {
		if err := c.Enqueue(t.Context(), queue.Answers, id); err != nil {
			t.Fatalf("the sweep's hint is refused: %v", err)
		}
	}
}

func TestDownRedisIsUnavailable(t *testing.T) {
	t.Parallel()
	redis := redistest.New(t)
	c := client(t, redis.URL())
	redis.Stop()
	for name, err := range map[string]error{"enqueue": c.Enqueue(t.Context(), queue.Answers, uuid.New()), "ping": c.Ping(t.Context())} {
		if !errs.Is(err, errs.Unavailable) {
			t.Errorf("%s: %v, want unavailable", name, err)
		}
	}
	if _, err := queue.NewClient("http://ailleurs"); !errs.Is(err, errs.Invalid) {
		t.Errorf("a wrong address: %v", err)
	}
}
