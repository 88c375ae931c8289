package ratelimit

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }

// open connects to Redis as a separate process does.
func open(t *testing.T) *Store {
	t.Helper()
	url := os.Getenv("VIGUEUR_TEST_REDIS_URL")
	if url == "" {
		t.Skip("VIGUEUR_TEST_REDIS_URL is not set: scripts/test starts a Redis and sets it")
	}
	s, err := Open(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// newLimiter returns a limit of 5 in 5 minutes that no other test uses.
func newLimiter(t *testing.T) *Limiter {
	return &Limiter{Store: open(t), Name: "test-" + uuid.NewString(), Limit: 5, Window: 5 * time.Minute}
}

// age makes the counted events and the reservations of key older by d, so that no test has
// to wait.
func age(t *testing.T, l *Limiter, key string, d time.Duration) {
	t.Helper()
	for _, k := range l.keys(key) {
		ids, err := l.Store.redis.ZRange(t.Context(), k, 0, -1).Result()
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if err := l.Store.redis.ZIncrBy(t.Context(), k, -float64(d.Milliseconds()), id).Err(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func begin(t *testing.T, l *Limiter, key string) *Event {
	t.Helper()
	e, err := l.Begin(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func count(t *testing.T, l *Limiter, key string, times int) Quota {
	t.Helper()
	var q Quota
	for range times {
		var err error
		if q, err = begin(t, l, key).Count(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return q
}

func refusal(t *testing.T, l *Limiter, key string) Quota {
	t.Helper()
	_, err := l.Begin(t.Context(), key)
	var r *Refused
	if !errors.As(err, &r) || !errs.Is(err, errs.TooMany) {
		t.Fatalf("Begin: %v, want a refusal", err)
	}
	return r.Quota
}

func TestLimitIsReachedAndSlides(t *testing.T) {
	t.Parallel()
	l := newLimiter(t)
	if q := begin(t, l, "a").Quota(); q != (Quota{Limit: 5, Remaining: 5, Reset: 5 * time.Minute}) {
		t.Errorf("at first: %+v", q)
	}
	count(t, l, "b", 3)
	age(t, l, "b", 2*time.Minute)
	if q := count(t, l, "b", 2); q.Remaining != 0 || q.Reset > 3*time.Minute || q.Reset < 3*time.Minute-10*time.Second {
		t.Errorf("after five: %+v, want 0 left and 3 minutes", q)
	}
	if q := refusal(t, l, "b"); q.Limit != 5 || q.Remaining != 0 || q.Reset > 3*time.Minute || q.Reset <= 0 {
		t.Errorf("refused with %+v", q)
	}
	begin(t, l, "c") // other keys are not affected
	age(t, l, "b", 3*time.Minute)
	if q := begin(t, l, "b").Quota(); q.Remaining != 3 {
		t.Errorf("when three have left the window: %+v", q)
	}
}

func TestWhatIsForgottenDoesNotCount(t *testing.T) {
	t.Parallel()
	l := newLimiter(t)
	count(t, l, "a", 4)
	for range 10 {
		e := begin(t, l, "a")
		if err := e.Forget(t.Context()); err != nil {
			t.Fatal(err)
		}
		if q, err := e.Count(t.Context()); err != nil || q.Remaining != 1 {
			t.Fatalf("counted after it was forgotten: %+v, %v", q, err)
		}
	}
	e := begin(t, l, "a")
	for range 2 {
		if q, err := e.Count(t.Context()); err != nil || q.Remaining != 0 {
			t.Errorf("count: %+v, %v", q, err)
		}
	}
}

// Concurrent events in several processes are counted exactly up to the limit, in whatever
// order they come.
func TestLimitIsExactAtOnce(t *testing.T) {
	t.Parallel()
	l := newLimiter(t)
	servers := []*Limiter{l}
	for range 3 {
		servers = append(servers, &Limiter{Store: open(t), Name: l.Name, Limit: l.Limit, Window: l.Window})
	}
	var counted, refusals atomic.Int32
	var wg sync.WaitGroup
	for i := range 80 {
		wg.Go(func() {
			e, err := servers[i%len(servers)].Begin(t.Context(), "a")
			switch {
			case errs.Is(err, errs.TooMany):
				refusals.Add(1)
			case err != nil:
				t.Error(err)
			case i%4 == 0: // these events do not count
				if err := e.Forget(t.Context()); err != nil {
					t.Error(err)
				}
			default:
				if _, err := e.Count(t.Context()); err != nil {
					t.Error(err)
				}
				counted.Add(1)
			}
		})
	}
	wg.Wait()
	if counted.Load() != 5 || refusals.Load() == 0 {
		t.Errorf("%d counted and %d refused, want exactly 5 counted", counted.Load(), refusals.Load())
	}
}

// Fifty concurrent events that are all forgotten are all allowed, because they wait for one
// another.
func TestOpenEventsRefuseNobody(t *testing.T) {
	t.Parallel()
	l := newLimiter(t)
	var wg sync.WaitGroup
	for range mostWaiting * l.Limit {
		wg.Go(func() {
			e, err := l.Begin(t.Context(), "a")
			if err != nil {
				t.Error(err)
				return
			}
			if err := e.Forget(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestWaitingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	l := newLimiter(t)
	for range 5 {
		begin(t, l, "a")
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { _, err := l.Begin(ctx, "a"); done <- err }()
	cancel()
	if err := <-done; !errs.Is(err, errs.Unavailable) {
		t.Errorf("Begin: %v, want Unavailable", err)
	}
}

func TestAProcessThatDiedGivesItsPlaceBack(t *testing.T) {
	t.Parallel()
	l := newLimiter(t)
	var lost *Event
	for range 5 {
		lost = begin(t, l, "a")
	}
	age(t, l, "a", Hold)
	count(t, l, "a", 5)
	if q, err := lost.Count(t.Context()); err != nil || q.Remaining != 0 {
		t.Errorf("a late count: %+v, %v", q, err)
	}
	if n := l.Store.redis.ZCard(t.Context(), l.keys("a")[0]).Val(); n != 5 {
		t.Errorf("%d counted, want 5: a place was given twice", n)
	}
}

func TestKeysExpire(t *testing.T) {
	t.Parallel()
	l := newLimiter(t)
	count(t, l, "a", 1)
	begin(t, l, "a")
	for i, most := range []time.Duration{l.Window, Hold} {
		if ttl := l.Store.redis.PTTL(t.Context(), l.keys("a")[i]).Val(); ttl <= 0 || ttl > most {
			t.Errorf("key %s lives for %v", l.keys("a")[i], ttl)
		}
	}
}

func TestRedisDown(t *testing.T) {
	t.Parallel()
	s, err := Open("redis://127.0.0.1:1/0")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l := &Limiter{Store: s, Name: "x", Limit: 5, Window: time.Minute}
	if _, err := l.Begin(t.Context(), "a"); !errs.Is(err, errs.Unavailable) {
		t.Errorf("Begin: %v, want Unavailable", err)
	}
	if _, err := Open("http://example.org"); !errs.Is(err, errs.Invalid) {
		t.Errorf("Open: %v, want Invalid", err)
	}
}

func TestSpell(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		time.Millisecond: "une seconde", 1500 * time.Millisecond: "2 secondes", 119 * time.Second: "119 secondes",
		2 * time.Minute: "2 minutes", 241 * time.Second: "5 minutes",
	} {
		if got := inFrench(d); got != want {
			t.Errorf("inFrench(%v) = %q, want %q", d, got, want)
		}
	}
}

// Of those who wait for a place, so many may wait; one more is refused at once.
func TestWaitingEventsAreBounded(t *testing.T) {
	t.Parallel()
	l := newLimiter(t)
	open := make([]*Event, l.Limit)
	for i := range open {
		open[i] = begin(t, l, "k")
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var crowd sync.WaitGroup
	var refused, left atomic.Int64
	most := mostWaiting * l.Limit
	for range most + 7 {
		crowd.Go(func() {
			_, err := l.Begin(ctx, "k")
			var r *Refused
			switch {
			case errors.As(err, &r) && r.Quota.Reset == time.Second && errs.Is(err, errs.TooMany):
				refused.Add(1)
			case errs.Is(err, errs.Unavailable):
				left.Add(1) // with its client
			default:
				t.Errorf("begun, or %v", err)
			}
		})
	}
	for refused.Load() < 7 {
		time.Sleep(time.Millisecond)
	}
	if _, err := l.Begin(ctx, "another"); err != nil {
		t.Errorf("another key: %v", err)
	}
	cancel()
	crowd.Wait()
	if refused.Load() != 7 || left.Load() != int64(most) {
		t.Errorf("%d were refused, %d waited", refused.Load(), left.Load())
	}
	if n := len(l.Store.waiting); n != 0 {
		t.Errorf("%d keys are still waited for", n)
	}
	if err := open[0].Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	begin(t, l, "k")
}

func TestWiderLimits(t *testing.T) {
	t.Parallel()
	l := newLimiter(t)
	for steps, limit := range []int{5, 40, 320} {
		w := l.Wider(steps)
		if w.Limit != limit || w.Window != l.Window || w.Store != l.Store || (steps > 0) == (w.Name == l.Name) {
			t.Errorf("%d steps wider: %+v", steps, w)
		}
	}
	count(t, l, "k", 5)
	refusal(t, l, "k")
	begin(t, l.Wider(1), "k") // a limit of its own
}
