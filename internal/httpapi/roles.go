package httpapi

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/errs"
	"vigueur/internal/postgres"
)

// roles are an account's roles, each with all that those before it may.
var roles = []string{"user", "editor", "admin"}

// atLeast is protected for accounts of the given role or a greater one; others
// are Forbidden. The role is the database's at that moment, not the token's.
func (s *Server) atLeast(role string, next func(*fiber.Ctx, postgres.User) error) fiber.Handler {
	return s.protected(func(c *fiber.Ctx, user postgres.User) error {
		if slices.Index(roles, user.Role) < slices.Index(roles, role) {
			if err := s.DB.Note(c.UserContext(), postgres.Refused, c.Method()+" "+c.Route().Path, nil); err != nil {
				return err
			}
			return errs.New(errs.Forbidden, "")
		}
		return next(c, user)
	})
}
