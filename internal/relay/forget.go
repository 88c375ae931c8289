package relay

import (
	"context"
	"errors"

	"github.com/google/uuid"
)

// Forget removes what is logged of answers before its time. A reader that comes later finds
// the row, or none. Each server is asked for each answer: it may have begun when the list
// of servers was another. One that is away does not keep the others from forgetting.
func (r *Relay) Forget(ctx context.Context, ids ...uuid.UUID) (err error) {
	for _, h := range r.homes {
		for _, id := range ids { // one by one: they may lie on several nodes of a cluster
			if failed := h.redis.Del(ctx, logKey(id)).Err(); failed != nil {
				err = errors.Join(err, unavailable(failed))
				break
			}
		}
	}
	return err
}
