package httpapi

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi/datamodel/high/base"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
	"github.com/pb33f/libopenapi/orderedmap"
)

func TestDocumentIsOpenAPI(t *testing.T) {
	t.Parallel()
	c, err := theContract()
	ok(t, err)
	if good, faults := c.whole.ValidateDocument(); !good {
		t.Error(spell(faults))
	}
}

// examples counts the examples that were held against their schemas.
type examples struct {
	*contract
	t     *testing.T
	count int
}

// check holds one example against its schema, when both are there.
func (e *examples) check(where string, proxy *base.SchemaProxy, there bool, node interface{ Decode(any) error }) {
	if !there || proxy == nil {
		return
	}
	e.count++
	var value any
	ok(e.t, node.Decode(&value))
	if good, faults := e.schemas.ValidateSchemaObject(proxy.Schema(), value); !good {
		e.t.Errorf("the example of %s is not as its schema: %s", where, spell(faults))
	}
}

func (e *examples) content(where string, content *orderedmap.Map[string, *v3.MediaType]) {
	for kind, media := range content.FromOldest() {
		e.check(where+" "+kind, media.Schema, media.Example != nil, media.Example)
		for name, one := range media.Examples.FromOldest() {
			e.check(where+" "+kind+" "+name, media.Schema, one.Value != nil, one.Value)
		}
	}
}

// Every example of the document is what its schema says.
func TestExamplesAreAsDocumented(t *testing.T) {
	t.Parallel()
	c, err := theContract()
	ok(t, err)
	e := &examples{contract: c, t: t}
	for path, item := range c.model.Paths.PathItems.FromOldest() {
		for method, o := range item.GetOperations().FromOldest() {
			where := method + " " + path
			for _, p := range o.Parameters {
				e.check(where+" "+p.Name, p.Schema, p.Example != nil, p.Example)
			}
			if o.RequestBody != nil {
				e.content(where, o.RequestBody.Content)
			}
			for status, r := range o.Responses.Codes.FromOldest() {
				e.content(where+" "+status, r.Content)
			}
		}
	}
	for name, proxy := range c.model.Components.Schemas.FromOldest() {
		for _, node := range proxy.Schema().Examples {
			e.check(name, proxy, node != nil, node)
		}
		for field, inner := range proxy.Schema().Properties.FromOldest() {
			if inner.Schema().Example != nil {
				e.check(name+"."+field, inner, inner.Schema().Example != nil, inner.Schema().Example)
			}
		}
	}
	if e.count < 100 {
		t.Errorf("%d examples were found", e.count)
	}
}

// answers is a transport that answers with what it holds.
type answers struct {
	status int
	header http.Header
	body   string
}

// The judge finds what it is there to find: a response of each kind that is not
// as documented, and events that are none.
func TestTheJudgeFindsDrift(t *testing.T) {
	t.Parallel()
	c, err := theContract()
	ok(t, err)
	json := http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"x"}}
	const path = "http://x/api/v1/auth/me"
	user := `{"id":"019a1fca-3d00-7c11-8a52-6f0e1b9d7a01","email":"a@b.c","full_name":"A","role":"user"}`
	for name, a := range map[string]answers{
		"":                     {200, json, user},
		"another field":        {200, json, strings.Replace(user, `{`, `{"x":1,`, 1)},
		"a field that is lost": {200, json, strings.Replace(user, `"role":"user"`, `"x":1`, 1)},
		"a role that is none":  {200, json, strings.Replace(user, `user"}`, `root"}`, 1)},
		"an id that is none":   {200, json, strings.Replace(user, `019a`, `zzzz`, 1)},
		"no JSON":              {200, json, `{`},
		"another type":         {200, http.Header{"Content-Type": {"text/plain"}, "X-Request-Id": {"x"}}, user},
		"no X-Request-Id":      {200, http.Header{"Content-Type": {"application/json"}}, user},
		"another status":       {202, json, user},
		"no WWW-Authenticate":  {401, json, `{"detail":"Non."}`},
		"an error of no shape": {503, http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"x"}, "Retry-After": {"5"}}, `{"error":"x"}`},
	} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", path, nil)
		ok(t, err)
		good, faults := c.whole.ValidateHttpResponse(r, &http.Response{StatusCode: a.status, Header: a.header, Body: io.NopCloser(strings.NewReader(a.body))})
		if good != (name == "") {
			t.Errorf("%s: taken for documented: %v (%s)", name, good, spell(faults))
		}
	}
	for name, body := range map[string]string{"": `{"question":"Quoi ?"}`, "no question": `{}`, "a blank one": `{"question":" "}`, "NUL": `{"question":"a\u0000"}`,
		"a date that is none": `{"question":"?","filters":{"date":"2026-02-30"}}`, "an id that is none": `{"question":"?","conversation_id":"x"}`} {
		r, err := http.NewRequestWithContext(t.Context(), "POST", "http://x"+askPath, strings.NewReader(body))
		ok(t, err)
		r.Header.Set("Content-Type", "application/json")
		if good, faults := c.whole.ValidateHttpRequestSync(r); good != (name == "") {
			t.Errorf("%s: taken for documented: %v (%s)", name, good, spell(faults))
		}
	}
}
