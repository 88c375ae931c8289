package httpapi

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
)

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
	Security             *[]any // not nil: no token
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
	Required             docsNames
}

type docsNames []string

// Has reports whether a name is in the list.
func (n docsNames) Has(name string) bool { return slices.Contains(n, name) }

// Name returns the name of the schema that a reference leads to.
func (s docsSchema) Name() string { return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:] }

// Choices returns the schemas of which a value may have one.
func (s docsSchema) Choices() []docsSchema {
	if s.Type != nil {
		return nil // what is left says which fields are required together
	}
	return append(s.OneOf, s.AnyOf...)
}

// Kind says what a value is, in French.
func (s docsSchema) Kind() string {
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
	layout, err := template.New("docs").Funcs(template.FuncMap{"markdown": renderMarkdown}).Parse(docsLayout)
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
