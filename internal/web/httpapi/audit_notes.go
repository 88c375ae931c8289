package httpapi

import (
	"encoding/hex"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
)

// noted wraps a route that reads other users' data. It records the access in the audit log,
// with the id in the path if there is one, before it calls next. If the access cannot be
// recorded, nothing is read.
func (s *Server) noted(action postgres.Action, next func(*fiber.Ctx, postgres.User) error) func(*fiber.Ctx, postgres.User) error {
	return func(c *fiber.Ctx, user postgres.User) error {
		object := ""
		if c.Params("id") != "" {
			id, err := pathID(c, "id")
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

// noteFailure records a wrong password in the audit log, with the account, if any, and the
// keyed hash of the client's address. It takes the same time with and without an account.
func (s *Server) noteFailure(c *fiber.Ctx, user postgres.User) error {
	object := ""
	if user.ID != uuid.Nil {
		object = user.ID.String()
	}
	return s.DB.Note(c.UserContext(), postgres.LoginFailed, object, map[string]any{"address": s.addressMark(c)})
}

// noteProviderFailure does what noteFailure does, for a rejected sign-in at a provider.
func (s *Server) noteProviderFailure(c *fiber.Ctx, provider string) error {
	return s.DB.Note(c.UserContext(), postgres.LoginFailed, "", map[string]any{"address": s.addressMark(c), "provider": provider})
}

// addressMark returns the keyed hash of the caller's address.
func (s *Server) addressMark(c *fiber.Ctx) string {
	return hex.EncodeToString(s.hashAddress(s.address(c))[:8])
}
