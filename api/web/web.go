// Package web contains the web page: its source in src and its bundle in dist. « go -C
// scripts run ./bundle » makes the bundle, which is not in the repository. A program that
// was built without the bundle serves no page, and says so.
package web

import (
	"embed"
	"fmt"
	"io/fs"

	"vigueur/internal/web/webpage"
)

//go:embed all:dist
var dist embed.FS

// Page returns the embedded bundle, or a site without a page if there is none.
func Page() (*webpage.Site, error) {
	bundle, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	return webpage.Read(bundle)
}
