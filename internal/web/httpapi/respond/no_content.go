package respond

import "github.com/gofiber/fiber/v2"

// NoContent responds with 204 to a request that was done, and returns err if it was not.
func NoContent(c *fiber.Ctx, err error) error {
	if err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}
