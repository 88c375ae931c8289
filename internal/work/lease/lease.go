// Package lease renews the lease of a row in the background while a job runs, and
// cancels the job's context when the lease is lost.
//
// The fencing token is the number of the row's attempt, which every write contains; this
// package only stops a worker soon after another worker may have leased the row. While the
// store does not respond, the renewal is retried until the lease has certainly expired.
// That time is counted from the start of the last successful renewal by this machine's
// monotonic clock, so a wrong wall clock neither keeps nor loses a lease.
package lease

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/tick"
	"vigueur/internal/store/postgres"
)

// Renewal renews the lease of one attempt once. stop is nil, or the reason to end the job
// although the lease is held: its cancellation was requested. An err of kind LeaseLost
// means that another attempt holds the row or that the row's work has ended; any other err
// means that the store did not respond.
type Renewal func(ctx context.Context) (stop, err error)

// Holder renews leases at the interval Every; 0 means postgres.Renew.
type Holder struct {
	Every time.Duration
}

// Hold renews a lease until release is called, which waits for a renewal that is running.
// The context held ends with ctx, when the job must stop, and when the lease is lost; its
// cause says which of these happened. Watchers can end held, too: each runs beside the
// renewal until held ends, and release waits for them.
func (h Holder) Hold(ctx context.Context, renew Renewal, watchers ...func(held context.Context, stop context.CancelCauseFunc)) (held context.Context, release func()) {
	held, end := context.WithCancelCause(ctx)
	var tasks sync.WaitGroup
	tasks.Go(func() { h.renewUntilDone(held, renew, end) })
	for _, watch := range watchers {
		tasks.Go(func() { watch(held, end) })
	}
	return held, func() {
		end(nil)
		tasks.Wait()
	}
}

func (h Holder) renewUntilDone(ctx context.Context, renew Renewal, end context.CancelCauseFunc) {
	every := h.Every
	if every == 0 {
		every = postgres.Renew
	}
	kept := time.Now()
	for range tick.Every(ctx, every) {
		asked := time.Now()
		stop, err := once(ctx, max(every, postgres.Renew), renew)
		switch {
		case err == nil && stop != nil:
			end(stop)
			return
		case err == nil:
			kept = asked
		case errs.Is(err, errs.LeaseLost):
			end(err)
			return
		case time.Since(kept) >= postgres.Lease:
			end(errs.Wrap(errs.LeaseLost, "", err))
			return
		}
	}
}

// once calls renew with a timeout, the usual interval between renewals: a store that
// accepts a query and never responds must not block the next renewal.
func once(ctx context.Context, limit time.Duration, renew Renewal) (stop, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return renew(ctx)
}

// Excuse records, by calling excuse, that the worker of an attempt did not crash although
// it lost its lease or could not write its end; such an attempt is not counted as one that
// crashed its worker. Most leases are lost while the store is down, so the call is repeated
// until the store responds or ctx ends. It is made at least once, even if ctx has ended
// already.
func (h Holder) Excuse(ctx context.Context, excuse func(ctx context.Context) error) error {
	every := h.Every
	if every == 0 {
		every = postgres.Renew
	}
	for {
		_, err := once(context.WithoutCancel(ctx), max(every, postgres.Renew), func(ctx context.Context) (stop, err error) {
			return nil, excuse(ctx)
		})
		if err == nil || !errs.Describe(errs.KindOf(err)).Retry {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(every):
		}
	}
}

// Backoff returns the delay after a number of failures (1 or more) in a row: first, doubled
// with each further failure, but no more than limit. Up to a quarter is subtracted at
// random, so that jobs that failed together are not retried together.
func Backoff(failures int, first, limit time.Duration) time.Duration {
	wait := first
	for range failures - 1 {
		if wait >= limit/2 {
			wait = limit
			break
		}
		wait *= 2
	}
	if wait < 4 {
		return wait
	}
	return wait - rand.N(wait/4)
}
