package guard

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

func serving(h contract.Handler, serve fiber.Handler) contract.Handler {
	h.Signed, h.Serve = true, func(c *fiber.Ctx, _ postgres.User) error { return serve(c) }
	return h
}

// Signed admits requests of an account.
func (s *Guard) Signed(h contract.Handler) contract.Handler { return serving(h, s.Protect(h.Serve)) }

// Enrolling admits requests of an account, also of one that lacks its required second factor.
func (s *Guard) Enrolling(h contract.Handler) contract.Handler {
	return serving(h, s.ProtectEnrolling(h.Serve))
}

// Role admits accounts with at least a role.
func (s *Guard) Role(role string, h contract.Handler) contract.Handler {
	h.Role = role
	return serving(h, s.RequireRole(role, h.Serve))
}

// Audited records each request in the audit log before it is served.
func (s *Guard) Audited(action postgres.Action, h contract.Handler) contract.Handler {
	h.Serve = s.Audit(action, h.Serve)
	return h
}

// InTurn lets an account do a few such things at once.
func (s *Guard) InTurn(h contract.Handler) contract.Handler {
	h.Serve = s.LimitConcurrency(h.Serve)
	return h
}

// Revalidated adds an ETag to the response, and compresses a long one.
func (s *Guard) Revalidated(h contract.Handler) contract.Handler {
	h.ETag, h.Serve = true, s.WithETag(h.Serve)
	return h
}

// Roles are the roles of accounts, each including the rights of those before it.
var Roles = []string{"user", "editor", "admin"}

// RequireRole does what protected does, for accounts with at least the given role; others are
// Forbidden. The role is read from the database, not from the token.
func (s *Guard) RequireRole(role string, next Handler) fiber.Handler {
	return s.Protect(func(c *fiber.Ctx, user postgres.User) error {
		if slices.Index(Roles, user.Role) < slices.Index(Roles, role) {
			if err := s.noteRefusal(c, user.ID); err != nil {
				return err
			}
			return errs.New(errs.Forbidden, "")
		}
		return next(c, user)
	})
}

const (
	// readsAtOnce is how many reads of its own conversations an account may have in progress
	// in one process. Each may search a long history, and holds a connection of the database
	// meanwhile; a page needs two.
	readsAtOnce = 4
	// readsWaiting is how many more may wait for their turn.
	readsWaiting = 16
)

// LimitConcurrency lets an account run a handler readsAtOnce times at the same time; further calls wait.
// The error is TooMany if too many wait, and that of the request's context.
func (s *Guard) LimitConcurrency(next Handler) Handler {
	return func(c *fiber.Ctx, user postgres.User) error {
		release, err := s.reads.Take(c.UserContext(), transport.Turn{Who: user.ID.String(), Each: readsAtOnce, Queue: readsWaiting, Patience: transport.Patient})
		if err != nil {
			return err
		}
		defer release()
		return next(c, user)
	}
}

// WithETag wraps routes of the catalogue, which respond to everybody alike. It adds
// an ETag and compresses long responses. Private responses are not compressed, because
// their length would reveal something about them.
func (s *Guard) WithETag(next Handler) Handler {
	return func(c *fiber.Ctx, user postgres.User) error {
		if err := next(c, user); err != nil {
			return err
		}
		return respond.Revalidate(c)
	}
}
