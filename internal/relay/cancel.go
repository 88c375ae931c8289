package relay

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// cancelLife is how long a wish to cancel is kept for a worker that has not
// begun; the row keeps it for ever.
const cancelLife = time.Hour

// cancel tells the worker that writes the answer id, if any, to stop.
func (r *home) cancel(ctx context.Context, id uuid.UUID) error {
	if err := r.redis.Set(ctx, cancelKey(id), 1, cancelLife).Err(); err != nil {
		return unavailable(err)
	}
	return unavailable(r.redis.Publish(ctx, cancelChannel(id), "").Err())
}

// watchCancel calls stop when the answer id is cancelled, now or before, and
// returns when ctx ends or stop was called. Without Redis it returns at once: the
// row is looked at with each renewal of the lease.
func (r *home) watchCancel(ctx context.Context, id uuid.UUID, stop func()) {
	channel := cancelChannel(id)
	who, err := r.join(ctx, channel)
	if err != nil {
		return
	}
	defer r.leave(channel, who)
	for {
		if n, err := r.redis.Exists(ctx, cancelKey(id)).Result(); err == nil && n > 0 {
			stop()
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-who.wake:
			who.take()
		}
	}
}
