package lease_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/lease"
)

var errAsked = errors.New("asked to stop")

func TestHoldEndsWithItsReason(t *testing.T) {
	t.Parallel()
	down := errs.New(errs.Unavailable, "")
	for name, c := range map[string]struct {
		renew func(n int32) (stop, err error)
		after time.Duration
		is    func(error) bool
	}{
		"asked to stop":              {func(n int32) (error, error) { return when(n == 3, errAsked), nil }, 3 * postgres.Renew, func(err error) bool { return errors.Is(err, errAsked) }},
		"lost to another":            {func(int32) (error, error) { return nil, errs.New(errs.LeaseLost, "") }, postgres.Renew, lost},
		"the store is down for long": {func(int32) (error, error) { return nil, down }, postgres.Lease, func(err error) bool { return lost(err) && errors.Is(err, down) }},
		"down after two renewals":    {func(n int32) (error, error) { return nil, when(n > 2, down) }, 2*postgres.Renew + postgres.Lease, lost},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var calls atomic.Int32
				began := time.Now()
				held, release := lease.Holder{}.Hold(t.Context(), func(context.Context) (error, error) { return c.renew(calls.Add(1)) })
				defer release()
				<-held.Done()
				if took := time.Since(began); took != c.after {
					t.Errorf("ended after %v, want %v", took, c.after)
				}
				if cause := context.Cause(held); !c.is(cause) {
					t.Errorf("ended because of %v", cause)
				}
			})
		})
	}
}

func lost(err error) bool { return errs.Is(err, errs.LeaseLost) }

func when(ok bool, err error) error {
	if ok {
		return err
	}
	return nil
}

func TestHoldOutlivesAShortOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		held, release := lease.Holder{}.Hold(t.Context(), func(context.Context) (error, error) {
			return nil, when(calls.Add(1)%3 != 0, errs.New(errs.Unavailable, ""))
		})
		time.Sleep(time.Minute) // by the clock of the synctest bubble
		if err := held.Err(); err != nil {
			t.Errorf("two renewals of three failed, and the lease ended: %v", context.Cause(held))
		}
		release()
		made := calls.Load()
		time.Sleep(time.Minute)
		if calls.Load() != made || made < 29 {
			t.Errorf("%d renewals, %d of them after the release", calls.Load(), calls.Load()-made)
		}
	})
}

// A store that receives a query and never responds, as after a network failure.
func TestHoldIsLostWhenTheStoreHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		held, release := lease.Holder{}.Hold(t.Context(), func(ctx context.Context) (error, error) {
			<-ctx.Done()
			return nil, errs.Wrap(errs.Unavailable, "", ctx.Err())
		})
		defer release()
		<-held.Done()
		if took := time.Since(began); !lost(context.Cause(held)) || took > postgres.Lease+postgres.Renew {
			t.Errorf("ended after %v because of %v", took, context.Cause(held))
		}
	})
}

func TestWatcherEndsTheWorkAndIsWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var left atomic.Bool
		held, release := lease.Holder{}.Hold(t.Context(), func(context.Context) (error, error) { return nil, nil },
			func(held context.Context, stop context.CancelCauseFunc) {
				stop(errAsked)
				<-held.Done()
				left.Store(true)
			})
		<-held.Done()
		release()
		if !errors.Is(context.Cause(held), errAsked) || !left.Load() {
			t.Errorf("cause %v, watcher left: %v", context.Cause(held), left.Load())
		}
	})
}

func TestExcuseIsSaidUntilTheStoreAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		errors []error // errors of successive calls; the last one repeats
		stop   bool    // the process must end meanwhile
		calls  int
	}{
		"at once":               {[]error{nil}, false, 1},
		"after an outage":       {[]error{errs.New(errs.Unavailable, ""), errs.New(errs.Unavailable, ""), nil}, false, 3},
		"not what is no outage": {[]error{errors.New("a defect")}, false, 1},
		"once when it must end": {[]error{errs.New(errs.Unavailable, "")}, true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				if c.stop {
					stop()
				}
				calls := 0
				err := lease.Holder{}.Excuse(ctx, func(ctx context.Context) error {
					if ctx.Err() != nil {
						t.Errorf("said when nothing can be said any more: %v", ctx.Err())
					}
					calls++
					return c.errors[min(calls, len(c.errors))-1]
				})
				if last := c.errors[len(c.errors)-1]; calls != c.calls || !errors.Is(err, last) {
					t.Errorf("said %d times, then %v; want %d times, then %v", calls, err, c.calls, last)
				}
			})
		})
	}
}
