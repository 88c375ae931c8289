package httpapi

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"reflect"
	"sync"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/law"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/webpage"
)

// prose is what the document says in sentences: its introduction, and the description of each operation that has one.
//
//go:embed operations.md
var prose string

// Version returns the version of the contract, such as 1.0.0.
func Version() string { return "1.1.0" }

// tags are the headings of the document.
var tags = []string{
	"Session: Se connecter, rester connecté, changer de mot de passe.",
	"Questions: Poser une question et suivre sa réponse, qui arrive en continu.",
	"Conversations: L’historique de qui fait la requête. Les conversations des autres n’existent pas pour lui (404).",
	"Documents: Le catalogue des textes de loi.",
	"Alertes: Suivre le droit, et en être averti par courriel ou par webhook.",
	"Rendez-vous: Les demandes du public.",
	"Administration des comptes: Pour le rôle `admin`.",
	"Administration du catalogue: Pour le rôle `editor`, les domaines pour le rôle `admin`.",
	"Administration du service: Les demandes et le journal pour le rôle `admin`, le reste pour le rôle `editor`.",
	"Programmes: L’autorisation de programmes à appeler les outils (OAuth 2.1), que leurs bibliothèques demandent d’elles-mêmes.",
	"Service: L’état du serveur et cette documentation.",
}

// schemaNames are the names of schemas that clients know under others than those of their types.
var schemaNames = map[reflect.Type]string{
	reflect.TypeFor[account.FactorBody]():      "SecondFactor",
	reflect.TypeFor[conversations.WholeBody](): "WholeConversation", reflect.TypeFor[conversations.SharedBody](): "SharedConversation",
	reflect.TypeFor[conversations.LinkBody](): "ConversationLink", reflect.TypeFor[conversations.NewLinkBody](): "NewConversationLink",
	reflect.TypeFor[law.Domain](): "Domaine", reflect.TypeFor[law.Issue](): "GazetteIssue", reflect.TypeFor[law.Part](): "DiffPart",
	reflect.TypeFor[law.Record](): "LegalDocument", reflect.TypeFor[law.RelationRef](): "RelationOfCitation",
	reflect.TypeFor[postgres.Evidence](): "Instruction", reflect.TypeFor[postgres.Facets](): "SearchFacets",
	reflect.TypeFor[postgres.Line](): "PageLine",
	reflect.TypeFor[verify.Act]():    "VerifiedAct", reflect.TypeFor[verify.Article](): "VerifiedArticle", reflect.TypeFor[verify.Citing](): "CitingArticle",
	reflect.TypeFor[verify.Link](): "ArticleLink", reflect.TypeFor[verify.Quotation](): "VerifiedQuotation",
	reflect.TypeFor[verify.Reference](): "VerifiedReference", reflect.TypeFor[verify.Report](): "Verification", reflect.TypeFor[verify.Source](): "VerifiedText",
}

// documents are the contract as JSON, and its two forms compressed.
var documents struct {
	sync.Once
	json       []byte
	spec, page *webpage.File
}

// OpenAPI returns the contract as JSON. It is made from the routes, once per process.
func OpenAPI() []byte {
	documents.Do(func() {
		if err := makeDocuments(); err != nil {
			panic(err) // it depends on the program alone
		}
	})
	return documents.json
}

func makeDocuments() (err error) {
	s := &Server{Queue: struct{ Queue }{}}
	s.assemble()
	document := contract.Document{Title: "Vigueur", Version: Version(), Summary: "Questions sur le droit d’un pays, répondues d’après ses gazettes officielles.", Prose: prose, Tags: tags, Names: schemaNames}
	if documents.json, err = document.JSON(s.routes(fiber.New())); err != nil {
		return err
	}
	if documents.spec, err = webpage.Compressed(fiber.MIMEApplicationJSON, documents.json); err != nil {
		return err
	}
	html, err := renderDocs(documents.json)
	if err == nil {
		documents.page, err = webpage.Compressed(fiber.MIMETextHTMLCharsetUTF8, html)
	}
	return err
}

// documentCache has caches ask each time whether the program is another.
const documentCache = "public, no-cache"

// revalidated returns the handler of a file that depends on the program alone.
func revalidated(serve func(c *fiber.Ctx) error) contract.Handler {
	h := contract.Open(func(c *fiber.Ctx, _ contract.None) (reply contract.Sent, _ error) { return reply, serve(c) })
	h.ETag = true
	return h
}

// showOpenAPI serves GET /openapi.json. It serves the contract as JSON.
func showOpenAPI(c *fiber.Ctx) error {
	OpenAPI()
	return respond.SendStatic(c, documents.spec, documentCache)
}

// showDocs serves GET /docs. It serves the contract as one page, which asks nobody for anything.
func showDocs(c *fiber.Ctx) error {
	OpenAPI()
	sum := sha256.Sum256([]byte(docsStyle))
	c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	return respond.SendStatic(c, documents.page, documentCache)
}
