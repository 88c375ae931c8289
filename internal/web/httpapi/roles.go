package httpapi

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// roles are the roles of accounts, each including the rights of those before it.
var roles = []string{"user", "editor", "admin"}

// atLeast does what protected does, for accounts with at least the given role; others are
// Forbidden. The role is read from the database, not from the token.
func (s *Server) atLeast(role string, next func(*fiber.Ctx, postgres.User) error) fiber.Handler {
	return s.protected(func(c *fiber.Ctx, user postgres.User) error {
		if slices.Index(roles, user.Role) < slices.Index(roles, role) {
			if err := s.noteRefusal(c, user.ID); err != nil {
				return err
			}
			return errs.New(errs.Forbidden, "")
		}
		return next(c, user)
	})
}
