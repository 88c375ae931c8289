package answer

import (
	"context"
	"errors"
	"sync"
	"time"

	"vigueur/internal/errs"
	"vigueur/internal/postgres"
)

// errStopped is why a context ended whose answer its reader cancelled.
var errStopped = errors.New("answer: cancelled by its reader")

// hold renews the lease until release is called. The context it gives ends
// when ctx does, when the lease is lost, or when the reader cancels; its cause
// says which. release waits until the renewal has ended.
func (j *job) hold(ctx context.Context) (held context.Context, release func()) {
	held, cancel := context.WithCancelCause(ctx)
	if j.Cancel {
		cancel(errStopped)
	}
	var tasks sync.WaitGroup
	tasks.Go(func() { j.renew(held, cancel) })
	tasks.Go(func() { j.WatchCancel(held, j.ID, func() { cancel(errStopped) }) })
	return held, func() {
		cancel(nil)
		tasks.Wait()
	}
}

// renew keeps the lease. A store that does not answer is asked again until the
// lease must have run out: then another worker may hold the row.
func (j *job) renew(ctx context.Context, cancel context.CancelCauseFunc) {
	every := j.Renew
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
		wanted, err := j.DB.KeepAnswer(ctx, j.ID, j.Attempt)
		switch {
		case err == nil && wanted:
			cancel(errStopped)
			return
		case err == nil:
			kept = time.Now()
		case errs.Is(err, errs.LeaseLost), time.Since(kept) > postgres.Lease:
			cancel(errs.Wrap(errs.LeaseLost, "", err))
			return
		}
	}
}
