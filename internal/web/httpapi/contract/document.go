package contract

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"golang.org/x/text/unicode/rangetable"

	"vigueur/internal/law/country"
	"vigueur/internal/web/httpapi/form"
)

// object is an object of the document.
type object = map[string]any

// Document is what the OpenAPI document says beside its routes.
type Document struct {
	Title, Version, Summary string
	Prose                   string                  // Markdown: the introduction, then « ## id » and the description of each operation that has one
	Tags                    []string                // in their order, each as « name: description »
	Names                   map[reflect.Type]string // of schemas that are not called as their types
}

// failures are the responses that operations share, by status.
var failures = map[int]string{
	304: "La réponse que le client a déjà est encore bonne.",
	400: "La requête est illisible ou ne veut rien dire.",
	401: "Le jeton manque, est faux, a expiré, ou ne vaut plus.",
	403: "Le rôle ne suffit pas, ou la clé d’API n’a pas la portée demandée.",
	404: "Cela n’existe pas, ou n’est pas à qui le demande.",
	405: "Cette adresse n’admet pas cette méthode.", // of no operation
	408: "La requête n’est pas arrivée à temps.",
	409: "L’état de la ressource ne le permet pas.",
	412: "Cette version du protocole n’est pas celle qui est attendue.",
	413: "Le corps est trop grand (JSON : 1 Mio).",
	415: "Le corps n’est pas du type attendu.",
	416: "La plage demandée est hors du fichier.",
	422: "La requête est mal formée ; voici toutes ses fautes.",
	429: "Trop de requêtes.",
	431: "Les en-têtes de la requête sont trop longs (16 Kio).",
	500: "Une erreur du service, avec l’identifiant de la requête dans `X-Request-Id`.",
	503: "Le service est momentanément indisponible.",
}

// successes are the descriptions of successful responses.
var successes = map[int]string{200: "La réponse.", 201: "C’est fait ; voici ce qui est né.", 202: "C’est demandé, et sera fait.", 204: "C’est fait.", 206: "Une partie du fichier."}

// header is a header of responses.
func header(required bool, description, kind string) object {
	return object{"required": required, "description": description, "schema": object{"type": kind}}
}

// headers are the headers of responses that the document describes, by name.
var headers = object{
	"X-Request-Id":        object{"required": true, "description": "Identifiant de la requête.", "schema": object{"type": "string", "pattern": "^[A-Za-z0-9._-]{1,128}$"}},
	"WWW-Authenticate":    object{"required": true, "description": "La manière de s’authentifier.", "schema": object{"type": "string", "pattern": "^Bearer"}},
	"Retry-After":         object{"required": true, "description": "Secondes à attendre avant de réessayer.", "schema": object{"type": "integer", "minimum": 1}},
	"RateLimit-Limit":     header(false, "Requêtes admises dans la fenêtre.", "integer"),
	"RateLimit-Remaining": header(false, "Requêtes qui restent.", "integer"),
	"RateLimit-Reset":     header(false, "Secondes jusqu’à ce qu’une place se libère.", "integer"),
	"Allow":               header(true, "Les méthodes admises.", "string"),
	"ETag":                header(true, "Empreinte du contenu.", "string"),
	"Location":            header(true, "L’adresse de ce qui est né.", "string"),
}

func reference(kind, name string) object { return object{"$ref": "#/components/" + kind + "/" + name} }

// Fault is the form of one fault, and Faults that of a request with faults (422).
type (
	Fault struct {
		Type  string          `json:"type"`
		Loc   []any           `json:"loc" doc:"Où : body, query ou path, puis le champ."`
		Msg   string          `json:"msg"`
		Input json.RawMessage `json:"input,omitempty" doc:"Ce qui a été envoyé, sauf long ou secret."`
	}
	// Faults are all faults of a request.
	Faults struct {
		Detail []Fault `json:"detail"`
	}
	// Error is an error in the service's own form.
	Error struct {
		Detail string `json:"detail" minLength:"1" doc:"Une phrase en français."`
	}
)

// JSON returns the document of operations.
func (d Document) JSON(operations []*Operation) ([]byte, error) {
	w := writer{registry: huma.NewMapRegistry("#/components/schemas/", namer(d.Names)), inputs: map[string]bool{}, prose: map[string]string{}}
	w.registry.RegisterTypeAlias(reflect.TypeFor[uuid.UUID](), reflect.TypeFor[idText]())
	parts := regexp.MustCompile(`(?m)^## `).Split(d.Prose, -1)
	for _, part := range parts[1:] {
		id, text, _ := strings.Cut(part, "\n")
		w.prose[id] = strings.TrimSpace(text)
	}
	w.schema(reflect.TypeFor[Error]())
	w.schema(reflect.TypeFor[Faults]())
	paths := object{}
	for _, o := range operations {
		address := regexp.MustCompile(`:(\w+)(<\w+>)?`).ReplaceAllString(o.Path, "{$1}")
		if paths[address] == nil {
			paths[address] = object{}
		}
		paths[address].(object)[strings.ToLower(o.Method)] = w.operation(o) //nolint:errcheck,forcetypeassert // it was made above
	}
	var tags []object
	for _, tag := range d.Tags {
		name, description, _ := strings.Cut(tag, ": ")
		tags = append(tags, object{"name": name, "description": description})
	}
	responses := object{}
	for status := range failures {
		responses[strconv.Itoa(status)] = w.failure(status, nil)
	}
	w.finish()
	return json.Marshal(object{
		"openapi": "3.1.0", "servers": []object{{"url": "/"}}, "security": []object{{"jeton": []string{}}}, "tags": tags, "paths": paths,
		"info": object{"title": d.Title, "version": d.Version, "summary": d.Summary, "description": strings.TrimSpace(parts[0]),
			"license": object{"name": "Apache-2.0", "identifier": "Apache-2.0"}},
		"components": object{"schemas": w.registry.Map(), "responses": responses, "headers": headers,
			"securitySchemes": object{"jeton": object{"type": "http", "scheme": "bearer", "description": "Un jeton d’accès ou une clé d’API."}}},
	})
}

// namer returns what names the schema of a type: by the type without Body, with Request for Input, and after its package
// where another type has the name; names says it otherwise.
func namer(names map[reflect.Type]string) func(t reflect.Type, hint string) string {
	types := map[string]reflect.Type{}
	return func(t reflect.Type, hint string) string {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if name := names[t]; name != "" {
			return name
		}
		name := strings.TrimSuffix(huma.DefaultSchemaNamer(t, hint), "Body")
		home := path.Base(t.PkgPath())
		home = strings.ToUpper(home[:1]) + home[1:]
		if name == "" {
			name = home
		}
		if request, input := strings.CutSuffix(name, "Input"); input {
			name = request + "Request"
		}
		if other := types[name]; other != nil && other != t && t.Kind() == reflect.Struct {
			name += "Of" + home
		} else if t.Kind() == reflect.Struct {
			types[name] = t
		}
		return name
	}
}

// idText is the schema of ids.
type idText struct{}

// Schema is called by huma.
func (idText) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: "string", Format: "uuid"} }

// writer makes one document.
type writer struct {
	registry huma.Registry
	inputs   map[string]bool // the schemas of requests
	prose    map[string]string
}

func (w *writer) schema(t reflect.Type) *huma.Schema { return w.registry.Schema(t, true, "") }

func (w *writer) operation(o *Operation) object {
	out := object{"operationId": o.ID, "tags": []string{o.Tag}, "summary": o.Summary}
	if text := w.prose[o.ID]; text != "" {
		out["description"] = text
	}
	statuses := append([]int{400, 408, 413, 429, 431, 500, 503}, o.failures...)
	if o.Signed {
		statuses = append(statuses, 401, 403)
	}
	switch {
	case !o.Signed:
		out["security"] = []object{}
	case o.guests:
		out["security"] = []object{{"jeton": []string{}}, {}}
	}
	if o.Role != "" {
		out["x-role"] = o.Role
	}
	if o.scope != "" {
		out["x-scope"] = o.scope
	}
	parameters := w.parameters(o)
	for _, p := range parameters {
		if p["in"] == "path" || p["in"] == "query" {
			statuses = append(statuses, 422)
		}
	}
	if o.ETag {
		statuses = append(statuses, 304)
		parameters = append(parameters, object{"name": "If-None-Match", "in": "header", "description": "L’ETag d’une réponse que le client a déjà.", "schema": object{"type": "string"}})
	}
	if strings.Contains(o.Path, ":id") {
		statuses = append(statuses, 404)
	}
	if form.HasBody(o.In) {
		statuses = append(statuses, 415, 422)
		schema := w.registry.Schema(o.In, true, o.ID+"Input")
		w.mark(schema, o.In)
		out["requestBody"] = object{"required": !o.loose, "content": object{fiber.MIMEApplicationJSON: object{"schema": schema}}}
	}
	if o.form != nil {
		statuses = append(statuses, 415, 422)
		schema := w.registry.Schema(reflect.TypeOf(o.form), true, o.ID+"Input")
		w.mark(schema, reflect.TypeOf(o.form))
		if o.formKind == fiber.MIMEMultipartForm { // names of other characters do not reach its reader whole
			w.registry.SchemaFromRef(schema.Ref).Extensions = map[string]any{"propertyNames": object{"pattern": "^[A-Za-z0-9_.-]{1,100}$"}}
		}
		body, has := out["requestBody"].(object)
		if !has {
			body = object{"required": true, "content": object{}}
			out["requestBody"] = body
		}
		body["content"].(object)[o.formKind] = object{"schema": schema} //nolint:errcheck,forcetypeassert // it was made above
	}
	if o.pieces != "" {
		statuses = append(statuses, 415, 422)
		out["requestBody"] = object{"content": object{o.pieces: object{"schema": object{"type": "string", "format": "binary"}}}}
	}
	if len(parameters) > 0 {
		out["parameters"] = parameters
	}
	responses := object{}
	for _, status := range statuses {
		refusal := o.special[status]
		if refusal == nil {
			refusal = o.refusal
		}
		if refusal != nil {
			responses[strconv.Itoa(status)] = w.failure(status, w.schema(reflect.TypeOf(refusal)))
		} else {
			responses[strconv.Itoa(status)] = reference("responses", strconv.Itoa(status))
		}
	}
	for _, status := range o.statuses {
		if status == fiber.StatusOK && o.Out == reflect.TypeFor[None]() {
			status = fiber.StatusNoContent
		}
		responses[strconv.Itoa(status)] = w.success(o, status)
	}
	out["responses"] = responses
	return out
}

// parameters describes what is read from the path and the query.
func (w *writer) parameters(o *Operation) (list []object) {
	for _, f := range reflect.VisibleFields(o.In) {
		for _, place := range []string{"path", "query", "header", "cookie"} {
			name := f.Tag.Get(place)
			if name == "" {
				continue
			}
			schema := huma.SchemaFromField(w.registry, f, "")
			describeInput(schema, f.Tag, f.Type, place != "query")
			p := object{"name": name, "in": place, "schema": schema}
			if schema.Description != "" {
				p["description"], schema.Description = schema.Description, ""
			}
			if place == "path" || f.Tag.Get("required") != "" {
				p["required"] = true
			}
			list = append(list, p)
		}
	}
	return list
}

// success describes a successful response.
func (w *writer) success(o *Operation, status int) object {
	named := object{"X-Request-Id": reference("headers", "X-Request-Id")}
	for _, name := range o.headers {
		if headers[name] != nil {
			named[name] = reference("headers", name)
		} else {
			named[name] = object{"schema": object{"type": "string"}}
		}
	}
	if o.ETag {
		named["ETag"] = reference("headers", "ETag")
	}
	out := object{"description": cmp.Or(successes[status], "La réponse."), "headers": named}
	content := object{}
	body := o.Out
	if other := o.others[status]; other != nil {
		body = reflect.TypeOf(other)
	}
	if body != reflect.TypeFor[None]() && body != reflect.TypeFor[Sent]() {
		schema := w.registry.Schema(body, true, o.ID+"Reply")
		notNull(schema)
		content[fiber.MIMEApplicationJSON] = object{"schema": schema}
	}
	for _, kind := range o.media {
		schema := object{}
		if strings.HasPrefix(kind, "text/") {
			schema["type"] = huma.TypeString
		}
		content[kind] = object{"schema": schema}
	}
	if o.events != nil {
		events := object{}
		for _, name := range slices.Sorted(maps.Keys(o.events)) {
			events[name] = w.schema(reflect.TypeOf(o.events[name]))
		}
		// An event is an object here. Those of the service end with one that has no id.
		event := object{"data": object{"type": "string"}, "id": object{"type": "string"}}
		media := object{"schema": object{"type": "object", "required": []string{"data"}, "properties": event}}
		if unnamed, has := events[""]; has {
			media["x-data"] = unnamed
		} else {
			event["event"], media["x-events"] = object{"type": "string", "enum": slices.Sorted(maps.Keys(o.events))}, events
		}
		content["text/event-stream"] = media
	}
	if len(content) > 0 {
		out["content"] = content
	}
	return out
}

// failure describes a response with an error; schema is that of its body, nil for the service's own.
func (w *writer) failure(status int, schema *huma.Schema) object {
	named := object{}
	for _, name := range map[int][]string{401: {"WWW-Authenticate"}, 429: {"Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}, 405: {"Allow"}, 503: {"Retry-After"}, 304: {"ETag"}}[status] {
		named[name] = reference("headers", name)
	}
	named["X-Request-Id"] = reference("headers", "X-Request-Id")
	out := object{"description": failures[status], "headers": named}
	switch {
	case status == fiber.StatusNotModified:
		return out
	case schema == nil && status == fiber.StatusUnprocessableEntity:
		schema = w.schema(reflect.TypeFor[Faults]())
	case schema == nil:
		schema = w.schema(reflect.TypeFor[Error]())
	}
	out["content"] = object{fiber.MIMEApplicationJSON: object{"schema": schema}}
	return out
}

// mark notes that a schema, and what it refers to, is that of a request.
func (w *writer) mark(schema *huma.Schema, t reflect.Type) {
	for ; t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice; t = t.Elem() {
		if t.Kind() == reflect.Slice {
			schema = schema.Items
		}
	}
	if t.Kind() != reflect.Struct || schema.Ref == "" {
		return
	}
	name := schema.Ref[strings.LastIndexByte(schema.Ref, '/')+1:]
	w.inputs[name] = true
	for _, f := range reflect.VisibleFields(t) {
		if f.Tag.Get("json") != "" {
			w.mark(w.schema(f.Type), f.Type)
		}
	}
}

// finish adds what huma does not take from types: which fields may be null, and of requests the rules of form.Read.
func (w *writer) finish() {
	for name, schema := range w.registry.Map() {
		t := w.registry.TypeFromRef("#/components/schemas/" + name)
		if t == nil || t.Kind() != reflect.Struct {
			continue
		}
		if w.inputs[name] {
			rules, _ := t.FieldByName("_")
			if schema.AdditionalProperties == false && rules.Tag.Get("additionalProperties") == "" {
				schema.AdditionalProperties = nil
			}
			for given := range strings.FieldsFuncSeq(rules.Tag.Get("either"), func(c rune) bool { return c == ',' }) {
				schema.AnyOf = append(schema.AnyOf, &huma.Schema{Required: []string{given}, Properties: map[string]*huma.Schema{given: {Type: huma.TypeString}}})
			}
		}
		for _, f := range reflect.VisibleFields(t) {
			property, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			p := schema.Properties[cmp.Or(property, f.Name)]
			switch {
			case p == nil || f.Anonymous && property == "":
			case property == "": // it is no part of the body
				delete(schema.Properties, f.Name)
				schema.Required = slices.DeleteFunc(schema.Required, func(name string) bool { return name == f.Name })
			case w.inputs[name]:
				describeInput(p, f.Tag, f.Type, false)
				p.Default = nil // clients would send it where its user said nothing
				if strings.Contains(options, "omitempty") {
					schema.Properties[property] = nullable(p)
				}
			default:
				enumerate(p, f.Type)
				if notNull(p); p.Type == huma.TypeInteger || p.Type == huma.TypeNumber {
					p.Format = ""
				}
				if f.Type.Kind() == reflect.Pointer && !strings.Contains(options, "omitempty") {
					schema.Properties[property] = nullable(p)
				}
			}
		}
	}
}

// enumerate adds the values of a text type that has a few.
func enumerate(s *huma.Schema, t reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if e, ok := reflect.Zero(t).Interface().(form.Enumerated); ok && len(s.Enum) == 0 {
		for _, value := range e.Values() {
			s.Enum = append(s.Enum, value)
		}
	}
}

// notNull removes null from lists: none is nil in a response.
func notNull(s *huma.Schema) {
	for ; s != nil && s.Type == huma.TypeArray; s = s.Items {
		s.Nullable = false
	}
}

// nullable returns a schema that also admits null.
func nullable(s *huma.Schema) *huma.Schema {
	if s.Ref != "" {
		return &huma.Schema{Description: s.Description, OneOf: []*huma.Schema{{Ref: s.Ref}, {Type: "null"}}}
	}
	if s.Type != "" {
		s.Nullable = true
	}
	if len(s.Enum) > 0 {
		s.Enum = append(slices.Clone(s.Enum), nil)
	}
	return s
}

// Patterns of texts in requests: NUL is nowhere admitted, and blanks around a text do not count.
var (
	anyText = `^[^\x00]*$`
	filled  = `[^` + unseen + `][^\x00]*`
	// Two characters that are no blanks, and a person sees one of them.
	filledTwice  = `^[^\x00]*(?:[^` + unseen + `][^\x00]*[^\s\x00]|[^\s\x00][^\x00]*[^` + unseen + `])[^\x00]*$`
	linePattern  = `^[\t-\r\x85]*[^\x00-\x1f\x7f-\x9f` + bidi + `]*[^` + unseen + `][^\x00-\x1f\x7f-\x9f` + bidi + `]*[\t-\r\x85]*$`
	titlePattern = `^[^` + turning + `]*[^` + unseen + `][^` + turning + `]*$`
	unseen       = `\s\x00-\x1f\x7f-\x9f` + class(form.Unseen)
	bidi         = class(unicode.Bidi_Control)
	turning      = `\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f` + class(form.Turning)
	email        = `^\s*[^\s@\x00-\x1f\x7f-\x9f]+@[^\s@.\x00-\x1f\x7f-\x9f][^\s@\x00-\x1f\x7f-\x9f]*\.[^\s@\x00-\x1f\x7f-\x9f]*[^\s@.\x00-\x1f\x7f-\x9f]\s*$`
)

// class writes a table of characters as ranges of a class of a regular expression.
func class(table *unicode.RangeTable) string {
	var b strings.Builder
	last := rune(-1)
	rangetable.Visit(table, func(r rune) {
		switch {
		case r != last+1:
			b.WriteRune(r)
		case unicode.Is(table, r+1): // in the midst of a range
		default:
			b.WriteString("-" + string(r))
		}
		last = r
	})
	return b.String()
}

// countryPattern returns the pattern of the codes of countries, and of what else a field admits.
func countryPattern(tag reflect.StructTag) string {
	codes := append(form.Strings(country.List()), "x-[A-ZÀ-Þ][A-Za-zÀ-ÿ-]{2,60}")
	if other, has := tag.Lookup("or"); has {
		codes = append(codes, other)
	}
	return "^(" + strings.Join(codes, "|") + ")$"
}

// describeInput adds to the schema of a field of a request what form.Read checks beyond its tags.
func describeInput(s *huma.Schema, tag reflect.StructTag, t reflect.Type, anything bool) {
	if enumerate(s, t); s.Type == huma.TypeInteger {
		s.Format = ""
	}
	notNull(s)
	if s.Nullable = false; t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s.Type != huma.TypeString || t.Kind() != reflect.String || len(s.Enum) > 0 || anything {
		if tag.Get("format") == "moment" {
			s.Type, s.Format, s.AnyOf = "", "", []*huma.Schema{{Type: "string", Format: "date"}, {Type: "string", Format: "date-time"}}
		}
		return
	}
	least := 0
	if s.MinLength != nil {
		least = *s.MinLength
	}
	s.Pattern = anyText
	switch format := tag.Get("format"); {
	case format == "path":
		s.Format, s.Pattern = "", tag.Get("pattern")
	case tag.Get("pattern") != "":
		s.Pattern = tag.Get("pattern")
	case format == "email":
		s.Format, s.Pattern, s.MaxLength = "", email, new(form.EmailLimit)
	case format == "line":
		s.Format, s.Pattern = "", linePattern
	case format == "title" && least == 0:
		s.Format, s.Pattern = "", `^[^`+turning+`]*$`
	case format == "title":
		s.Format, s.Pattern = "", titlePattern
	case format == "country":
		s.Format, s.Pattern = "", countryPattern(tag)
	case format == "" && least > 0:
		if s.Pattern = `^[^\x00]*` + filled + "$"; least > 1 {
			s.Pattern = filledTwice
		}
	}
}

// Either is an output of one of two types; an empty list may be of both.
type Either[A, B any] struct{ Value any }

// MarshalJSON writes the value alone.
func (e Either[A, B]) MarshalJSON() ([]byte, error) { return json.Marshal(e.Value) }

// Schema is called by huma.
func (Either[A, B]) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{r.Schema(reflect.TypeFor[A](), true, ""), r.Schema(reflect.TypeFor[B](), true, "")}}
}
