package httpapi

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"sync"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/web/apidoc"
)

// The contract, as OpenAPI. It is written by hand, and the tests check every request and
// response against it.
//
//go:embed openapi.yaml
var openAPI []byte

// document is the contract as served, parsed once per process. It is embedded, and the
// tests make sure that it can be read.
var document = sync.OnceValue(func() *apidoc.Document {
	d, err := apidoc.Parse(openAPI)
	if err != nil {
		panic(err)
	}
	return d
})

// showOpenAPI serves the contract as JSON.
func (s *Server) showOpenAPI(c *fiber.Ctx) error {
	return sendKept(c, fiber.MIMEApplicationJSON, document().JSON)
}

// showDocs serves the contract as one self-contained page.
func (s *Server) showDocs(c *fiber.Ctx) error {
	c.Set(fiber.HeaderContentSecurityPolicy,
		"default-src 'none'; style-src '"+document().StyleHash+"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	return sendKept(c, fiber.MIMETextHTMLCharsetUTF8, document().Page)
}

// sendKept sends a body that changes only with the program, with an ETag.
func sendKept(c *fiber.Ctx, kind string, body []byte) error {
	sum := sha256.Sum256(body)
	etag := `"` + hex.EncodeToString(sum[:16]) + `"`
	c.Set(fiber.HeaderETag, etag)
	c.Set(fiber.HeaderCacheControl, "public, no-cache")
	if matches(c.Get(fiber.HeaderIfNoneMatch), etag) {
		return c.SendStatus(fiber.StatusNotModified)
	}
	c.Set(fiber.HeaderContentType, kind)
	return c.Send(body)
}
