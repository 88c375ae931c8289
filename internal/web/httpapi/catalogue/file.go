package catalogue

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/respond"
)

// documentFile serves GET /documents/:id/file. It serves the PDF of a text's gazette, without
// authentication.
func (s *Handlers) documentFile(c *fiber.Ctx, input contract.ByID) (reply contract.Sent, _ error) {
	about, err := s.DB.DocumentFile(c.UserContext(), input.ID)
	if err != nil {
		return reply, respond.NoDocument(err)
	}
	etag := `"` + about.SHA256 + `"`
	if given := c.Get(fiber.HeaderIfNoneMatch); given != "" && respond.Matches(given, etag) {
		setFileHeaders(c, etag, about.Title)
		return reply, c.SendStatus(fiber.StatusNotModified)
	}
	file, err := s.Blobs.Open(c.UserContext(), about.SHA256)
	if err != nil {
		return reply, respond.NotFound(err, "Le fichier de ce document est introuvable.")
	}
	if err := respond.SendFile(c, file, etag); err != nil {
		return reply, err
	}
	setFileHeaders(c, etag, about.Title)
	return reply, nil
}

func setFileHeaders(c *fiber.Ctx, etag, title string) {
	c.Set(fiber.HeaderContentType, "application/pdf")
	c.Set(fiber.HeaderETag, etag)
	c.Set(fiber.HeaderAcceptRanges, "bytes")
	c.Set(fiber.HeaderContentDisposition, respond.Disposition(title))
	// A text may leave the catalogue, so caches must revalidate, which is cheap.
	c.Set(fiber.HeaderCacheControl, "public, no-cache")
	// The built-in viewer of a browser must be able to show the file.
	c.Set(fiber.HeaderContentSecurityPolicy, "frame-ancestors 'self'")
}
