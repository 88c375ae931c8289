package account

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
)

// noteFailure records a wrong password in the audit log, with the account, if any, and the
// keyed hash of the client's address. It takes the same time with and without an account.
func (s *Handlers) noteFailure(c *fiber.Ctx, user postgres.User) error {
	object := ""
	if user.ID != uuid.Nil {
		object = user.ID.String()
	}
	return s.DB.Note(c.UserContext(), postgres.LoginFailed, object, map[string]any{"address": s.AddressMark(c)})
}

// noteProviderFailure does what noteFailure does, for a rejected sign-in at a provider.
func (s *Handlers) noteProviderFailure(c *fiber.Ctx, provider string) error {
	return s.DB.Note(c.UserContext(), postgres.LoginFailed, "", map[string]any{"address": s.AddressMark(c), "provider": provider})
}
