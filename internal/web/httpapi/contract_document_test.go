package httpapi

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"vigueur/internal/kit/testkit/schema"
)

// published is the JSON schema of OpenAPI 3.1 documents, as its authors publish it (Apache-2.0):
// https://spec.openapis.org/oas/3.1/schema/2022-10-07
//
//go:embed testdata/openapi-3.1-schema.json
var published []byte

// promise validates requests and responses against the document. It finds the schemas that apply to a request; a
// library validates values against them, since the schemas of OpenAPI 3.1 are JSON schemas.
type promise struct {
	root    node
	places  map[string]string // by path, the JSON pointer of its description
	schemas *schema.Documents // the document, under contractURL
}

// node is an object of the document. Numbers are json.Number.
type node = map[string]any

// contractURL is the name under which the library knows the document.
const contractURL = "contract.json"

// theContract is read once for all tests.
var theContract = sync.OnceValues(func() (*promise, error) {
	value, err := schema.Decode(OpenAPI())
	if err != nil {
		return nil, err
	}
	root, ok := value.(node)
	if !ok {
		return nil, errors.New("the document is no object")
	}
	c := &promise{root: root, places: map[string]string{}, schemas: schema.New()}
	for path := range member(root, "paths") {
		c.places[path] = "/paths/" + escape(path)
	}
	return c, c.schemas.Add(contractURL, root)
})

// escape encodes a name as a part of a JSON pointer.
func escape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// member returns the object with a name in n, nil if there is none.
func member(n node, name string) node {
	inner, _ := n[name].(node)
	return inner
}

// follow returns the object at a place, which is a JSON pointer, and the place. If the object is a reference, it
// returns its target and the target's place. It returns nil if there is no object.
func (c *promise) follow(place string) (node, string) {
	var at any = c.root
	for _, part := range strings.Split(place, "/")[1:] {
		switch within := at.(type) {
		case node:
			at = within[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(within) {
				return nil, place
			}
			at = within[i]
		default:
			return nil, place
		}
	}
	n, _ := at.(node)
	if ref, ok := n["$ref"].(string); ok {
		return c.follow(strings.TrimPrefix(ref, "#"))
	}
	return n, place
}

// parameter is a parameter of an operation, with the place of its schema.
type parameter struct {
	name, in string
	required bool
	schema   string
}

// parameters returns the parameters that are listed at the given places: those of a path and of its operation.
func (c *promise) parameters(places ...string) (all []parameter) {
	for _, place := range places {
		n, _ := c.follow(place)
		listed, _ := n["parameters"].([]any)
		for i := range listed {
			p, address := c.follow(fmt.Sprintf("%s/parameters/%d", place, i))
			one := parameter{schema: address + "/schema"}
			one.name, _ = p["name"].(string)
			one.in, _ = p["in"].(string)
			one.required, _ = p["required"].(bool)
			all = append(all, one)
		}
	}
	return all
}

// judgeValue validates a value against the schema at a place of the document.
func (c *promise) judgeValue(place string, value any) error {
	return c.schemas.Validate(contractURL+"#"+place, value)
}

// judgeText validates a text of an address or a header against a schema: as a text, or as the number or boolean that
// it represents.
func (c *promise) judgeText(place, text string) error {
	err := c.judgeValue(place, text)
	if err == nil {
		return nil
	}
	var spelled any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&spelled) != nil || decoder.More() {
		return err
	}
	switch spelled.(type) {
	case json.Number, bool:
		return c.judgeValue(place, spelled)
	}
	return err
}

// judgeJSON validates JSON against the schema at a place.
func (c *promise) judgeJSON(place string, raw []byte) error {
	value, err := schema.Decode(raw)
	if err != nil {
		return fmt.Errorf("no JSON: %w", err)
	}
	return c.judgeValue(place, value)
}

// match returns the documented path that fits an address, the one with the fewest variables if several fit, and the
// values of its variables. It returns "" if none fits.
func (c *promise) match(escaped string) (found string, variables map[string]string) {
	parts := strings.Split(escaped, "/")
	for _, path := range slices.Sorted(maps.Keys(c.places)) {
		if values, fits := fit(strings.Split(path, "/"), parts); fits && (found == "" || len(values) < len(variables)) {
			found, variables = path, values
		}
	}
	return found, variables
}

// fit returns the values of the variables of a pattern, each of which is at the beginning of a part; false if the
// pattern does not fit.
func fit(pattern, parts []string) (map[string]string, bool) {
	if len(pattern) != len(parts) {
		return nil, false
	}
	values := map[string]string{}
	for i, p := range pattern {
		name, ending, variable := strings.Cut(strings.TrimPrefix(p, "{"), "}")
		switch {
		case !variable && p != parts[i]:
			return nil, false
		case variable && (parts[i] == "" || !strings.HasSuffix(parts[i], ending)):
			return nil, false
		case variable:
			values[name] = strings.TrimSuffix(parts[i], ending)
		}
	}
	return values, true
}

// operation returns the place of the documented operation for a path and method, "" if there is none.
func (c *promise) operation(path, method string) string {
	place := c.places[path] + "/" + strings.ToLower(method)
	if n, _ := c.follow(place); path == "" || n == nil {
		return ""
	}
	return place
}

// documentedStatus returns the documented response of an operation with a status, and its place; nil if there is
// none.
func (c *promise) documentedStatus(operation string, status int) (node, string) {
	return c.follow(fmt.Sprintf("%s/responses/%d", operation, status))
}

// judgeResponse validates the status, headers and JSON body of a response against an operation; body is nil if it is
// not JSON.
func (c *promise) judgeResponse(operation string, response *http.Response, body []byte) error {
	documented, place := c.documentedStatus(operation, response.StatusCode)
	if documented == nil {
		return errors.New("the status is not documented")
	}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(member(documented, "headers"))) {
		header, address := c.follow(place + "/headers/" + escape(name))
		required, _ := header["required"].(bool)
		values := response.Header.Values(name)
		if required && len(values) == 0 {
			faults = append(faults, fmt.Errorf("no %s", name))
		}
		for _, value := range values {
			if err := c.judgeText(address+"/schema", value); err != nil {
				faults = append(faults, fmt.Errorf("%s: %w", name, err))
			}
		}
	}
	content := member(documented, "content")
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	switch {
	case len(content) == 0:
		if len(body) > 0 {
			faults = append(faults, errors.New("a body, and none is documented"))
		}
	case body == nil && kind == "": // a response to HEAD
	case member(content, kind) == nil:
		faults = append(faults, fmt.Errorf("its type %q is not documented", kind))
	case body != nil:
		if err := c.judgeJSON(place+"/content/"+escape(kind)+"/schema", body); err != nil {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// judgeRequest validates the parameters and the body of a request against its operation.
func (c *promise) judgeRequest(r *http.Request, body []byte) error {
	path, variables := c.match(r.URL.EscapedPath())
	operation := c.operation(path, r.Method)
	if operation == "" {
		return errors.New("no such operation")
	}
	var faults []error
	for _, p := range c.parameters(c.places[path], operation) {
		values, err := sentIn(r, p, variables)
		if err != nil {
			faults = append(faults, err)
		}
		if p.required && len(values) == 0 {
			faults = append(faults, fmt.Errorf("no %s", p.name))
		}
		for _, value := range values {
			if err := c.judgeText(p.schema, value); err != nil {
				faults = append(faults, fmt.Errorf("%s: %w", p.name, err))
			}
		}
	}
	return errors.Join(append(faults, c.judgeSent(operation, r.Header.Get("Content-Type"), body))...)
}

// judgeSent validates the body of a request against its operation. It does not read forms.
func (c *promise) judgeSent(operation, contentType string, body []byte) error {
	documented, place := c.follow(operation + "/requestBody")
	if documented == nil {
		return nil
	}
	if len(body) == 0 {
		if required, _ := documented["required"].(bool); required {
			return errors.New("no body")
		}
		return nil
	}
	kind, _, _ := mime.ParseMediaType(contentType)
	switch {
	case member(member(documented, "content"), kind) == nil:
		return fmt.Errorf("the type %q of the body is not documented", kind)
	case kind == "application/json":
		return c.judgeJSON(place+"/content/"+escape(kind)+"/schema", body)
	}
	return nil
}

// sentIn returns the values of a parameter in a request.
func sentIn(r *http.Request, p parameter, variables map[string]string) ([]string, error) {
	switch p.in {
	case "path":
		value, err := url.PathUnescape(variables[p.name])
		return []string{value}, err
	case "query":
		query, err := url.ParseQuery(r.URL.RawQuery)
		return query[p.name], err
	case "cookie":
		var values []string
		for _, cookie := range r.CookiesNamed(p.name) {
			values = append(values, cookie.Value)
		}
		return values, nil
	default:
		return r.Header.Values(p.name), nil
	}
}
