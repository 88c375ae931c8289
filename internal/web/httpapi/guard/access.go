package guard

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
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
