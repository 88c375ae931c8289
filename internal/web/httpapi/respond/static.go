package respond

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/web/webpage"
)

// SendStatic sends a file in the best encoding that the client accepts, or 304 if it has it.
func SendStatic(c *fiber.Ctx, f *webpage.File, cache string) error {
	c.Set(fiber.HeaderCacheControl, cache)
	c.Vary(fiber.HeaderAcceptEncoding)
	c.Set(fiber.HeaderETag, f.ETag)
	if Matches(c.Get(fiber.HeaderIfNoneMatch), strings.TrimPrefix(f.ETag, "W/")) {
		return c.SendStatus(fiber.StatusNotModified)
	}
	body, encoding := f.Encoded(c.Get(fiber.HeaderAcceptEncoding))
	if encoding != "" {
		c.Set(fiber.HeaderContentEncoding, encoding)
	}
	c.Set(fiber.HeaderContentType, f.Type)
	return c.Send(body)
}
