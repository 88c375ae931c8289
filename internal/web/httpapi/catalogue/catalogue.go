// Package catalogue serves the texts of the catalogue to accounts: lists, searches, articles and
// their versions, files and pages of gazettes, and the check of a text's references.
package catalogue

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/blobs"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/public"
	"vigueur/internal/web/httpapi/transport"
)

// Handlers serve the routes of the catalogue. They must not be copied once they serve.
type Handlers struct {
	*guard.Guard

	Public      *public.Pages // nil: the catalogue has no public pages
	Blobs       blobs.Store
	Images      *Images
	ReadFile    func(ctx context.Context, path string) (text string, err error) // of a file that is to be checked
	Guests      *ratelimit.Limiter                                              // title suggestions without authentication, from one network; nil: not allowed
	Papers      *transport.Slots                                                // exports as Word and PDF in progress; a long one takes seconds of a core
	Checks      *transport.Slots                                                // texts that are checked, which takes as long
	MostUploads int                                                             // files to be checked that arrive at once; further ones are rejected

	briefs transport.Uploads
}

// Routes registers the routes, those of the API below api.
func (s *Handlers) Routes(app, api fiber.Router) {
	api.Get("/documents/:id/relations", s.Protect(s.WithETag(guard.ByID(s.listRelations))))
	api.Get("/documents", s.Protect(s.WithETag(s.listDocuments)))
	api.Get("/documents/:id", s.Protect(s.WithETag(guard.ByID(s.showDocument))))
	api.Get("/documents/:id/file", s.documentFile)
	api.Get("/documents/:id/pages/:page.png", s.documentPage)
	api.Get("/documents/:id/details", s.Protect(s.WithETag(guard.ByID(s.showDetails))))
	api.Get("/documents/:id/export", s.Protect(s.WithETag(s.exportDocument)))
	api.Get("/documents/:id/days", s.Protect(s.WithETag(guard.ByID(s.listDays))))
	api.Get("/documents/:id/versions", s.Protect(s.WithETag(guard.ByID(s.listTextVersions))))
	api.Get("/documents/:id/articles", s.Protect(s.WithETag(s.listArticles)))
	api.Get("/documents/:id/articles/:article_id", s.letRead(s.showArticle))
	api.Get("/documents/:id/articles/:article_id/references", s.letRead(s.listReferences))
	api.Get("/documents/:id/articles/:article_id/cited-by", s.Protect(s.WithETag(s.listCiting)))
	api.Get("/documents/:id/articles/:article_id/versions", s.Protect(s.WithETag(s.listVersions)))
	api.Get("/documents/:id/articles/:article_id/diff", s.Protect(s.WithETag(s.showDiff)))
	api.Get("/domaines", s.listDomains)
	api.Get("/countries", s.listCountries)
	api.Get("/examples", s.listExamples) // protected unless the catalogue is public
	api.Get("/search", s.Protect(s.WithETag(s.search)))
	app.Post(VerifyRoute, s.Protect(s.LimitConcurrency(s.verifyText)))
	api.Get("/titles", s.suggestTitles) // protected unless configured to be open
}
