package httpapi

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/yuin/goldmark"

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

var (
	//go:embed docs.html
	docsLayout string
	//go:embed docs.css
	docsStyle string
)

// docsPage is what the page of the documentation shows: parts of the OpenAPI document.
type docsPage struct {
	Info       struct{ Title, Version, Summary, Description string }
	Sections   []docsSection `json:"tags"`
	Paths      map[string]map[string]docsOperation
	Components struct{ Schemas map[string]docsSchema }
	Style      template.CSS `json:"-"`
}

// docsSection is a heading with its operations.
type docsSection struct {
	Name, Description string
	Operations        []docsOperation `json:"-"`
}

type docsOperation struct {
	Method, Path         string `json:"-"`
	ID                   string `json:"operationId"`
	Summary, Description string
	Role                 string `json:"x-role"`
	Scope                string `json:"x-scope"`
	Tags                 []string
	Security             *[]any // empty: no token; nil: one; else one, unless the operator opens the operation
	RequestBody          docsContent
	Responses            map[string]struct {
		docsContent
		Ref         string `json:"$ref"`
		Description string
	}
	Parameters []struct {
		Name, In, Description string
		Required              bool
		Schema                docsSchema
	}
}

type docsContent struct {
	Content map[string]struct {
		Schema docsSchema
		Events map[string]docsSchema `json:"x-events"`
	}
}

// docsSchema is a schema: a reference, a list, a choice or a value with its bounds.
type docsSchema struct {
	Ref                  string `json:"$ref"`
	Description, Format  string
	Type                 any // a text or a list of texts
	Enum                 []any
	Minimum, Maximum     any
	MinLength, MaxLength any
	Items                *docsSchema
	OneOf, AnyOf         []docsSchema
	Properties           map[string]docsSchema
	Required             []string
}

// docsFunctions are what the page's template calls.
var docsFunctions = template.FuncMap{
	"has":      slices.Contains[[]string],
	"name":     func(s docsSchema) string { return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:] }, // of the schema that a reference leads to
	"kind":     describeSchema,
	"markdown": renderMarkdown,
	"choices": func(s docsSchema) []docsSchema {
		if s.Type != nil {
			return nil // what is left says which fields are required together
		}
		return append(s.OneOf, s.AnyOf...)
	},
}

// describeSchema says what a value is, in French.
func describeSchema(s docsSchema) string {
	names := strings.Fields(strings.Trim(fmt.Sprint(s.Type), "[]"))
	for i, name := range names {
		names[i] = cmp.Or(map[string]string{"string": "texte", "integer": "entier", "number": "nombre", "boolean": "booléen", "object": "objet", "array": "liste", "<nil>": "valeur"}[name], name)
	}
	kind := strings.Join(names, " ou ")
	if s.Format != "" {
		kind += " (" + s.Format + ")"
	}
	for _, bound := range []struct {
		words string
		value any
	}{{"au moins %v", s.Minimum}, {"au plus %v", s.Maximum}, {"au moins %v caractères", s.MinLength}, {"au plus %v caractères", s.MaxLength}} {
		if bound.value != nil {
			kind += fmt.Sprintf(", "+bound.words, bound.value)
		}
	}
	for i, value := range s.Enum {
		kind += cmp.Or(map[int]string{0: " : "}[i], ", ") + fmt.Sprint(value)
	}
	return kind
}

// renderDocs returns an OpenAPI document as a page that needs nothing else.
func renderDocs(spec []byte) ([]byte, error) {
	page := docsPage{Style: template.CSS(docsStyle)} //nolint:gosec // it is embedded
	if err := json.Unmarshal(spec, &page); err != nil {
		return nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(page.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(page.Paths[path])) {
			o := page.Paths[path][method]
			o.Method, o.Path = strings.ToUpper(method), path
			i := slices.IndexFunc(page.Sections, func(s docsSection) bool { return s.Name == o.Tags[0] })
			page.Sections[i].Operations = append(page.Sections[i].Operations, o)
		}
	}
	layout, err := template.New("docs").Funcs(docsFunctions).Parse(docsLayout)
	if err != nil {
		return nil, err
	}
	var html bytes.Buffer
	err = layout.Execute(&html, page)
	return html.Bytes(), err
}

// renderMarkdown returns Markdown as HTML, without HTML that it contains.
func renderMarkdown(source string) (template.HTML, error) {
	var html bytes.Buffer
	err := goldmark.Convert([]byte(source), &html)
	return template.HTML(html.String()), err //nolint:gosec // the library has escaped it
}
