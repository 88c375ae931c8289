// Package catalogue serves the texts of the catalogue to accounts: lists, searches, articles and
// their versions, files and pages of gazettes, and the check of a text's references.
package catalogue

import (
	"context"

	"vigueur/internal/store/blobs"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/contract"
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
func (s *Handlers) Routes(routes contract.Routes) {
	api := routes.Below(transport.Prefix)
	api = api.Tag("Documents")
	api.Get("/documents/:id/relations", "listRelations", "Voir les relations d’un texte", s.Signed(s.Revalidated(contract.Do(s.listRelations)))).Scope("documents")
	api.Get("/documents", "listDocuments", "Parcourir le catalogue", s.Signed(s.Revalidated(contract.Do(s.listDocuments)))).Scope("documents")
	api.Get("/documents/:id", "showDocument", "Voir un texte", s.Signed(s.Revalidated(contract.Do(s.showDocument)))).Scope("documents").Headers("Link")
	api.Get("/documents/:id/file", "readFile", "Lire le PDF de la gazette", contract.Open(s.documentFile)).Gives(200, 206).Fails(304, 416).Media("application/pdf").Headers("Accept-Ranges", "Content-Disposition", "Cache-Control")
	api.Get("/documents/:id/pages/:page.png", "showGazettePage", "Voir une page de la gazette d’un texte", contract.Open(s.documentPage)).Fails(304).Media("image/png").Headers("Cache-Control", "X-Page-Width")
	api.Get("/documents/:id/details", "showDetails", "Voir où se trouve un texte, et de quel pays il est la loi", s.Signed(s.Revalidated(contract.Do(s.showDetails)))).Scope("documents")
	api.Get("/documents/:id/export", "exportDocument", "Emporter un texte", s.Signed(s.Revalidated(contract.Do(s.exportDocument)))).Scope("documents").Media("application/json", "text/markdown", "application/akn+xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.document").Headers("Content-Disposition")
	api.Get("/documents/:id/days", "listDays", "Lister les dates d’un texte", s.Signed(s.Revalidated(contract.Do(s.listDays)))).Scope("documents")
	api.Get("/documents/:id/versions", "listTextVersions", "Lister les versions des articles d’un texte", s.Signed(s.Revalidated(contract.Do(s.listTextVersions)))).Scope("documents")
	api.Get("/documents/:id/articles", "listArticles", "Lister les articles d’un texte", s.Signed(s.Revalidated(contract.Do(s.listArticles)))).Scope("documents")
	api.Get("/documents/:id/articles/:article_id", "showArticle", "Lire un article", s.letRead(contract.Do(s.showArticle))).Fails(304, 401, 403).Scope("documents")
	api.Get("/documents/:id/articles/:article_id/references", "listReferences", "Lister où mènent les renvois d’un article", s.letRead(contract.Do(s.listReferences))).Fails(304, 401, 403).Scope("documents")
	api.Get("/documents/:id/articles/:article_id/cited-by", "listCiting", "Lister ce qui cite un article", s.Signed(s.Revalidated(contract.Do(s.listCiting)))).Scope("documents")
	api.Get("/documents/:id/articles/:article_id/versions", "listVersions", "Lister les versions d’un article", s.Signed(s.Revalidated(contract.Do(s.listVersions)))).Scope("documents")
	api.Get("/documents/:id/articles/:article_id/diff", "showDiff", "Comparer un article entre deux jours", s.Signed(s.Revalidated(contract.Do(s.showDiff)))).Scope("documents")
	api.Get("/domaines", "listDomains", "Lister les domaines", s.Revalidated(contract.Open(s.listDomains))).Fails(304)
	api.Get("/countries", "listCountries", "Lister les pays", s.Revalidated(contract.Open(s.listCountries))).Fails(304)
	api.Get("/examples", "listExamples", "Proposer des questions", s.letExample()).Fails(304, 401, 403).Scope("documents") // protected unless the catalogue is public
	api.Get("/search", "search", "Chercher dans les textes et leurs articles", s.Signed(s.Revalidated(contract.Do(s.search)))).Scope("documents")
	api.Post("/verify", "verify", "Vérifier les références et les citations d’un texte", s.Signed(s.InTurn(contract.Reading[verifyInput](s.verifyText)))).TakesForm(verifyForm{}).Scope("documents")
	api.Get("/titles", "suggestTitles", "Chercher un titre à mesure qu’on le tape", s.letSuggest(contract.Do(s.suggestTitles))).Fails(304, 401, 403).Scope("documents") // protected unless configured to be open
}
