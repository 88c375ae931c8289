package apidoc

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// reads returns a reader of a document, and the node of a key of the document.
func reads(t *testing.T, source, key string) (*reader, *yaml.Node) {
	t.Helper()
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(source), &root); err != nil {
		t.Fatal(err)
	}
	return &reader{root: root.Content[0]}, child(root.Content[0], key)
}

// Each operation has a shell command that calls it.
func TestCurl(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ path, methods, want string }{
		"reads":                   {"/a", `get: {}`, `curl|"$BASE/a"|-H "Authorization: Bearer $TOKEN"`},
		"without a token":         {"/a", `get: {security: []}`, `curl|"$BASE/a"`},
		"asks for the head":       {"/a", `head: {security: []}`, `curl -I|"$BASE/a"`},
		"deletes":                 {"/a/{id}", `delete: {security: []}`, `curl -X DELETE|"$BASE/a/$ID"`},
		"sends nothing":           {"/a", `post: {security: []}`, `curl -X POST|"$BASE/a"`},
		"sends JSON":              {"/a", `post: {security: [], requestBody: {content: {application/json: {example: {a: [1, "b c"]}}}}}`, `curl|"$BASE/a"|-H 'Content-Type: application/json'|-d '{"a":[1,"b c"]}'`},
		"replaces":                {"/a", `put: {security: [], requestBody: {content: {application/json: {example: 1}}}}`, `curl -X PUT|"$BASE/a"|-H 'Content-Type: application/json'|-d '1'`},
		"sends what has no value": {"/a", `patch: {security: [], requestBody: {content: {text/plain: {}}}}`, `curl -X PATCH|"$BASE/a"|-H 'Content-Type: text/plain'`},
		"sends an apostrophe":     {"/a", `post: {security: [], requestBody: {content: {text/plain: {example: "l'un"}}}}`, `curl|"$BASE/a"|-H 'Content-Type: text/plain'|-d 'l'\''un'`},
		"sends a file":            {"/a", `post: {security: [], requestBody: {content: {multipart/form-data: {example: {file: x}}}}}`, `curl|"$BASE/a"|-F file=@gazette.pdf`},
		"sends the first of some": {"/a", `post: {security: [], requestBody: {content: {application/json: {examples: {un: {value: 1}, deux: {value: 2}}}}}}`, `curl|"$BASE/a"|-H 'Content-Type: application/json'|-d '1'`},
		"streams":                 {"/a/{x}/b/{y}", `get: {security: [], responses: {"200": {content: {text/event-stream: {x-events: {end: {}}}}}}}`, `curl -N|"$BASE/a/$X/b/$Y"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, paths := reads(t, "paths: {x: {"+c.methods+"}}", "paths")
			list := r.operations(c.path, child(paths, "x"))
			if len(list) != 1 || r.err != nil {
				t.Fatalf("%d operations, %v", len(list), r.err)
			}
			if got := strings.ReplaceAll(list[0].Curl, " \\\n  ", "|"); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// The values that a schema allows are described in French.
func TestKinds(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`{type: string}`: "texte", `{type: string, format: date}`: "date AAAA-MM-JJ", `{type: string, format: unknown}`: "texte", `{type: integer, format: date}`: "entier",
		`{type: [string, "null"]}`: "texte ou null", `{type: "null"}`: "null", `{type: [integer, string]}`: "entier ou texte", `{}`: "au choix",
		`{type: array, items: {type: string, maxLength: 5}}`: "liste de texte ; au plus 5 car.", `{type: array, minItems: 1, items: {$ref: "#/s/Named"}}`: "liste de objet Named ; au moins 1 él.",
		`{$ref: "#/s/Named"}`: "objet Named", `{$ref: "#/s/Short"}`: "texte ; au plus 2 car.", `{$ref: "#/s/Twice"}`: "texte ; au plus 2 car.",
		`{oneOf: [{type: "null"}, {type: string}]}`: "texte ou null", `{anyOf: [{type: integer, minimum: 3}, {$ref: "#/s/Named"}]}`: "entier ou objet Named ; au moins 3",
		`{enum: [a, null, b]}`: "au choix ; a, b", `{const: x}`: "au choix ; toujours x", `{type: boolean, default: false}`: "vrai ou faux ; par défaut false",
		`{type: number, minimum: 1, maximum: 2}`: "nombre ; au moins 1 ; au plus 2", `{type: string, minLength: 1, maxLength: 9}`: "texte ; au moins 1 car. ; au plus 9 car.",
	} {
		t.Run(schema, func(t *testing.T) {
			t.Parallel()
			r, n := reads(t, "k: "+schema+"\ns: {Named: {type: object, properties: {a: {}}}, Short: {type: string, maxLength: 2}, Twice: {$ref: '#/s/Short'}}", "k")
			k := r.kindOf(n)
			got := k.Name
			if k.Ref != "" {
				got += " " + k.Ref
			}
			if k.Null {
				got += " ou null"
			}
			if got = strings.Join(append([]string{got}, k.Rules...), " ; "); got != want || r.err != nil || r.depth != 0 {
				t.Errorf("%q, want %q; %v", got, want, r.err)
			}
		})
	}
}

// The properties of an object without a name are listed below it; those of a named object are
// listed once, elsewhere.
func TestFields(t *testing.T) {
	t.Parallel()
	r, n := reads(t, `
k: {required: [a, inner], properties: {a: {type: string, description: A.}, inner: {properties: {deep: {type: integer}}}, named: {$ref: "#/s/Named"}, list: {type: array, items: {properties: {of: {}}}}}}
s: {Named: {description: N., properties: {b: {}}}}`, "k")
	var list []string
	var tell func(fields []field, indent string)
	tell = func(fields []field, indent string) {
		for _, f := range fields {
			required := map[bool]string{true: "!"}[f.Required]
			list = append(list, indent+f.Name+required+" "+f.Kind.Ref+" "+f.About)
			tell(f.Fields, indent+"  ")
		}
	}
	tell(r.fieldsOf(n), "")
	want := "a!  A.|inner!  |  deep  |named Named N.|list  "
	if got := strings.Join(list, "|"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Examples are shown as they are sent.
func TestExamples(t *testing.T) {
	t.Parallel()
	r, n := reads(t, `
content:
  application/json: {example: {b: 1, a: [x]}, examples: {un: {summary: Un, value: 2}}}
  text/plain: {example: "deux\nlignes"}
  text/event-stream: {x-stream: "event: fin"}`, "content")
	var got []string
	for _, b := range r.bodies(n) {
		for _, e := range b.Examples {
			got = append(got, b.Media+" "+e.Summary+" "+e.Text)
		}
	}
	want := []string{"application/json  {\n  \"b\": 1,\n  \"a\": [\n    \"x\"\n  ]\n}", "application/json Un 2", "text/plain  deux\nlignes", "text/event-stream  event: fin"}
	if strings.Join(got, "|") != strings.Join(want, "|") || r.err != nil {
		t.Errorf("got  %q\nwant %q; %v", got, want, r.err)
	}
}

// The Markdown of a document becomes HTML; markup in the document is escaped.
func TestProse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", " \n\n ": "", "un": "<p>un</p>", "un\n\n\n\ndeux": "<p>un</p><p>deux</p>", "un\ndeux": "<p>un\ndeux</p>",
		"`a` et **b** et `c`": "<p><code>a</code> et <strong>b</strong> et <code>c</code></p>", "<i>`<b>`</i> & **x": "<p>&lt;i&gt;<code>&lt;b&gt;</code>&lt;/i&gt; &amp; **x</p>",
	} {
		t.Run(in, func(t *testing.T) {
			t.Parallel()
			if got := string(prose(in)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// Operations are listed under their first tag, in the order of the document; operations whose
// tag the document does not declare are not listed.
func TestOperationsStandUnderTheirTag(t *testing.T) {
	t.Parallel()
	d := parse(t, `
info: {title: T}
tags: [{name: Deux}, {name: Un}]
paths:
  /b: {get: {operationId: b, summary: Bé, tags: [Un, Deux]}, options: {operationId: o, summary: Options, tags: [Un]}}
  /a: {put: {operationId: a, summary: A, tags: [Deux]}, get: {operationId: c, summary: Cé, tags: [Deux]}}
  /n: {get: {operationId: n, summary: Nulle, tags: [Autre]}}`)
	page, pos := string(d.Page), -1
	for _, want := range []string{`id="partie-deux"`, `<article id="a"`, `<article id="c"`, `id="partie-un"`, `<article id="b"`} {
		next := strings.Index(page, want)
		if next <= pos {
			t.Errorf("%s stands at %d, after %d", want, next, pos)
		}
		pos = next
	}
	if strings.Contains(page, "Nulle") || strings.Contains(page, "Options") || strings.Count(page, `<article id="b"`) != 1 {
		t.Error("an operation is shown that has no place, or one twice")
	}
}

// An example without a value is an error.
func TestAnExampleWithoutAValue(t *testing.T) {
	t.Parallel()
	_, err := Parse([]byte("tags: [{name: x}]\npaths: {/x: {get: {tags: [x], responses: {'200': {content: {a: {examples: {un: {summary: Un}}}}}}}}}"))
	if err == nil || !strings.HasPrefix(err.Error(), "apidoc: ") {
		t.Errorf("taken: %v", err)
	}
}
