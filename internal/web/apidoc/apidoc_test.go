package apidoc

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

const small = `
openapi: 3.1.0
info: {title: Essai, version: "1", summary: Un service., description: "Dit **fort** ` + "`ceci`" + ` <b>.\n\nPuis cela."}
tags: [{name: Un, description: Premier.}]
paths:
  /things/{id}:
    parameters: [{$ref: "#/components/parameters/Id"}]
    post:
      operationId: makeThing
      x-role: admin
      x-scope: things
      tags: [Un]
      summary: Faire
      requestBody:
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Thing"}
            example: {name: "l'un", n: 1.5, none: null, yes: true}
      responses:
        "200":
          description: Fait.
          headers: {ETag: {required: true, schema: {type: string}}}
          content:
            text/event-stream: {schema: {type: string}, x-events: {end: {$ref: "#/components/schemas/Thing"}}}
    get:
      operationId: readThing
      security: []
      tags: [Un]
      summary: Lire
      responses: {"404": {description: Rien., content: {text/plain: {example: Rien ici.}}}}
components:
  parameters: {Id: {name: id, in: path, required: true, schema: {type: string, format: uuid}}}
  schemas:
    Thing:
      type: object
      required: [name]
      properties:
        name: {type: [string, "null"], minLength: 1, enum: [a, b, null], description: Son nom.}
        list: {type: array, maxItems: 3, items: {$ref: "#/components/schemas/Thing"}}
        either: {oneOf: [{type: integer, minimum: 0}, {type: "null"}]}
        inner: {type: object, properties: {deep: {type: boolean, default: false}}}
`

func parse(t *testing.T, source string) *Document {
	t.Helper()
	d, err := Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestJSONKeepsOrderAndValues(t *testing.T) {
	t.Parallel()
	d := parse(t, "info: {}\nz: [1, 2.5, \"3\", yes, true, null, <é&\\n\u2028>]\nb: {}\npaths: {}\na: \"2026-01-31\"\n")
	want := `{"info":{},"z":[1,2.5,"3","yes",true,null,"<é&\\n\u2028>"],"b":{},"paths":{},"a":"2026-01-31"}`
	if string(d.JSON) != want {
		t.Errorf("got  %s\nwant %s", d.JSON, want)
	}
	if !json.Valid(parse(t, small).JSON) {
		t.Error("no JSON")
	}
}

func TestPageShowsWhatTheDocumentSays(t *testing.T) {
	t.Parallel()
	d := parse(t, small)
	page := string(d.Page)
	for _, want := range []string{
		"<strong>fort</strong> <code>ceci</code> &lt;b&gt;.</p><p>Puis cela.</p>", `id="partie-un"`, "Premier.",
		`<code>/things/{id}</code>`, "Avec un jeton, rôle <code>admin</code>, ou avec une clé d’API de portée <code>things</code>.", "Sans jeton.",
		"curl -N \\\n  &#34;$BASE/things/$ID&#34; \\\n  -H &#34;Authorization: Bearer $TOKEN&#34; \\\n  -H &#39;Content-Type: application/json&#39; \\\n  -d &#39;{&#34;name&#34;:&#34;l&#39;\\&#39;&#39;un&#34;,&#34;n&#34;:1.5,&#34;none&#34;:null,&#34;yes&#34;:true}&#39;",
		"<pre tabindex=\"0\">curl \\\n  &#34;$BASE/things/$ID&#34;</pre>", "Rien ici.", "<code>end</code>", `href="#objet-thing"`, "<code>ETag</code>",
		"texte ou null", "a, b", "au moins 1 car.", "liste de objet", "au plus 3 él.", "entier ou null", "vrai ou faux", "par défaut false", "Son nom.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Count(page, "<style>") != 1 || strings.Count(page, "<script>") != 1 || strings.Contains(page, " style=") || !strings.HasPrefix(d.StyleHash, "sha256-") || !strings.HasPrefix(d.ScriptHash, "sha256-") {
		t.Error("the page needs more than its one style sheet and script")
	}
	if again := parse(t, small); string(again.Page) != page || !bytes.Equal(again.JSON, d.JSON) {
		t.Error("the same document gave other bytes")
	}
}

func TestDocumentsThatAreRefused(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]string{
		"nothing":           "",
		"a list":            "[]",
		"no YAML":           "a: [",
		"a key twice":       "a: 1\na: 2",
		"a key of a number": "1: x",
		"a date":            "a: 2026-01-31",
		"infinity":          "a: .inf",
		"an alias":          "a: &x {}\nb: *x",
		"a lost reference":  strings.Replace(small, `[{$ref: "#/components/parameters/Id"}]`, `[{$ref: "#/components/parameters/No"}]`, 1),
		"a lost schema":     strings.Replace(small, `items: {$ref: "#/components/schemas/Thing"}`, `items: {$ref: "#/components/schemas/No"}`, 1),
		"a list of itself":  strings.Replace(small, "schemas:\n", "schemas:\n    Ring: {type: object, properties: {a: {$ref: \"#/components/schemas/Round\"}}}\n    Round: {type: array, items: {$ref: \"#/components/schemas/Round\"}}\n", 1),
		"a ring":            strings.Replace(small, "schemas:\n", "schemas:\n    Ring: {type: object, properties: {a: {$ref: \"#/components/schemas/Round\"}}}\n    Round: {$ref: \"#/components/schemas/Round\"}\n", 1),
	} {
		if d, err := Parse([]byte(source)); err == nil {
			t.Errorf("%s is taken: %s", name, d.JSON)
		} else if !strings.HasPrefix(err.Error(), "apidoc: ") {
			t.Errorf("%s: %v does not say where it comes from", name, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(small)
	f.Add("a: &x [*x]")
	f.Add("tags: [{name: x}]\npaths: {/x: {get: {tags: [x], responses: {a: {content: {a: {examples: {un: {}}}}}}}}}")
	f.Add("tags: [{name: x}]\npaths: {/x: {get: {tags: [x], parameters: [{$ref: '#/paths'}], requestBody: {content: {y: {example: 1}}}}}}")
	f.Fuzz(func(t *testing.T, source string) {
		if d, err := Parse([]byte(source)); err == nil && !json.Valid(d.JSON) {
			t.Errorf("of %q: %s", source, d.JSON)
		}
	})
}

// TestHashesAreThoseOfThePage checks that the style sheet and the script are on the page as
// their hashes say, else no browser takes them.
func TestHashesAreThoseOfThePage(t *testing.T) {
	t.Parallel()
	d := parse(t, small)
	for tag, want := range map[string]string{"style": d.StyleHash, "script": d.ScriptHash} {
		_, rest, _ := strings.Cut(string(d.Page), "<"+tag+">")
		inline, _, found := strings.Cut(rest, "</"+tag+">")
		if !found || hash(inline) != want || len(inline) < 1000 {
			t.Errorf("%s of %d bytes: %s, told %s", tag, len(inline), hash(inline), want)
		}
	}
}

// TestOperationsCanBeTried checks what the script needs to know of an operation.
func TestOperationsCanBeTried(t *testing.T) {
	t.Parallel()
	page := string(parse(t, small).Page)
	for _, want := range []string{
		`<form data-method="POST" data-path="/things/{id}" data-token data-writes>`, `<form data-method="GET" data-path="/things/{id}">`,
		`<input name="id" data-in="path" required`, `<textarea data-media="application/json"`,
		"const response = await fetch(BASE &#43; &#34;/things/{id}&#34;",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
