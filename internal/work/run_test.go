package work_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/leak"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
	"vigueur/internal/work/queue"
)

func TestMain(m *testing.M) { leak.Main(m) }

// row is a job controlled by the test; it records what was written to the row.
type row struct {
	failures int
	do       func(ctx context.Context) error
	renew    error // error of its renewals
	stop     error
	settle   error         // error of its last write
	slow     time.Duration // of its last write
	renewals int
	settled  []work.End
	excused  int
	watchers []func(context.Context, context.CancelCauseFunc)
}

func (r *row) Row() work.Row {
	return work.Row{ID: uuid.New(), Attempt: 3, Failures: r.failures}
}
func (r *row) Renew(context.Context) (stop, err error) { r.renewals++; return r.stop, r.renew }
func (r *row) Work(ctx context.Context) error          { return r.do(ctx) }
func (r *row) Attrs() []slog.Attr                      { return []slog.Attr{slog.Int("pages", 7)} }
func (r *row) Excuse(context.Context) error            { r.excused++; return nil }
func (r *row) Watchers() []func(context.Context, context.CancelCauseFunc) {
	return r.watchers
}

func (r *row) Conclude(ctx context.Context, end work.End) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-time.After(r.slow):
	case <-ctx.Done():
		return ctx.Err()
	}
	r.settled = append(r.settled, end)
	return r.settle
}

// only is a Worker that leases one job.
type only struct {
	job   work.Job // nil: there is no row to lease
	tries int
	log   *slog.Logger
}

func (o only) Plan() work.Plan {
	return work.Plan{Kind: queue.Kind{Name: "essai"}, Tries: o.tries, Log: o.log,
		Backoff: func(failures int) time.Duration { return time.Duration(failures) * time.Second }}
}
func (o only) Due(context.Context, int) ([]uuid.UUID, error) { return nil, nil }
func (o only) Lease(context.Context, uuid.UUID) (work.Job, error) {
	if o.job == nil {
		return nil, errs.New(errs.LeaseLost, "")
	}
	return o.job, nil
}

func ends(err error) func(context.Context) error {
	return func(context.Context) error { return err }
}

// waits works until its context ends, and then returns an error other than the context's.
func waits(ctx context.Context) error {
	<-ctx.Done()
	return errors.New("interrupted")
}

func TestHowAnAttemptEnds(t *testing.T) {
	t.Parallel()
	down, broken := errs.New(errs.Unavailable, ""), errs.New(errs.Unprocessable, "")
	for name, c := range map[string]struct {
		row   row
		tries int
		stop  bool // the process must end
		want  work.Outcome
		after time.Duration
		kind  errs.Kind // kind of Run's error
		none  bool      // Run returns no error
	}{
		"done":                        {row: row{do: ends(nil)}, want: work.Done, none: true},
		"a store is down":             {row: row{do: ends(down), failures: 1}, tries: 3, want: work.PutBack, after: 2 * time.Second, kind: errs.Unavailable},
		"down once too often":         {row: row{do: ends(down), failures: 2}, tries: 3, want: work.Failed, kind: errs.Unavailable},
		"down for ever":               {row: row{do: ends(down), failures: 99}, want: work.PutBack, after: 100 * time.Second, kind: errs.Unavailable},
		"never to succeed":            {row: row{do: ends(broken)}, tries: 3, want: work.Failed, kind: errs.Unprocessable},
		"never, but never given up":   {row: row{do: ends(broken)}, want: work.PutBack, after: time.Second, kind: errs.Unprocessable},
		"a panic":                     {row: row{do: func(context.Context) error { panic("a defect") }}, tries: 3, want: work.Failed, kind: errs.Internal},
		"the process ends":            {row: row{do: waits}, tries: 3, stop: true, want: work.Released, kind: errs.Cancelled},
		"done as the process ends":    {row: row{do: func(ctx context.Context) error { <-ctx.Done(); return nil }}, stop: true, want: work.Done, none: true},
		"somebody asks":               {row: row{do: waits, stop: work.ErrCancelled}, tries: 3, want: work.Cancelled, none: true},
		"somebody asked before":       {row: row{do: ends(work.ErrCancelled)}, tries: 3, want: work.Cancelled, none: true},
		"its own call is given up":    {row: row{do: ends(context.Canceled)}, tries: 3, want: work.Failed, kind: errs.Cancelled},
		"its own call takes too long": {row: row{do: ends(context.DeadlineExceeded)}, tries: 3, want: work.PutBack, after: time.Second, kind: errs.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				if c.stop {
					time.AfterFunc(time.Second, stop)
				}
				err := work.Run(ctx, only{&c.row, c.tries, slog.New(slog.DiscardHandler)}, uuid.New())
				if (err == nil) != c.none || err != nil && errs.KindOf(err) != c.kind {
					t.Errorf("Run: %v", err)
				}
				if len(c.row.settled) != 1 || c.row.settled[0].Outcome != c.want || c.row.settled[0].After != c.after {
					t.Fatalf("settled %+v, want %s after %v", c.row.settled, c.want, c.after)
				}
				if failed := c.want == work.PutBack || c.want == work.Failed; failed != (c.row.settled[0].Err != nil) || c.row.excused != 0 {
					t.Errorf("why: %v, excused %d times", c.row.settled[0].Err, c.row.excused)
				}
			})
		})
	}
}

func TestLostLeaseWritesNothingAndIsExcused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		row     row
		tries   int
		settled int
		excused int
	}{
		"noticed by a renewal":       {row{do: waits, renew: errs.New(errs.LeaseLost, "")}, 3, 0, 1},
		"noticed by the work":        {row{do: ends(errs.New(errs.LeaseLost, ""))}, 3, 0, 1},
		"noticed by the last write":  {row{do: ends(nil), settle: errs.New(errs.LeaseLost, "")}, 3, 1, 1},
		"as often as it may fail":    {row{do: waits, renew: errs.New(errs.LeaseLost, ""), failures: 2}, 3, 0, 0},
		"the store is away for long": {row{do: waits, renew: errs.New(errs.Unavailable, "")}, 3, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				if err := work.Run(t.Context(), only{&c.row, c.tries, slog.New(slog.DiscardHandler)}, uuid.New()); !errs.Is(err, errs.LeaseLost) {
					t.Errorf("Run: %v", err)
				}
				if len(c.row.settled) != c.settled || c.row.excused != c.excused {
					t.Errorf("settled %+v, excused %d times", c.row.settled, c.row.excused)
				}
			})
		})
	}
}

func TestLastWriteThatFailsIsToldAndExcused(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	r := row{do: ends(nil), settle: errs.New(errs.Unavailable, "")}
	err := work.Run(t.Context(), only{&r, 3, slog.New(slog.NewJSONHandler(&log, nil))}, uuid.New())
	if !errs.Is(err, errs.Unavailable) || r.excused != 1 {
		t.Errorf("Run: %v, excused %d times", err, r.excused)
	}
	for _, want := range []string{`"level":"ERROR","msg":"essai"`, `"outcome":"done"`, `"attempt":3`, `"pages":7`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s: %s", want, &log)
		}
	}
}

// A watcher can end the work long before the next renewal of the lease.
func TestWatcherEndsTheWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, began := row{do: waits}, time.Now()
		r.watchers = append(r.watchers, func(_ context.Context, stop context.CancelCauseFunc) { stop(work.ErrCancelled) })
		if err := work.Run(t.Context(), only{&r, 3, slog.New(slog.DiscardHandler)}, uuid.New()); err != nil || len(r.settled) != 1 || r.settled[0].Outcome != work.Cancelled || time.Since(began) >= postgres.Renew {
			t.Errorf("Run: %v, settled %+v after %v", err, r.settled, time.Since(began))
		}
	})
}

// What was done is not lost because the store is slow at the end; a process that must end does not wait for it.
func TestLastWriteMayBeSlow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stop bool
		took time.Duration
		kept bool
	}{"the process goes on": {false, 20 * time.Second, true}, "the process ends": {true, 6 * time.Second, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				if c.stop {
					time.AfterFunc(time.Second, stop)
				}
				r, began := row{do: ends(nil), slow: 20 * time.Second}, time.Now()
				err := work.Run(ctx, only{&r, 3, slog.New(slog.DiscardHandler)}, uuid.New())
				if took := time.Since(began); (err == nil) != c.kept || len(r.settled) == 1 != c.kept || took != c.took {
					t.Errorf("Run: %v, settled %+v after %v", err, r.settled, took)
				}
				if c.kept && r.renewals < int(c.took/postgres.Renew)-1 {
					t.Errorf("renewed %d times", r.renewals)
				}
			})
		})
	}
}

func TestNothingToTakeUp(t *testing.T) {
	t.Parallel()
	if err := work.Run(t.Context(), only{}, uuid.New()); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("Run: %v", err)
	}
}
