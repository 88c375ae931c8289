package answer

import (
	"context"
	"errors"

	"vigueur/internal/lease"
)

// errStopped is why a context ended whose answer its reader canceled.
var errStopped = errors.New("answer: canceled by its reader")

// hold renews the lease until release is called. The context it gives ends
// when ctx does, when the lease is lost, or when the reader cancels; its cause
// says which.
func (j *job) hold(ctx context.Context) (held context.Context, release func()) {
	ctx, end := context.WithCancelCause(ctx)
	if j.Cancel { // asked for before this attempt began
		end(errStopped)
	}
	held, leave := lease.Holder{Every: j.Renew}.Hold(ctx, j.renew, func(held context.Context, stop context.CancelCauseFunc) {
		j.WatchCancel(held, j.ID, func() { stop(errStopped) })
	}, func(held context.Context, _ context.CancelCauseFunc) { j.draft(held) })
	return held, func() {
		leave()
		end(nil)
	}
}

func (j *job) renew(ctx context.Context) (stop, err error) {
	canceled, err := j.DB.KeepAnswer(ctx, j.ID, j.Attempt)
	if canceled {
		stop = errStopped
	}
	return stop, err
}
