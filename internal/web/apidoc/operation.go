package apidoc

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"
)

// operation is one method of one path.
type operation struct {
	ID, Method, Path, Summary, About string
	Tag                              string
	Token                            bool
	Role                             string // the lowest role that is allowed, "" if every role is
	Scope                            string // the scope that an API key needs, "" if API keys are not accepted
	Parameters                       []field
	Body                             *body
	Answers                          []answer
	Curl                             string
	Fetch                            string // JavaScript that reads the stream of a POST, "" for others
}

// body is a request or response body in one media type.
type body struct {
	Media    string
	Kind     kind
	Fields   []field // fields of an object without a name
	Examples []example
	Events   []field // events of a stream, by name
}

type example struct{ Summary, Text string }

// answer is the response with one status.
type answer struct {
	Status  string
	About   string
	Headers []field
	Bodies  []body
}

// methods are the HTTP methods of operations.
var methods = map[string]bool{"get": true, "head": true, "post": true, "put": true, "patch": true, "delete": true}

func (r *reader) operations(path string, n *yaml.Node) (list []operation) {
	shared := items(child(n, "parameters"))
	for _, p := range pairs(n) {
		if !methods[p.key] {
			continue
		}
		o := operation{
			ID: text(p.value, "operationId"), Method: strings.ToUpper(p.key), Path: path, Summary: text(p.value, "summary"),
			About: text(p.value, "description"), Role: text(p.value, "x-role"), Scope: text(p.value, "x-scope"), Token: child(p.value, "security") == nil,
		}
		if tags := items(child(p.value, "tags")); len(tags) > 0 {
			o.Tag = tags[0].Value
		}
		for _, parameter := range append(shared[:len(shared):len(shared)], items(child(p.value, "parameters"))...) {
			o.Parameters = append(o.Parameters, r.parameter(parameter))
		}
		if sent := child(p.value, "requestBody"); sent != nil {
			target, _ := r.resolve(sent)
			for _, b := range r.bodies(child(target, "content")) {
				o.Body = &b
			}
		}
		for _, a := range pairs(child(p.value, "responses")) {
			o.Answers = append(o.Answers, r.answer(a))
		}
		o.Curl, o.Fetch = curl(o), fetch(o)
		list = append(list, o)
	}
	return list
}

func (r *reader) parameter(n *yaml.Node) field {
	n, _ = r.resolve(n)
	return field{Name: text(n, "name"), In: text(n, "in"), Kind: r.kindOf(child(n, "schema")), Required: text(n, "required") == "true", About: text(n, "description")}
}

func (r *reader) answer(p pair) answer {
	n, _ := r.resolve(p.value)
	a := answer{Status: p.key, About: text(n, "description"), Bodies: r.bodies(child(n, "content"))}
	for _, h := range pairs(child(n, "headers")) {
		header, _ := r.resolve(h.value)
		a.Headers = append(a.Headers, field{Name: h.key, Kind: r.kindOf(child(header, "schema")), Required: text(header, "required") == "true", About: text(header, "description")})
	}
	return a
}

// bodies lists the media types of a body.
func (r *reader) bodies(content *yaml.Node) (list []body) {
	for _, media := range pairs(content) {
		b := body{Media: media.key}
		if schema := child(media.value, "schema"); schema != nil {
			b.Kind = r.kindOf(schema)
			if b.Kind.Ref == "" {
				b.Fields = r.fieldsOf(schema)
			}
		}
		if value := child(media.value, "example"); value != nil {
			b.Examples = append(b.Examples, example{"", r.spell(value)})
		}
		for _, e := range pairs(child(media.value, "examples")) {
			b.Examples = append(b.Examples, example{text(e.value, "summary"), r.spell(child(e.value, "value"))})
		}
		if stream := text(media.value, "x-stream"); stream != "" {
			b.Examples = append(b.Examples, example{Text: stream})
		}
		for _, e := range pairs(child(media.value, "x-events")) {
			b.Events = append(b.Events, field{Name: e.key, Kind: r.kindOf(e.value)})
		}
		list = append(list, b)
	}
	return list
}

// spell returns an example as it is sent: a text unchanged, any other value as JSON.
func (r *reader) spell(n *yaml.Node) string {
	if n == nil {
		if r.err == nil {
			r.err = errors.New("an example has no value")
		}
		return ""
	}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		return n.Value
	}
	raw, err := toJSON(n)
	var out bytes.Buffer
	if err == nil {
		err = json.Indent(&out, raw, "", "  ")
	}
	if err != nil && r.err == nil {
		r.err = err
	}
	return out.String()
}
