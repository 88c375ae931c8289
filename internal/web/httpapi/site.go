package httpapi

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/webpage"
)

// site serves the page's files and passes all other paths to the routes. File names contain
// a content hash, so they are cached forever; the page itself is revalidated at each
// request.
func (s *Server) site(c *fiber.Ctx) error {
	if s.Page == nil || c.Method() != fiber.MethodGet && c.Method() != fiber.MethodHead {
		return c.Next()
	}
	address := c.Path()
	if file := s.Page.Asset(address); file != nil {
		if webpage.Worker(address) {
			c.Set("Service-Worker-Allowed", "/")
		}
		return sendPageFile(c, file, "public, max-age=31536000, immutable")
	}
	if !webpage.Owns(address) || address == "/openapi.json" {
		return c.Next()
	}
	if index := s.Page.Index(); index != nil {
		if address == conversations.SharedPath {
			c.Set("X-Robots-Tag", "noindex")
		}
		return sendPageFile(c, index, "no-cache")
	}
	if address != "/" {
		return c.Next()
	}
	c.Set(fiber.HeaderContentSecurityPolicy, webpage.Policy)
	return c.Status(fiber.StatusNotFound).SendString(webpage.Missing)
}

// sendPageFile sends a file of the page under the page's policy.
func sendPageFile(c *fiber.Ctx, f *webpage.File, cache string) error {
	c.Set(fiber.HeaderContentSecurityPolicy, webpage.Policy)
	return respond.SendStatic(c, f, cache)
}
