// Package lease holds a row while it is worked on: it renews the row's lease in
// the background and ends the work's context when the lease is lost.
//
// The fence is the row's attempt, which every write names; this package only
// makes a worker stop soon whose row may be another's. A store that does not
// answer is asked again until the lease must have run out by this machine's own
// monotonic clock, counted from before the last renewal that succeeded, so that
// a wrong clock neither keeps nor loses a lease.
package lease

import (
	"context"
	"sync"
	"time"

	"vigueur/internal/errs"
	"vigueur/internal/postgres"
)

// Renewal renews the lease of one attempt once. stop is why the work is to end
// although the lease is held (its cancellation was asked for), else nil. An err
// of kind LeaseLost says that the row is another's or has ended; any other err
// is a store that did not answer.
type Renewal func(ctx context.Context) (stop, err error)

// Holder says how often leases are renewed. The zero value renews every
// postgres.Renew.
type Holder struct {
	Every time.Duration
}

// Hold renews until release is called, which waits for a renewal under way. The
// context it gives ends with ctx, and when the work is to stop or the lease is
// lost; its cause says which. More watchers may end it: each runs beside the
// renewal until held ends, and release waits for them too.
func (h Holder) Hold(ctx context.Context, renew Renewal, watchers ...func(held context.Context, stop context.CancelCauseFunc)) (held context.Context, release func()) {
	held, end := context.WithCancelCause(ctx)
	var tasks sync.WaitGroup
	tasks.Go(func() { h.keep(held, renew, end) })
	for _, watch := range watchers {
		tasks.Go(func() { watch(held, end) })
	}
	return held, func() {
		end(nil)
		tasks.Wait()
	}
}

func (h Holder) keep(ctx context.Context, renew Renewal, end context.CancelCauseFunc) {
	every := h.Every
	if every == 0 {
		every = postgres.Renew
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	kept := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
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

// once gives a renewal as long as there usually is until the next: a store that
// took the question and never answers must not keep the lease.
func once(ctx context.Context, limit time.Duration, renew Renewal) (stop, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return renew(ctx)
}

// Excuse says of an attempt, by excuse, that its worker lives on, though it lost
// its lease or could not write its end: what is told so is not taken for work
// that ends its workers. It is said again for as long as the store is away, which
// is why most leases are lost, and once at least, also when ctx has ended.
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
