package guard

import (
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/transport"
)

// turns lets each account do a few things at once. It is safe for concurrent use.
type turns struct {
	mu sync.Mutex
	of map[uuid.UUID]*turnsOf
}

// turnsOf are the turns of one account; it is dropped when nobody holds or waits for one.
type turnsOf struct {
	held chan struct{}
	all  int // that hold a turn or wait for one
}

// begin counts a call for an account; nil if too many wait already.
func (t *turns) begin(user uuid.UUID) *turnsOf {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.of[user]
	if own == nil {
		own = &turnsOf{held: make(chan struct{}, readsAtOnce)}
	}
	if own.all >= readsAtOnce+readsWaiting {
		return nil
	}
	if t.of == nil {
		t.of = map[uuid.UUID]*turnsOf{}
	}
	own.all++
	t.of[user] = own
	return own
}

func (t *turns) end(user uuid.UUID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.of[user]
	if own.all--; own.all == 0 {
		delete(t.of, user)
	}
}

// LimitConcurrency lets an account run a handler readsAtOnce times at the same time; further calls wait.
// The error is TooMany if too many wait, and that of the request's context.
func (s *Guard) LimitConcurrency(next Handler) Handler {
	return func(c *fiber.Ctx, user postgres.User) error {
		own := s.reads.begin(user.ID)
		if own == nil {
			return transport.ErrCrowdedOut(readsAtOnce + readsWaiting)
		}
		defer s.reads.end(user.ID)
		select {
		case own.held <- struct{}{}:
			defer func() { <-own.held }()
			return next(c, user)
		case <-c.UserContext().Done():
			return errs.Wrap(errs.Unavailable, "", c.UserContext().Err())
		}
	}
}
