package guard

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
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
