package relay

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// cancelLife is how long Redis keeps a cancellation, for a worker that has not begun yet.
// The row of the answer keeps it permanently.
const cancelLife = time.Hour

// cancel asks the worker that writes the answer id, if there is one, to stop.
func (r *server) cancel(ctx context.Context, id uuid.UUID) error {
	if err := r.redis.Set(ctx, cancelKey(id), 1, cancelLife).Err(); err != nil {
		return unavailable(err)
	}
	return unavailable(r.redis.Publish(ctx, cancelChannel(id), "").Err())
}

// watchCancel calls stop once the answer id is canceled, or at once if it was canceled
// before. It returns when ctx ends or after it has called stop. Without Redis it returns at
// once: each renewal of the lease reads the cancellation from the row.
func (r *server) watchCancel(ctx context.Context, id uuid.UUID, stop func()) {
	channel := cancelChannel(id)
	rd, err := r.join(ctx, channel)
	if err != nil {
		return
	}
	defer r.leave(channel, rd)
	for {
		if n, err := r.redis.Exists(ctx, cancelKey(id)).Result(); err == nil && n > 0 {
			stop()
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-rd.wake:
			rd.take()
		}
	}
}
