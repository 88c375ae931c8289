// Package apidoc renders an OpenAPI document, written in YAML, as JSON for programs and as an
// HTML page for people.
//
// Parse produces both once; the same document gives the same bytes. The JSON keeps the order
// of the document. The page is in French and self-contained (one style sheet, one script,
// nothing from other hosts); it can be read without its script, which looks for operations
// and sends requests to the service that serves the page. A reference that cannot be resolved is an error.
package apidoc

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Document is an OpenAPI document, ready to be served.
type Document struct {
	JSON []byte
	Page []byte // HTML
	// Hashes of the page's only style sheet and script, as in a Content-Security-Policy
	StyleHash, ScriptHash string
}

// Parse reads an OpenAPI 3.1 document.
func Parse(source []byte) (*Document, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(source, &root); err != nil {
		return nil, fmt.Errorf("apidoc: %w", err)
	}
	if root.Kind != yaml.DocumentNode || root.Content[0].Kind != yaml.MappingNode {
		return nil, fmt.Errorf("apidoc: the document is not a mapping")
	}
	spelled, err := toJSON(root.Content[0])
	if err != nil {
		return nil, fmt.Errorf("apidoc: %w", err)
	}
	page, err := render(root.Content[0])
	if err != nil {
		return nil, fmt.Errorf("apidoc: %w", err)
	}
	return &Document{JSON: spelled, Page: page, StyleHash: hash(style), ScriptHash: hash(script)}, nil
}

// hash returns the hash of an inline element's text as a Content-Security-Policy names it.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
