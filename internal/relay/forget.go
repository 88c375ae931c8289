package relay

import (
	"context"

	"github.com/google/uuid"
)

// Forget removes what is logged of answers before its time. A reader that comes later finds
// the row, or none.
func (r *Relay) Forget(ctx context.Context, ids ...uuid.UUID) error {
	for _, id := range ids { // one by one: they may lie on several nodes
		if err := r.redis.Del(ctx, logKey(id)).Err(); err != nil {
			return unavailable(err)
		}
	}
	return nil
}
