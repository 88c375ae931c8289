package httpapi

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"sync"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/apidoc"
)

// The contract, as OpenAPI. It is written by hand, and held against every
// request of the tests.
//
//go:embed openapi.yaml
var openAPI []byte

// document is the contract as it is served, made once a process. The file is part
// of the program: one that cannot be read is a defect that no test lets through.
var document = sync.OnceValue(func() *apidoc.Document {
	d, err := apidoc.Parse(openAPI)
	if err != nil {
		panic(err)
	}
	return d
})

// showOpenAPI gives the contract to programs.
func (s *Server) showOpenAPI(c *fiber.Ctx) error {
	return sendKept(c, fiber.MIMEApplicationJSON, document().JSON)
}

// showDocs gives the contract to people: one page that needs nothing else.
func (s *Server) showDocs(c *fiber.Ctx) error {
	c.Set(fiber.HeaderContentSecurityPolicy,
		"default-src 'none'; style-src '"+document().StyleHash+"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	return sendKept(c, fiber.MIMETextHTMLCharsetUTF8, document().Page)
}

// sendKept answers with what changes with the program only: a client that has it
// is told so.
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
