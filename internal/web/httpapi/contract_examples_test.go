package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"vigueur/internal/kit/testkit/schema"
)

func TestDocumentIsOpenAPI(t *testing.T) {
	t.Parallel()
	c, err := theContract()
	ok(t, err)
	form, err := schema.Decode(published)
	ok(t, err)
	documents := schema.New()
	ok(t, documents.Add("published.json", form))
	ok(t, documents.Validate("published.json", c.root))
	for name := range member(member(c.root, "components"), "schemas") { // which the JSON schema of OpenAPI documents does not check
		if err := c.schemas.Check(contractURL + "#/components/schemas/" + escape(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	broken := node{"openapi": "3.1.0", "info": node{"title": "x"}, "paths": node{}}
	if documents.Validate("published.json", broken) == nil {
		t.Error("a document without a version is taken")
	}
}

// Every example of the document is valid by its schema.
func TestExamplesAreAsDocumented(t *testing.T) {
	t.Parallel()
	c, err := theContract()
	ok(t, err)
	count := 0
	var walk func(place string, value any)
	walk = func(place string, value any) {
		switch v := value.(type) {
		case node:
			if examples, listed := v["examples"].([]any); listed {
				for _, example := range examples {
					count++
					if err := c.judgeValue(place, example); err != nil {
						t.Errorf("the example %v of %s is not as its schema: %v", example, place, err)
					}
				}
			}
			for name, inner := range v {
				walk(place+"/"+escape(name), inner)
			}
		case []any:
			for i, inner := range v {
				walk(fmt.Sprintf("%s/%d", place, i), inner)
			}
		}
	}
	for name, value := range c.root {
		walk("/"+escape(name), value)
	}
	if count < 10 {
		t.Errorf("%d examples were found", count)
	}
}

// answers is a transport that always returns the given response.
type answers struct {
	status int
	header http.Header
	body   string
}

// The judge finds responses that differ from the document in every way, and malformed
// events.
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
		matched, _ := c.match(r.URL.EscapedPath())
		err = c.judgeResponse(c.operation(matched, r.Method), &http.Response{StatusCode: a.status, Header: a.header}, []byte(a.body))
		if (err == nil) != (name == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, body := range map[string]string{"": `{"question":"Quoi ?"}`, "no question": `{}`, "a blank one": `{"question":" "}`, "NUL": `{"question":"a\u0000"}`,
		"a date that is none": `{"question":"?","filters":{"date":"2026-02-30"}}`, "an id that is none": `{"question":"?","conversation_id":"x"}`} {
		r, err := http.NewRequestWithContext(t.Context(), "POST", "http://x"+askPath, strings.NewReader(body))
		ok(t, err)
		r.Header.Set("Content-Type", "application/json")
		if err := c.judgeRequest(r, []byte(body)); (err == nil) != (name == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
