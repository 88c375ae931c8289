package guard

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/respond"
)

// WithETag wraps routes of the catalogue, which respond to everybody alike. It adds
// an ETag and compresses long responses. Private responses are not compressed, because
// their length would reveal something about them.
func (s *Guard) WithETag(next Handler) Handler {
	return func(c *fiber.Ctx, user postgres.User) error {
		if err := next(c, user); err != nil {
			return err
		}
		return respond.Revalidate(c)
	}
}
