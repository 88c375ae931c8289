// Package web holds the page: its source in src, and the bundle that
// « go run ./api/web/build » makes of it in dist, which is not in the repository.
// A program that is built without the bundle has no page, and says so.
package web

import (
	"embed"
	"fmt"
	"io/fs"

	"vigueur/internal/webpage"
)

//go:embed all:dist
var dist embed.FS

// Page reads the bundle that the program was built with. Without one the site
// has no page.
func Page() (*webpage.Site, error) {
	bundle, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	return webpage.Read(bundle)
}
