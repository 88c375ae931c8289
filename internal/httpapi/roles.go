package httpapi

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/errs"
	"vigueur/internal/postgres"
)

// roles go from the least to the greatest; each may do what those before it may.
var roles = []string{"user", "editor", "admin"}

// atLeast is protected for those whose role, as the database has it now, is the
// given one or a greater: Forbidden otherwise.
func (s *Server) atLeast(role string, next func(*fiber.Ctx, postgres.User) error) fiber.Handler {
	return s.protected(func(c *fiber.Ctx, user postgres.User) error {
		if slices.Index(roles, user.Role) < slices.Index(roles, role) {
			return errs.New(errs.Forbidden, "")
		}
		return next(c, user)
	})
}
