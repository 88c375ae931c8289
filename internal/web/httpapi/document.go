package httpapi

import (
	_ "embed"
	"encoding/json"
	"sync"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/web/apidoc"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/webpage"
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

// Version returns the version of the contract, such as 1.0.0.
var Version = sync.OnceValue(func() string {
	var told struct {
		Info struct {
			Version string `json:"version"`
		} `json:"info"`
	}
	if err := json.Unmarshal(document().JSON, &told); err != nil {
		panic(err) // it was made from what is embedded
	}
	return told.Info.Version
})

// documentFiles are the two forms of the contract, compressed once per process.
var documentFiles = sync.OnceValue(func() (files struct{ json, page *webpage.File }) {
	d := document()
	for kind, f := range map[string]struct {
		into **webpage.File
		body []byte
	}{fiber.MIMEApplicationJSON: {&files.json, d.JSON}, fiber.MIMETextHTMLCharsetUTF8: {&files.page, d.Page}} {
		file, err := webpage.Compressed(kind, f.body)
		if err != nil {
			panic(err) // writing to memory does not fail
		}
		*f.into = file
	}
	return files
})

// showOpenAPI serves GET /openapi.json. It serves the contract as JSON.
func (s *Server) showOpenAPI(c *fiber.Ctx) error {
	return respond.SendStatic(c, documentFiles().json, documentCache)
}

// showDocs serves GET /docs. It serves the contract as one self-contained page. Its script may ask
// this service and nobody else.
func (s *Server) showDocs(c *fiber.Ctx) error {
	d := document()
	c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; style-src '"+d.StyleHash+"'; script-src '"+d.ScriptHash+
		"'; connect-src 'self'; require-trusted-types-for 'script'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	return respond.SendStatic(c, documentFiles().page, documentCache)
}

// documentCache has caches ask each time whether the program is another.
const documentCache = "public, no-cache"
