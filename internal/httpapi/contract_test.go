package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"
	fault3 "github.com/pb33f/libopenapi-validator/errors"
	"github.com/pb33f/libopenapi-validator/schema_validation"
	"github.com/pb33f/libopenapi/datamodel/high/base"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
	"github.com/pb33f/libopenapi/orderedmap"

	"vigueur/internal/webpage"
)

// contract is the document as a judge of requests and responses.
type contract struct {
	model   *v3.Document
	whole   validator.Validator
	schemas schema_validation.SchemaValidator
}

// theContract is read once for all tests.
var theContract = sync.OnceValues(func() (*contract, error) {
	doc, err := libopenapi.NewDocument(openAPI)
	if err != nil {
		return nil, err
	}
	model, err := doc.BuildV3Model()
	if err != nil {
		return nil, err
	}
	options := []config.Option{config.WithFormatAssertions(), config.WithoutSecurityValidation()}
	whole, failed := validator.NewValidator(doc, options...)
	if len(failed) > 0 {
		return nil, errors.Join(failed...)
	}
	return &contract{&model.Model, whole, schema_validation.NewSchemaValidator(options...)}, nil
})

// judge holds whatever a test sends and is answered against the document.
type judge struct {
	*contract
	t    *testing.T
	next *http.Transport
}

// judged is a transport that fails the test where server and document differ.
func judged(t *testing.T) *judge {
	t.Helper()
	c, err := theContract()
	ok(t, err)
	return &judge{c, t, &http.Transport{}}
}

func (j *judge) CloseIdleConnections() { j.next.CloseIdleConnections() }

// RoundTrip sends a request and judges it with its response.
func (j *judge) RoundTrip(r *http.Request) (*http.Response, error) {
	sent, err := bodyOf(r)
	if err != nil {
		return nil, err
	}
	response, err := j.next.RoundTrip(r)
	if err != nil {
		return response, err
	}
	item := j.find(r)
	switch {
	case item == nil:
		j.refused(r, response, http.StatusNotFound)
	case operationOf(item, r.Method) != nil:
		j.response(r, response, operationOf(item, r.Method))
		j.request(r, sent, response)
	case r.Method == http.MethodHead && item.Get != nil: // as GET's, without a body
		if item.Get.Responses.Codes.GetOrZero(fmt.Sprint(response.StatusCode)) == nil {
			j.t.Errorf("HEAD %s: %d is not documented for GET", r.URL.Path, response.StatusCode)
		}
	case r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" && response.StatusCode == http.StatusNoContent:
		// A browser asks for a page of another origin: the document's opening says so.
	default:
		j.refused(r, response, http.StatusMethodNotAllowed)
		if response.StatusCode == http.StatusMethodNotAllowed && response.Header.Get("Allow") == "" {
			j.t.Errorf("%s %s: no Allow", r.Method, r.URL.Path)
		}
	}
	return response, nil
}

// bodyOf gives what a request sends, nil when that can be read only once.
func bodyOf(r *http.Request) ([]byte, error) {
	if r.GetBody == nil {
		return nil, nil
	}
	body, err := r.GetBody()
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(body)
}

// find gives the documented path of a request, nil when there is none.
func (j *judge) find(r *http.Request) *v3.PathItem {
	parts := strings.Split(r.URL.EscapedPath(), "/")
	for path, item := range j.model.Paths.PathItems.FromOldest() {
		if slices.EqualFunc(strings.Split(path, "/"), parts, func(pattern, part string) bool {
			_, ending, _ := strings.Cut(pattern, "}")
			return pattern == part || strings.HasPrefix(pattern, "{") && part != "" && strings.HasSuffix(part, ending)
		}) {
			return item
		}
	}
	return nil
}

func operationOf(item *v3.PathItem, method string) *v3.Operation {
	return item.GetOperations().GetOrZero(strings.ToLower(method))
}

// refused judges what no operation answers: an error of the given status, or of
// one that comes before any route.
func (j *judge) refused(r *http.Request, response *http.Response, status int) {
	if response.Header.Get("Content-Security-Policy") == webpage.Policy {
		return // the web page's, which is none of the contract
	}
	early := []int{status, http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusRequestHeaderFieldsTooLarge}
	if !slices.Contains(early, response.StatusCode) || response.Header.Get("X-Request-Id") == "" {
		j.t.Errorf("%s %s: %d, want %d with X-Request-Id", r.Method, r.URL.Path, response.StatusCode, status)
	}
	if r.Method != http.MethodHead {
		j.value("Error", j.buffer(response), r.Method+" "+r.URL.Path)
	}
}

// response judges status, headers and body. A stream is judged as it is read.
func (j *judge) response(r *http.Request, response *http.Response, operation *v3.Operation) {
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	copied := *response
	copied.Body = http.NoBody
	switch kind {
	case "application/json":
		copied.Body = io.NopCloser(bytes.NewReader(plain(j.buffer(response), false)))
	case "text/event-stream":
		documented := operation.Responses.Codes.GetOrZero(fmt.Sprint(response.StatusCode))
		if documented == nil || documented.Content == nil || documented.Content.GetOrZero(kind) == nil {
			break // told below
		}
		extension := documented.Content.GetOrZero(kind).Extensions.GetOrZero("x-events")
		var events map[string]struct {
			Ref string `yaml:"$ref"`
		}
		if err := extension.Decode(&events); err != nil || len(events) == 0 {
			j.t.Errorf("%s: x-events: %v, %v", r.URL.Path, events, err)
		}
		known := map[string]string{}
		for name, schema := range events {
			known[name] = schema.Ref[strings.LastIndexByte(schema.Ref, '/')+1:]
		}
		response.Body = &judgedStream{ReadCloser: response.Body, judge: j, known: known, path: r.URL.Path}
	}
	if r.Method == http.MethodHead {
		copied.Header = response.Header.Clone()
		copied.Header.Del("Content-Type")
	}
	if good, faults := j.whole.ValidateHttpResponse(r, &copied); !good {
		j.t.Errorf("%s %s: %d is not as documented: %s", r.Method, r.URL, response.StatusCode, spell(faults))
	}
	// The validator passes over a body where none is documented.
	if documented := operation.Responses.Codes.GetOrZero(fmt.Sprint(response.StatusCode)); documented != nil &&
		orderedmap.Len(documented.Content) == 0 && response.ContentLength > 0 && r.Method != http.MethodHead {
		j.t.Errorf("%s %s: %d has a body and none is documented", r.Method, r.URL, response.StatusCode)
	}
}

// undecided are operations whose 422 may come of what no schema can say.
var undecided = map[string]string{
	"refresh":        "the token may be left out where the cookie is",
	"logout":         "the token may be left out where the cookie is",
	"ask":            "which models there are is the operator's choice",
	"sendInquiry":    "another may have come under the same Idempotency-Key",
	"createKey":      "the owner must exist and have the role that the scopes need",
	"changePassword": "which passwords are easily guessed a list says",
	"createUser":     "which passwords are easily guessed a list says",
	"resetPassword":  "which passwords are easily guessed a list says",
	"confirmSignup":  "which passwords are easily guessed a list says",
	"askSignup":      "which addresses may open an account is the operator's choice",
	"listArticles":   "a page with words is shorter than one without",
	"listStats":      "two days are held against one another",
	"changeDocument": "the domain and the other text must exist, and statut and abroge_par agree",
	"review":         "the domain must exist",
	"decideReviews":  "the domains must exist",
	"addDocument":    "a form is judged by its parts",
	"addEdit":        "the lines must be there, and be what the edit needs",
}

// request judges what was sent by what came of it: what is taken must be
// documented, and what is documented is not refused for its shape.
func (j *judge) request(r *http.Request, sent []byte, response *http.Response) {
	success := response.StatusCode < 300
	if (!success && response.StatusCode != http.StatusUnprocessableEntity) || r.Method == http.MethodHead {
		return
	}
	operation := operationOf(j.find(r), r.Method).OperationId
	asSent, faults := j.documented(r, plain(sent, false))
	trimmed, _ := j.documented(r, plain(sent, true)) // the document says that lengths are counted so
	switch {
	case success && !asSent && !trimmed && operation != "addDocument":
		j.t.Errorf("%s %s %.300s: taken (%d), and not as documented: %s", r.Method, r.URL, sent, response.StatusCode, spell(faults))
	case !success && asSent && trimmed && undecided[operation] == "" && isText(r, sent):
		j.t.Errorf("%s %s %.300s: refused, and as documented", r.Method, r.URL, sent)
	}
}

// longNumber is a whole number beyond 64 bits, which the validator cannot read.
var longNumber = regexp.MustCompile(`\d{19,}`)

// documented tells whether a request with the given body is as documented.
func (j *judge) documented(r *http.Request, body []byte) (bool, []*fault3.ValidationError) {
	again := r.Clone(r.Context())
	again.Body = io.NopCloser(bytes.NewReader(body))
	again.URL.RawQuery = longNumber.ReplaceAllString(again.URL.RawQuery, "999")
	return j.whole.ValidateHttpRequestSync(again)
}

// isText tells whether all that was sent is text: of what is none the validator
// sees U+FFFD, which is as documented.
func isText(r *http.Request, sent []byte) bool {
	query, err := url.QueryUnescape(r.URL.RawQuery)
	return err == nil && utf8.ValidString(query) && utf8.Valid(sent) && !loneSurrogate(sent)
}

// plain spells JSON so that the validator can read it: numbers beyond its floats
// as 0 and, if asked to, texts without the white space around them. What is no
// JSON stays as it is.
func plain(raw []byte, trim bool) []byte {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil || decoder.More() {
		return raw
	}
	spelled, err := json.Marshal(plainValue(value, trim))
	if err != nil {
		return raw
	}
	return spelled
}

func plainValue(value any, trim bool) any {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = plainValue(inner, trim)
		}
	case []any:
		for i, inner := range v {
			v[i] = plainValue(inner, trim)
		}
	case string:
		if trim {
			return strings.TrimSpace(v)
		}
	case json.Number:
		if _, err := v.Float64(); err != nil {
			return 0
		}
	}
	return value
}

// buffer reads a response's body and puts it back.
func (j *judge) buffer(response *http.Response) []byte {
	body, err := io.ReadAll(response.Body)
	_ = response.Body.Close() // the transport's own; the caller closes what takes its place
	response.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{err}))
	return body
}

// failing is the end of a body that broke off.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

// value judges JSON by a schema of the document.
func (j *judge) value(name string, value []byte, where string) {
	schema := j.schema(name)
	if schema == nil {
		j.t.Errorf("%s: the document has no schema %q", where, name)
		return
	}
	if good, faults := j.schemas.ValidateSchemaBytes(schema, value); !good {
		j.t.Errorf("%s: %s is no %s: %s", where, value, name, spell(faults))
	}
}

func (c *contract) schema(name string) *base.Schema {
	proxy := c.model.Components.Schemas.GetOrZero(name)
	if proxy == nil {
		return nil
	}
	return proxy.Schema()
}

func spell(faults []*fault3.ValidationError) string {
	var all []string
	for _, f := range faults {
		all = append(all, f.Message+": "+f.Reason)
		for _, s := range f.SchemaValidationErrors {
			all = append(all, s.FieldPath+" "+s.Reason)
		}
	}
	return strings.Join(all, "; ")
}

// judgedStream judges the events of a stream as they are read.
type judgedStream struct {
	io.ReadCloser
	*judge
	known map[string]string // schema of each event's data
	path  string
	rest  []byte
}

func (s *judgedStream) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	s.rest = append(s.rest, p[:n]...)
	for {
		event, rest, whole := bytes.Cut(s.rest, []byte("\n\n"))
		if !whole {
			return n, err
		}
		s.rest = rest
		s.event(string(event))
	}
}

// event judges one event; comments and retry have no data.
func (s *judgedStream) event(text string) {
	fields := map[string]string{}
	for _, line := range strings.Split(text, "\n") {
		name, value, _ := strings.Cut(line, ": ")
		fields[name] = value
	}
	if fields["event"] == "" {
		if !strings.HasPrefix(text, ": ") && !strings.HasPrefix(text, "retry: ") {
			s.t.Errorf("%s: %q is no event", s.path, text)
		}
		return
	}
	unnumbered := fields["id"] == "" && fields["event"] != "error" // that of a stream has none
	if unnumbered || s.known[fields["event"]] == "" {
		s.t.Errorf("%s: event %q with id %q is not documented", s.path, fields["event"], fields["id"])
		return
	}
	s.value(s.known[fields["event"]], []byte(fields["data"]), s.path+", event "+fields["event"])
}
