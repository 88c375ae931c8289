package guard

import (
	"context"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/tick"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/transport"
)

// Audit wraps a route that reads other users' data. It records the access in the audit log,
// with the id in the path if there is one, before it calls next. If the access cannot be
// recorded, nothing is read.
func (s *Guard) Audit(action postgres.Action, next Handler) Handler {
	return func(c *fiber.Ctx, user postgres.User) error {
		object := ""
		if c.Params("id") != "" {
			id, err := form.PathID(c, "id")
			if err != nil {
				return err
			}
			object = id.String()
		}
		if err := s.DB.Note(c.UserContext(), action, object, nil); err != nil {
			return err
		}
		return next(c, user)
	}
}

// refusalWindow is how long repeated refusals of one account on one route are counted before
// they are one more line of the audit log.
const refusalWindow = 10 * time.Minute

// mostRefusals limits the refusals that are counted at the same time. Beyond it, all are
// written at once.
const mostRefusals = 10_000

// refusal is what an account, or one of its keys, was refused.
type refusal struct {
	user, key uuid.UUID
	route     string
}

// repeats counts a refusal since its line was written.
type repeats struct {
	since time.Time
	count int
}

// refusals counts repeated refusals, so that nobody can fill the audit log by asking for what
// is not theirs: the first is a line at once, all others of refusalWindow are one more. It
// is safe for concurrent use.
type refusals struct {
	mu   sync.Mutex
	seen map[refusal]*repeats
}

// add counts a refusal; first reports whether it has to be written now.
func (r *refusals) add(of refusal, now time.Time) (first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known, ok := r.seen[of]; ok {
		known.count++
		return false
	}
	if r.seen == nil {
		r.seen = map[refusal]*repeats{}
	}
	r.seen[of] = &repeats{since: now}
	return true
}

// take removes and returns the refusals that were first seen before a time; all of them if
// there are too many.
func (r *refusals) take(previous time.Time) map[refusal]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	all, out := len(r.seen) > mostRefusals, map[refusal]int{}
	for of, known := range r.seen {
		if all || known.since.Before(previous) {
			if known.count > 0 {
				out[of] = known.count
			}
			delete(r.seen, of)
		}
	}
	return out
}

// routeName is the name of a request's route in the audit log.
func routeName(c *fiber.Ctx) string { return c.Method() + " " + c.Route().Path }

// noteRefusal records in the audit log that the caller may not use the route: at once the
// first time, later as a count.
func (s *Guard) noteRefusal(c *fiber.Ctx, user uuid.UUID) error {
	of := refusal{user: user, key: postgres.KeyOf(c.UserContext()), route: routeName(c)}
	if !s.refusals.add(of, s.Now()) {
		return nil
	}
	return s.DB.Note(c.UserContext(), postgres.Refused, of.route, nil)
}

// noteRepeated writes the counts of repeated refusals until ctx ends, and then the last of
// them.
func (s *Guard) noteRepeated(ctx context.Context) {
	for range tick.Every(ctx, refusalWindow/10) {
		s.writeRepeated(ctx, s.refusals.take(s.Now().Add(-refusalWindow)))
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), transport.WorkTimeout)
	defer cancel()
	s.writeRepeated(last, s.refusals.take(s.Now().Add(refusalWindow)))
}

func (s *Guard) writeRepeated(ctx context.Context, counts map[refusal]int) {
	for of, n := range counts {
		by := postgres.By(ctx, of.user)
		if of.key != uuid.Nil {
			by = postgres.ByKey(by, of.key)
		}
		if err := s.DB.Note(by, postgres.Refused, of.route, map[string]any{"repeated": n}); err != nil {
			s.Log.WarnContext(ctx, "repeated refusals are not in the audit log", "user_id", of.user, "route", of.route, "count", n, "error", err)
		}
	}
}
