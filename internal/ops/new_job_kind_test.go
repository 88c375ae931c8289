package ops_test

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/ops/observe"
	"vigueur/internal/work"
	"vigueur/internal/work/queue"
	"vigueur/internal/work/queue/redistest"
)

// reminders is a kind of job that the service does not have. Nothing outside this file
// names it. A channel takes the place of its table.
type reminders struct {
	waiting chan uuid.UUID
	sent    chan uuid.UUID
	log     *slog.Logger
}

var reminding = queue.Kind{Name: "reminder", Queue: "reminders", Task: "reminder:run", Limit: time.Minute, Label: "rappels", Late: time.Hour}

func (r *reminders) Plan() work.Plan {
	return work.Plan{Kind: reminding, Poll: 5 * time.Millisecond, Backoff: func(int) time.Duration { return time.Second }, Log: r.log}
}

func (r *reminders) Due(context.Context, int) (ids []uuid.UUID, err error) {
	select {
	case id := <-r.waiting:
		return []uuid.UUID{id}, nil
	default:
		return nil, nil
	}
}

func (r *reminders) Lease(_ context.Context, id uuid.UUID) (work.Job, error) {
	return &reminder{id, r.sent}, nil
}

type reminder struct {
	id   uuid.UUID
	sent chan uuid.UUID
}

func (r *reminder) Row() work.Row                                { return work.Row{ID: r.id, Attempt: 1} }
func (r *reminder) Renew(context.Context) (stop, err error)      { return nil, nil }
func (r *reminder) Work(context.Context) error                   { return nil }
func (r *reminder) Conclude(_ context.Context, _ work.End) error { r.sent <- r.id; return nil }
func (r *reminder) Attrs() []slog.Attr                           { return nil }

// TestKindsAreNamed checks the names of kinds that operators read.
func TestKindsAreNamed(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../docs/operating/trouble.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range queue.Kinds() {
		if !strings.Contains(string(manual), "`"+k.Name+"`") {
			t.Errorf("docs/operating/trouble.md does not name %q", k.Name)
		}
		if k.Label == "" {
			t.Errorf("%q has no label", k.Name)
		}
	}
}

// TestANewKindOfJob runs a kind of job that only this file knows: the sweep finds its
// row, its own queue carries the hint, and metrics count it.
func TestANewKindOfJob(t *testing.T) {
	t.Parallel()
	redis := redistest.New(t)
	registry := observe.NewRegistry()
	kinds := append(queue.Kinds(), reminding)
	log := observe.Counting(slog.New(slog.DiscardHandler), registry, observe.Worker, kinds...)
	hints, err := queue.NewClient(redis.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = hints.Close() })
	if n, err := hints.Workers(reminding.Queue); err != nil || n != 0 {
		t.Fatalf("before a worker runs, %d read its queue: %v", n, err)
	}

	r := &reminders{waiting: make(chan uuid.UUID, 1), sent: make(chan uuid.UUID, 1), log: log}
	server, err := work.Serve(t.Context(), redis.URL(), hints, log, r)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	id := uuid.New()
	r.waiting <- id
	if got := <-r.sent; got != id {
		t.Errorf("did %v, want %v", got, id)
	}
	if n, err := hints.Workers(reminding.Queue); err != nil || n != 1 {
		t.Errorf("beside a worker, %d read its queue: %v", n, err)
	}
	server.Stop() // the attempt was logged before
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	done := 0.0
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == "vigueur_jobs_total" && strings.Contains(m.String(), `"reminder"`) && strings.Contains(m.String(), `"done"`) {
				done = m.GetCounter().GetValue()
			}
		}
	}
	if done != 1 {
		t.Errorf("metrics count %v reminders that are done", done)
	}
}
