// Package catalogue serves the texts of the catalogue to accounts: lists, searches, articles and
// their versions, files and pages of gazettes, and the check of a text's references.
package catalogue

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/public"
	"vigueur/internal/web/httpapi/respond"
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

	briefs transport.Slots
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
	api.Get("/documents/:id/export", "exportDocument", "Emporter un texte", s.Signed(s.Revalidated(contract.Exports(contract.Do(s.exportDocument))))).Scope("documents").Media("application/json", "text/markdown", "application/akn+xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.document").Headers("Content-Disposition")
	api.Get("/documents/:id/days", "listDays", "Lister les dates d’un texte", s.Signed(s.Revalidated(contract.Do(s.listDays)))).Scope("documents")
	api.Get("/documents/:id/versions", "listTextVersions", "Lister les versions des articles d’un texte", s.Signed(s.Revalidated(contract.Do(s.listTextVersions)))).Scope("documents")
	api.Get("/documents/:id/articles", "listArticles", "Lister les articles d’un texte", s.Signed(s.Revalidated(contract.Do(s.listArticles)))).Scope("documents")
	api.Get("/documents/:id/articles/:article_id", "showArticle", "Lire un article", s.letRead(contract.Do(s.showArticle))).Guests().Fails(304, 401, 403).Scope("documents")
	api.Get("/documents/:id/articles/:article_id/references", "listReferences", "Lister où mènent les renvois d’un article", s.letRead(contract.Do(s.listReferences))).Guests().Fails(304, 401, 403).Scope("documents")
	api.Get("/documents/:id/articles/:article_id/cited-by", "listCiting", "Lister ce qui cite un article", s.Signed(s.Revalidated(contract.Do(s.listCiting)))).Scope("documents")
	api.Get("/documents/:id/articles/:article_id/versions", "listVersions", "Lister les versions d’un article", s.Signed(s.Revalidated(contract.Do(s.listVersions)))).Scope("documents")
	api.Get("/documents/:id/articles/:article_id/diff", "showDiff", "Comparer un article entre deux jours", s.Signed(s.Revalidated(contract.Do(s.showDiff)))).Scope("documents")
	api.Get("/domaines", "listDomains", "Lister les domaines", s.Revalidated(contract.Open(s.listDomains))).Fails(304)
	api.Get("/countries", "listCountries", "Lister les pays", s.Revalidated(contract.Open(s.listCountries))).Fails(304)
	api.Get("/examples", "listExamples", "Proposer des questions", s.letExample()).Guests().Fails(304, 401, 403).Scope("documents") // protected unless the catalogue is public
	api.Get("/search", "search", "Chercher dans les textes et leurs articles", s.Signed(s.Revalidated(contract.Do(s.search)))).Scope("documents")
	api.Post("/verify", "verify", "Vérifier les références et les citations d’un texte", s.Signed(s.InTurn(contract.Reading[verifyInput](s.verifyText)))).TakesForm(verifyForm{}).Scope("documents")
	api.Get("/titles", "suggestTitles", "Chercher un titre à mesure qu’on le tape", s.letSuggest(contract.Do(s.suggestTitles))).Guests().Fails(304, 401, 403).Scope("documents") // protected unless configured to be open
}

// Page sizes of a text's articles, without and with their words.
const (
	articlesMost     = 1000
	articlesReadMost = 100
)

const (
	// DrawMost is the maximum number of pages that a server renders at the same time. Each
	// is rendered by a process that may use as much memory as the largest page needs.
	DrawMost = 2
	// drawTimeout is the maximum time of rendering a page.
	drawTimeout = 7 * time.Second
	// pointsInch is the number of points per inch.
	pointsInch = 72
)

// pagesKept is how many images of pages a server keeps, keptSize the size of the largest in
// bytes; most have a third of it.
const pagesKept, keptSize = 128, 256 << 10

// Page size and maximum length of a search, in code points.
const (
	searchDefault = 20
	searchMost    = 50
	SearchLimit   = 200
)

// briefTime is how long a file to be checked may take to arrive.
const briefTime = 5 * time.Minute

// pendingMost is the maximum number of instructions in a list of days: as many as people read.
const pendingMost = 50

// CountryOfTextsBody is a country with the number of its texts.
type CountryOfTextsBody struct {
	Code      string `json:"pays" doc:"Un pays en deux lettres, une union (ohada, uemoa, cemac, cedeao, ue), ou « x- » et le nom que se donne un État d’aucune liste."`
	Name      string `json:"nom"`
	Documents int    `json:"documents_count"`
}

// listCountries serves GET /countries. It shows the countries from which readers choose their own, by name.
func (s *Handlers) listCountries(c *fiber.Ctx, _ contract.None) (reply []CountryOfTextsBody, _ error) {
	counts, err := s.DB.Countries(c.UserContext())
	if err != nil {
		return reply, err
	}
	return respond.ShowAll(selectOffered(counts), func(n postgres.Count) CountryOfTextsBody {
		return CountryOfTextsBody{n.Value, country.Name(country.Code(n.Value)), n.N}
	}), nil
}

// selectOffered returns the countries of which somebody may be a reader: no unions, and no states that are in no list, such as
// those of samples, unless the catalogue has only these.
func selectOffered(counts []postgres.Count) []postgres.Count {
	var listed, others []postgres.Count
	for _, n := range counts {
		switch code := country.Code(n.Value); {
		case country.Union(code):
		case country.IsListed(code):
			listed = append(listed, n)
		case country.Name(code) != "":
			others = append(others, n)
		}
	}
	if len(listed) == 0 {
		listed = others
	}
	slices.SortFunc(listed, func(a, b postgres.Count) int {
		name := func(n postgres.Count) string { return law.Fold(country.Name(country.Code(n.Value))) }
		return cmp.Compare(name(a), name(b))
	})
	return listed
}

// DomainBody is a domain of law with the number of its texts.
type DomainBody = law.Domain

// listDomains serves GET /domaines. It shows the active domains in their configured order.
func (s *Handlers) listDomains(c *fiber.Ctx, _ contract.None) ([]law.Domain, error) {
	return s.DB.Domains(c.UserContext())
}

// ExampleBody is a question about an article of the catalogue.
type ExampleBody struct {
	Question string    `json:"question"`
	Domain   string    `json:"domaine" doc:"Code du domaine."`
	Document uuid.UUID `json:"document_id"`
	Title    string    `json:"title"`
	Article  uuid.UUID `json:"article_id"`
	Number   string    `json:"number" doc:"Numéro de l’article, comme il est imprimé."`
}

type examplesInput struct {
	Country string `query:"pays" maxLength:"120" doc:"Le pays dont le droit est demandé ; sans lui, celui de la plupart des textes."`
}

type examplesBody struct {
	Items   []ExampleBody `json:"items"`
	Refined int           `json:"refined_in_minutes" doc:"Dans combien de minutes tous les textes seront trouvés aussi précisément les uns que les autres ; 0 si c’est le cas, ou si on ne le sait pas."`
}

// letExample serves questions for readers who have none yet: to signed-in users and, where the
// catalogue is public, to anybody.
func (s *Handlers) letExample() contract.Handler {
	reader := func(guest bool) contract.Handler {
		return s.Revalidated(contract.Open(func(c *fiber.Ctx, input examplesInput) (examplesBody, error) { return s.examples(c, input, guest) }))
	}
	if s.Public == nil {
		return s.Signed(reader(false))
	}
	return guard.SignedOr(s.Signed(reader(false)), reader(true), s.Public.AdmitReader)
}

// examples returns questions about articles in force.
func (s *Handlers) examples(c *fiber.Ctx, input examplesInput, guest bool) (reply examplesBody, _ error) {
	named, err := s.DB.Examples(c.UserContext(), input.Country)
	if err != nil {
		return reply, err
	}
	items := []ExampleBody{}
	for _, e := range named {
		if !(guest && s.Public.HideIndividual && law.Individual(e.Title)) {
			items = append(items, ExampleBody{cmp.Or(e.Question, "Que dit l’article "+e.Number+" "+extractive.OfText(e.Title)+" ?"), e.Domain, e.Document, e.Title, e.Article, e.Number})
		}
	}
	left, err := s.DB.RefinedIn(c.UserContext())
	if err != nil {
		return reply, err
	}
	return examplesBody{items, int(math.Ceil(left.Minutes()))}, nil
}
