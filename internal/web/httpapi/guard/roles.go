package guard

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

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
