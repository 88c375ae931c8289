package ratelimit

import (
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"vigueur/internal/kit/errs"
)

// elsewhere returns the same allowance as another process would.
func elsewhere(t *testing.T, a *Allowance) *Allowance {
	t.Helper()
	return &Allowance{Store: open(t), Name: a.Name}
}

func newAllowance(t *testing.T) *Allowance {
	t.Helper()
	return &Allowance{Store: open(t), Name: uuid.NewString()}
}

func (a *Allowance) keysOf(key string) (minute, day string) {
	stem := "vigueur:allowance:{" + a.Name + ":" + key + "}:"
	return stem + "minute", stem + "day"
}

// Of a hundred concurrent calls to three processes, exactly as many succeed as the limit
// allows.
func TestAnAllowanceIsExactOverServers(t *testing.T) {
	t.Parallel()
	a := newAllowance(t)
	servers := []*Allowance{a, elsewhere(t, a), elsewhere(t, a)}
	var passed, refused atomic.Int64
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			_, err := servers[i%len(servers)].Take(t.Context(), "k", 37, 1000)
			var r *Refused
			switch {
			case err == nil:
				passed.Add(1)
			case errors.As(err, &r) && errs.Is(err, errs.TooMany) && r.Quota.Limit == 37 && r.Quota.Remaining == 0 && r.Quota.Reset > 0 && r.Quota.Reset <= MinuteWindow:
				refused.Add(1)
			default:
				t.Errorf("%v", err)
			}
		})
	}
	all.Wait()
	if passed.Load() != 37 || refused.Load() != 63 {
		t.Errorf("%d passed, %d were refused", passed.Load(), refused.Load())
	}
	if _, err := a.Take(t.Context(), "another", 1, 1); err != nil {
		t.Errorf("another key: %v", err)
	}
}

func TestAnAllowanceTellsTheNearerQuota(t *testing.T) {
	t.Parallel()
	a := newAllowance(t)
	if now := a.Store.redis.Time(t.Context()).Val(); now.UTC().Add(time.Minute).Day() != now.UTC().Day() {
		t.Skip("the day of Redis's clock ends within a minute")
	}
	minute, day := a.keysOf("k")
	for i, want := range []Quota{{Limit: 3, Remaining: 2}, {Limit: 3, Remaining: 1}, {Limit: 3, Remaining: 0}} {
		q, err := a.Take(t.Context(), "k", 3, 5)
		if err != nil || q.Limit != want.Limit || q.Remaining != want.Remaining || q.Reset <= 0 || q.Reset > MinuteWindow {
			t.Errorf("call %d: %+v, %v", i, q, err)
		}
	}
	if _, err := a.Take(t.Context(), "k", 3, 5); !errs.Is(err, errs.TooMany) {
		t.Errorf("the fourth of a minute: %v", err)
	}
	// A minute later.
	for _, id := range a.Store.redis.ZRange(t.Context(), minute, 0, -1).Val() {
		a.Store.redis.ZIncrBy(t.Context(), minute, -float64(MinuteWindow.Milliseconds()), id)
	}
	if q, err := a.Take(t.Context(), "k", 3, 5); err != nil || q.Limit != 5 || q.Remaining != 1 || q.Reset > DayWindow {
		t.Errorf("the fourth of a day: %+v, %v", q, err)
	}
	if _, err := a.Take(t.Context(), "k", 3, 5); err != nil {
		t.Errorf("the fifth of a day: %v", err)
	}
	q, err := a.Take(t.Context(), "k", 3, 5)
	if !errs.Is(err, errs.TooMany) || q.Limit != 5 || q.Remaining != 0 || q.Reset <= 0 {
		t.Errorf("the sixth of a day: %+v, %v", q, err)
	}
	// A refused call is not counted.
	if n := a.Store.redis.ZCard(t.Context(), minute).Val(); n != 2 {
		t.Errorf("%d calls are counted in the minute", n)
	}
	if n := a.Store.redis.HGet(t.Context(), day, "calls").Val(); n != "5" {
		t.Errorf("%s calls are counted in the day", n)
	}
	// The count of the next day begins at 0.
	today, err := strconv.Atoi(a.Store.redis.HGet(t.Context(), day, "day").Val())
	if err != nil {
		t.Fatal(err)
	}
	a.Store.redis.HSet(t.Context(), day, "day", today-1)
	if _, err := a.Take(t.Context(), "k", 3, 5); err != nil {
		t.Errorf("the next day: %v", err)
	}
	if life := a.Store.redis.PTTL(t.Context(), day).Val(); life <= 0 || life > DayWindow {
		t.Errorf("the count is kept for %v", life)
	}
}

// A limit that cannot be checked is not waived.
func TestAnAllowanceIsClosedWithoutRedis(t *testing.T) {
	t.Parallel()
	a := &Allowance{Store: &Store{redis: redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})}, Name: "x"}
	t.Cleanup(func() { _ = a.Store.Close() })
	if _, err := a.Take(t.Context(), "k", 1, 1); !errs.Is(err, errs.Unavailable) {
		t.Errorf("%v", err)
	}
}

func TestLongWaitsAreSpelledInHours(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{time.Second: "une seconde", 2 * time.Minute: "2 minutes", 2 * time.Hour: "120 minutes", 23*time.Hour + time.Second: "24 heures"} {
		if got := inFrench(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
