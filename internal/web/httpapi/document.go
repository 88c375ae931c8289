package httpapi

import (
	_ "embed"
	"encoding/json"
	"maps"
	"reflect"
	"sync"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/law"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/apidoc"
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

//go:embed openapi.yaml
var openAPI []byte

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

// OpenAPI returns the contract as JSON. It is made from the routes, once per process.
func OpenAPI() []byte {
	made.Do(func() { made.json = makeDocument() })
	return made.json
}

var made struct {
	sync.Once
	json []byte
}

func makeDocument() []byte {
	s := &Server{Queue: struct{ Queue }{}}
	s.assemble()
	document := contract.Document{Title: "Vigueur", Version: Version(), Summary: "Questions sur le droit d’un pays, répondues d’après ses gazettes officielles.", Prose: prose, Tags: tags, Names: schemaNames}
	made, err := document.JSON(s.routes(fiber.New()))
	if err != nil {
		panic(err) // it depends on the program alone
	}
	written, err := apidoc.Parse(openAPI)
	if err != nil {
		panic(err)
	}
	var all, some map[string]map[string]any
	for _, one := range []struct {
		raw  []byte
		into *map[string]map[string]any
	}{{written.JSON, &all}, {made, &some}} {
		var parts map[string]json.RawMessage
		_ = json.Unmarshal(one.raw, &parts)
		*one.into = map[string]map[string]any{}
		for _, name := range []string{"paths", "components", "info"} {
			var part map[string]any
			_ = json.Unmarshal(parts[name], &part)
			(*one.into)[name] = part
		}
	}
	for path, item := range some["paths"] {
		if all["paths"][path] == nil {
			all["paths"][path] = map[string]any{}
		}
		maps.Copy(all["paths"][path].(map[string]any), item.(map[string]any)) //nolint:errcheck,forcetypeassert // both are objects of the program's own document
	}
	for name, part := range some["components"] {
		if all["components"][name] == nil {
			all["components"][name] = map[string]any{}
		}
		maps.Copy(all["components"][name].(map[string]any), part.(map[string]any)) //nolint:errcheck,forcetypeassert // as above
	}
	var whole map[string]any
	_ = json.Unmarshal(written.JSON, &whole)
	var own map[string]any
	_ = json.Unmarshal(made, &own)
	for _, name := range []string{"info", "tags", "servers", "security"} {
		whole[name] = own[name]
	}
	whole["paths"], whole["components"] = all["paths"], all["components"]
	merged, err := json.Marshal(whole)
	if err != nil {
		panic(err)
	}
	return merged
}

// documents are the two forms of the contract, compressed once per process.
var documents struct {
	sync.Once
	json, page *webpage.File
	d          *apidoc.Document
}

func documentFiles() (json, page *webpage.File, d *apidoc.Document) {
	documents.Do(func() {
		var err error
		if documents.d, err = apidoc.Parse(OpenAPI()); err != nil {
			panic(err)
		}
		documents.json, err = webpage.Compressed(fiber.MIMEApplicationJSON, OpenAPI())
		if err != nil {
			panic(err)
		}
		documents.page, err = webpage.Compressed(fiber.MIMETextHTMLCharsetUTF8, documents.d.Page)
		if err != nil {
			panic(err)
		}
	})
	return documents.json, documents.page, documents.d
}

// showOpenAPI serves GET /openapi.json. It serves the contract as JSON.
func (s *Server) showOpenAPI(c *fiber.Ctx) error {
	file, _, _ := documentFiles()
	return respond.SendStatic(c, file, documentCache)
}

// showDocs serves GET /docs. It serves the contract as one self-contained page. Its script may ask
// this service and nobody else.
func (s *Server) showDocs(c *fiber.Ctx) error {
	_, page, d := documentFiles()
	c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; style-src '"+d.StyleHash+"'; script-src '"+d.ScriptHash+
		"'; connect-src 'self'; require-trusted-types-for 'script'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	return respond.SendStatic(c, page, documentCache)
}

// documentCache has caches ask each time whether the program is another.
const documentCache = "public, no-cache"
