package answering

import (
	"context"

	"vigueur/internal/work"
)

// renew renews the lease; stop is ErrCancelled once the reader has canceled.
func (j *job) renew(ctx context.Context) (stop, err error) {
	canceled, err := j.DB.KeepAnswer(ctx, j.ID, j.Attempt)
	if canceled {
		stop = work.ErrCancelled
	}
	return stop, err
}

// watchCancel ends the attempt as soon as the reader cancels, without waiting for the
// next renewal of the lease.
func (j *job) watchCancel(held context.Context, stop context.CancelCauseFunc) {
	j.WatchCancel(held, j.ID, func() { stop(work.ErrCancelled) })
}
