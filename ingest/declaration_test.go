package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"text/template"
	"text/template/parse"

	"vigueur/internal/web/httpapi"
	"vigueur/internal/web/httpapi/transport"
)

// schema is a part of a schema of the contract.
type schema struct {
	Ref        string            `json:"$ref"`
	Properties map[string]schema `json:"properties"`
	AllOf      []schema          `json:"allOf"`
	OneOf      []schema          `json:"oneOf"`
	AnyOf      []schema          `json:"anyOf"`
	Items      *schema           `json:"items"`
}

// media is a body of the contract by its media type.
type media map[string]struct{ Schema schema }

// contract is the contract of the API as far as commands depend on it.
type contract struct {
	Paths      map[string]map[string]json.RawMessage
	Components struct {
		Parameters map[string]struct{ Name, In string }
		Schemas    map[string]schema
		Responses  map[string]struct{ Content media }
	}
}

// operation is a request of the contract.
type operation struct {
	Parameters []struct {
		Ref      string `json:"$ref"`
		Name, In string
	}
	RequestBody struct{ Content media }
	Responses   map[string]struct {
		Ref     string `json:"$ref"`
		Content media
	}
}

// readContract returns the contract.
func readContract(t *testing.T) (c contract) {
	t.Helper()
	if err := json.Unmarshal(httpapi.OpenAPI(), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// find returns the operation that a call makes.
func (c contract) find(t *testing.T, call string) (o operation, there bool) {
	t.Helper()
	method, path, _ := strings.Cut(call, " ")
	segments := strings.Split(transport.Prefix+path, "/")
	for known, operations := range c.Paths {
		same := slices.EqualFunc(strings.Split(known, "/"), segments, func(a, b string) bool {
			return a == b || strings.HasPrefix(a, "{") && strings.HasPrefix(b, "{")
		})
		if raw, ok := operations[strings.ToLower(method)]; same && ok {
			if err := json.Unmarshal(raw, &o); err != nil {
				t.Fatal(err)
			}
			return o, true
		}
	}
	return o, false
}

// fields returns the fields of an object, those of each of its forms.
func (c contract) fields(s schema) map[string]schema {
	all := map[string]schema{}
	if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
		maps.Copy(all, c.fields(c.Components.Schemas[name]))
	}
	for _, part := range slices.Concat(s.AllOf, s.OneOf, s.AnyOf) {
		maps.Copy(all, c.fields(part))
	}
	maps.Copy(all, s.Properties)
	return all
}

// items returns the schema of the items of a list.
func (c contract) items(s schema) schema {
	if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
		s = c.Components.Schemas[name]
	}
	if s.Items == nil {
		return schema{}
	}
	return *s.Items
}

// takes returns the fields that a request may have.
func (c contract) takes(o operation) map[string]bool {
	all := map[string]bool{}
	for _, p := range o.Parameters {
		if name, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
			all[c.Components.Parameters[name].Name] = true
		}
		all[p.Name] = true
	}
	for name := range c.fields(o.RequestBody.Content["application/json"].Schema) {
		all[name] = true
	}
	return all
}

// gives returns the schema of a successful response.
func (c contract) gives(o operation) schema {
	for status, r := range o.Responses {
		if name, ok := strings.CutPrefix(r.Ref, "#/components/responses/"); ok {
			r.Content = c.Components.Responses[name].Content
		}
		if s, ok := r.Content["application/json"]; ok && strings.HasPrefix(status, "2") {
			return s.Schema
		}
	}
	return schema{}
}

// TestCommandsAreOfTheContract checks that each declared request is one of the API, with the fields that it takes and
// gives, and that all that declarations name is there and is used.
func TestCommandsAreOfTheContract(t *testing.T) {
	t.Parallel()
	c := readContract(t)
	used := map[string]bool{}
	var walk func(path string, d *declaration, flags map[string]*option)
	walk = func(path string, d *declaration, flags map[string]*option) {
		t.Run(path, func(t *testing.T) { c.checkDeclaration(t, d, flags, used) })
		for name, sub := range d.Commands {
			walk(path+" "+name, sub, sub.Flags)
		}
		if d.Without != nil {
			walk(path+" (without)", d.Without, d.Without.Flags)
		}
	}
	for name, d := range declarations() {
		walk(name, d, d.Flags)
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(runs)), slices.Collect(maps.Keys(shows))) {
		if !used[name] {
			t.Errorf("no command needs the function %q", name)
		}
	}
}

func (c contract) checkDeclaration(t *testing.T, d *declaration, flags map[string]*option, used map[string]bool) {
	t.Helper()
	used[d.Run], used[d.Shows], used[d.Then] = true, true, true
	if d.Run != "" && runs[d.Run] == nil || d.Shows != "" && shows[d.Shows] == nil || d.Then != "" && shows[d.Then] == nil {
		t.Errorf("a function that is named is missing: %s %s %s", d.Run, d.Shows, d.Then)
	}
	if d.Call == "" {
		return
	}
	o, there := c.find(t, d.Call)
	if !there {
		t.Fatalf("the API does not have %s", d.Call)
	}
	takes := c.takes(o)
	sent := slices.Concat(slices.Collect(maps.Keys(d.Body)), d.Fields)
	for name, o := range flags {
		sent = slices.AppendSeq(sent, maps.Keys(o.Sets))
		if o.Field == "" && o.Sets == nil {
			sent = append(sent, name)
		} else if o.Field != "" && o.Field != "-" {
			sent = append(sent, o.Field)
		}
	}
	for _, name := range sent {
		if !takes[name] {
			t.Errorf("%s does not take %s", d.Call, name)
		}
	}
	gives := c.gives(o)
	object, item := c.fields(gives), map[string]schema{}
	if d.Pages != "" {
		item = c.fields(c.items(object["items"]))
	}
	of := map[string]schema{"sent": {}, "given": {}, "listed": {}, "more": {}, "total": {}}
	maps.Copy(of, object)
	if len(object) == 0 {
		of["id"] = schema{}
	}
	if d.First != "" {
		first, there := c.find(t, http.MethodGet+" "+d.First)
		if !there {
			t.Errorf("the API does not have %s", d.First)
		}
		of["first"] = schema{Properties: c.fields(c.gives(first))}
		item["first"] = of["first"]
	}
	for _, column := range d.shownColumns() {
		c.checkTemplate(t, column.value, item)
	}
	for _, text := range []string{d.None, d.After, d.Said, d.Data, d.Remark, d.Ask} {
		c.checkTemplate(t, text, of)
	}
}

// checkTemplate checks that a template can be parsed, and names only fields that are there.
func (c contract) checkTemplate(t *testing.T, text string, of map[string]schema) {
	t.Helper()
	parsed, err := template.Must(shared().Clone()).New("").Parse(text)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return
	}
	// resolve returns the schema of a value where dot has some fields; there is none for what is computed.
	var resolve func(n parse.Node, dot map[string]schema) schema
	resolve = func(n parse.Node, dot map[string]schema) (of schema) {
		var names []string
		switch n := n.(type) {
		case *parse.FieldNode:
			of, names = schema{Properties: dot}, n.Ident
		case *parse.ChainNode:
			of, names = resolve(n.Node, dot), n.Field
		case *parse.PipeNode:
			switch args := n.Cmds[0].Args; args[0].String() {
			case "index":
				return c.items(resolve(args[1], dot))
			case "slice":
				return resolve(args[1], dot)
			default:
				return resolve(args[0], dot)
			}
		}
		for i, name := range names {
			if i > 0 && names[0] == "sent" {
				return schema{}
			}
			field, ok := c.fields(of)[name]
			if !ok {
				t.Errorf("%s: there is no %s", text, strings.Join(names[:i+1], "."))
			}
			of = field
		}
		return of
	}
	var walk func(n parse.Node, dot map[string]schema)
	walk = func(n parse.Node, dot map[string]schema) {
		switch n := n.(type) {
		case *parse.ListNode:
			if n != nil {
				for _, sub := range n.Nodes {
					walk(sub, dot)
				}
			}
		case *parse.ActionNode:
			walk(n.Pipe, dot)
		case *parse.IfNode:
			walk(n.Pipe, dot)
			walk(n.List, dot)
			walk(n.ElseList, dot)
		case *parse.WithNode:
			walk(n.Pipe, dot)
			walk(n.List, c.fields(resolve(n.Pipe, dot)))
			walk(n.ElseList, dot)
		case *parse.RangeNode:
			walk(n.Pipe, dot)
			walk(n.List, c.fields(c.items(resolve(n.Pipe, dot))))
			walk(n.ElseList, dot)
		case *parse.TemplateNode:
			walk(parsed.Lookup(n.Name).Root, dot) // whose argument is the dot
		case *parse.PipeNode:
			for _, command := range n.Cmds {
				for _, arg := range command.Args {
					walk(arg, dot)
				}
			}
		case *parse.FieldNode, *parse.ChainNode:
			resolve(n, dot)
		}
	}
	if parsed.Tree != nil {
		walk(parsed.Root, of)
	}
}
