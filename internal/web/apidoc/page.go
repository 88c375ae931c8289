package apidoc

import (
	"bytes"
	_ "embed"
	"html/template"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

var (
	//go:embed page.html
	layout string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// page is the data of the template.
type page struct {
	Title, Summary, Version, About string
	Sections                       []section
	Schemas                        []schema
	Style                          template.CSS
	Script                         template.JS
}

// section holds the operations of a tag.
type section struct {
	Name, About string
	Operations  []operation
}

// schema is a named object of the document.
type schema struct {
	Name, About string
	Fields      []field
}

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"prose": prose, "phrase": phrase, "lower": strings.ToLower, "anchor": anchor,
	"writes":  func(method string) bool { return method != "GET" && method != "HEAD" },
	"success": func(status string) bool { return strings.HasPrefix(status, "2") },
}).Parse(layout))

// render returns the page as HTML.
func render(root *yaml.Node) ([]byte, error) {
	r := &reader{root: root}
	info := child(root, "info")
	p := page{
		Title: text(info, "title"), Summary: text(info, "summary"), Version: text(info, "version"), About: text(info, "description"),
		Style:  template.CSS(style), //nolint:gosec // page.css is embedded
		Script: template.JS(script), //nolint:gosec // page.js is embedded
	}
	for _, tag := range items(child(root, "tags")) {
		s := section{Name: text(tag, "name"), About: text(tag, "description")}
		for _, path := range pairs(child(root, "paths")) {
			for _, o := range r.operations(path.key, path.value) {
				if o.Tag == s.Name {
					s.Operations = append(s.Operations, o)
				}
			}
		}
		p.Sections = append(p.Sections, s)
	}
	for _, named := range pairs(child(child(root, "components"), "schemas")) {
		if child(named.value, "properties") != nil {
			p.Schemas = append(p.Schemas, schema{named.key, text(named.value, "description"), r.fieldsOf(named.value)})
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	var out bytes.Buffer
	err := pageTemplate.Execute(&out, p)
	return out.Bytes(), err
}

var (
	code   = regexp.MustCompile("`([^`]+)`")
	strong = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	spaces = regexp.MustCompile(`[^a-z0-9]+`)
)

// phrase converts the Markdown that the document uses, `code` and **strong**, to HTML, and
// escapes everything else.
func phrase(s string) template.HTML {
	s = template.HTMLEscapeString(strings.TrimSpace(s))
	s = code.ReplaceAllString(s, "<code>$1</code>")
	return template.HTML(strong.ReplaceAllString(s, "<strong>$1</strong>")) //nolint:gosec // escaped above
}

// prose does what phrase does, for several paragraphs.
func prose(s string) template.HTML {
	var out strings.Builder
	for _, paragraph := range strings.Split(s, "\n\n") {
		if strings.TrimSpace(paragraph) != "" {
			out.WriteString("<p>" + string(phrase(paragraph)) + "</p>")
		}
	}
	return template.HTML(out.String()) //nolint:gosec // escaped by phrase
}

// anchor returns the id of an element of the page, made from its title.
func anchor(s string) string {
	return strings.Trim(spaces.ReplaceAllString(strings.ToLower(s), "-"), "-")
}
