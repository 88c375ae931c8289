package guard

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
)

// ByID makes a Handler of one that also takes the id in the path.
func ByID(next func(c *fiber.Ctx, user postgres.User, id uuid.UUID) error) Handler {
	return func(c *fiber.Ctx, user postgres.User) error {
		id, err := form.PathID(c, "id")
		if err != nil {
			return err
		}
		return next(c, user, id)
	}
}
