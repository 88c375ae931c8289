package httpapi

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/web/httpapi/transport"
)

// uploadRoute is the route that takes gazettes; its handler reads the body piece by piece.
const uploadRoute = transport.Prefix + "/admin/documents"

// isUpload reports whether the handler of a request reads the body itself.
func isUpload(c *fiber.Ctx) bool {
	return c.Method() == fiber.MethodPost && (c.Path() == uploadRoute || c.Path() == catalogue.VerifyRoute && transport.IsForm(c)) ||
		c.Method() == fiber.MethodPatch && strings.HasPrefix(c.Path(), gazettes.PartsRoute+"/")
}
