package httpapi

import (
	"encoding/hex"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/postgres"
)

// noted puts into the audit log that the caller reads what is others', and of whom
// where the path says it, before anything is read: what cannot be noted is not shown.
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

// noteFailure puts a wrong password into the audit log, with the account, if there is
// one, and the keyed hash of the address it came from. It takes as long whether or not
// there is such an account.
func (s *Server) noteFailure(c *fiber.Ctx, user postgres.User) error {
	object := ""
	if user.ID != uuid.Nil {
		object = user.ID.String()
	}
	return s.DB.Note(c.UserContext(), postgres.LoginFailed, object, map[string]any{"address": s.addressMark(c)})
}

// noteProviderFailure is noteFailure for whom a provider has sent and nobody was let in.
func (s *Server) noteProviderFailure(c *fiber.Ctx, provider string) error {
	return s.DB.Note(c.UserContext(), postgres.LoginFailed, "", map[string]any{"address": s.addressMark(c), "provider": provider})
}

// addressMark tells the caller's address from others without holding it.
func (s *Server) addressMark(c *fiber.Ctx) string {
	return hex.EncodeToString(s.hashAddress(s.address(c))[:8])
}
