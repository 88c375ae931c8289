package relay

import (
	"context"
	"errors"

	"github.com/google/uuid"
)

// Forget deletes the logs of answers before they expire. A reader that subscribes later
// gets the answer from its row, if the row exists. Each answer is deleted on every server,
// because the list of servers may have changed since the answer began. If a server is down,
// Forget still deletes on the others.
func (r *Relay) Forget(ctx context.Context, ids ...uuid.UUID) (err error) {
	for _, h := range r.servers {
		for _, id := range ids { // one key per command, because the keys may be on several nodes of a cluster
			if failed := h.redis.Del(ctx, logKey(id)).Err(); failed != nil {
				err = errors.Join(err, unavailable(failed))
				break
			}
		}
	}
	return err
}
