package catalogue

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
)

// documentFile serves GET /documents/:id/file. It serves the PDF of a text's gazette, without
// authentication.
func (s *Handlers) documentFile(c *fiber.Ctx) error {
	id, err := form.PathID(c, "id")
	if err != nil {
		return err
	}
	about, err := s.DB.DocumentFile(c.UserContext(), id)
	if err != nil {
		return respond.NoDocument(err)
	}
	etag := `"` + about.SHA256 + `"`
	if given := c.Get(fiber.HeaderIfNoneMatch); given != "" && respond.Matches(given, etag) {
		setFileHeaders(c, etag, about.Title)
		return c.SendStatus(fiber.StatusNotModified)
	}
	file, err := s.Blobs.Open(c.UserContext(), about.SHA256)
	if err != nil {
		return respond.NotFound(err, "Le fichier de ce document est introuvable.")
	}
	if err := respond.SendFile(c, file, etag); err != nil {
		return err
	}
	setFileHeaders(c, etag, about.Title)
	return nil
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
