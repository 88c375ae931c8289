package relay

import (
	"context"
	"errors"

	"github.com/google/uuid"
)

// Forget deletes the logs of answers before they expire. A reader that subscribes later is
// answered from the row, if there is one. Every server is asked for every answer, because
// the list of servers may have changed since the answer began. A server that is down does
// not keep the others from deleting.
func (r *Relay) Forget(ctx context.Context, ids ...uuid.UUID) (err error) {
	for _, h := range r.servers {
		for _, id := range ids { // one by one: they may lie on several nodes of a cluster
			if failed := h.redis.Del(ctx, logKey(id)).Err(); failed != nil {
				err = errors.Join(err, unavailable(failed))
				break
			}
		}
	}
	return err
}
