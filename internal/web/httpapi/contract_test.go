package httpapi

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"vigueur/internal/web/webpage"
)

// judge validates the requests and responses of tests against the document.
type judge struct {
	*promise
	t    *testing.T
	next *http.Transport
}

// judged is a transport that fails the test if server and document differ.
func judged(t *testing.T) *judge {
	t.Helper()
	c, err := theContract()
	ok(t, err)
	return &judge{c, t, &http.Transport{}}
}

func (j *judge) CloseIdleConnections() { j.next.CloseIdleConnections() }

// RoundTrip sends a request and validates it and its response.
func (j *judge) RoundTrip(r *http.Request) (*http.Response, error) {
	sent, err := bodyOf(r)
	if err != nil {
		return nil, err
	}
	response, err := j.next.RoundTrip(r)
	if err != nil {
		return response, err
	}
	path, _ := j.match(r.URL.EscapedPath())
	operation, get := j.operation(path, r.Method), j.operation(path, http.MethodGet)
	switch {
	case path == "":
		j.refused(r, response, http.StatusNotFound)
	case operation != "":
		j.response(r, response, operation)
		j.request(r, sent, response, operation)
	case r.Method == http.MethodHead && get != "": // like GET, without a body
		if documented, _ := j.documentedStatus(get, response.StatusCode); documented == nil {
			j.t.Errorf("HEAD %s: %d is not documented for GET", r.URL.Path, response.StatusCode)
		}
	case r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" && response.StatusCode == http.StatusNoContent:
		// A preflight: the document's introduction describes it.
	default:
		j.refused(r, response, http.StatusMethodNotAllowed)
		if response.StatusCode == http.StatusMethodNotAllowed && response.Header.Get("Allow") == "" {
			j.t.Errorf("%s %s: no Allow", r.Method, r.URL.Path)
		}
	}
	return response, nil
}

// bodyOf returns the body of a request, nil if it can be read only once.
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

// refused validates a response of no operation: an error of the given status, or one that
// precedes routing.
func (j *judge) refused(r *http.Request, response *http.Response, status int) {
	if response.Header.Get("Content-Security-Policy") == webpage.Policy {
		return // a path of the web page, which is not part of the contract
	}
	early := []int{status, http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusRequestHeaderFieldsTooLarge}
	if !slices.Contains(early, response.StatusCode) || response.Header.Get("X-Request-Id") == "" {
		j.t.Errorf("%s %s: %d, want %d with X-Request-Id", r.Method, r.URL.Path, response.StatusCode, status)
	}
	if r.Method != http.MethodHead {
		j.value("/components/schemas/Error", j.buffer(response), r.Method+" "+r.URL.Path)
	}
}

// response validates status, headers and body. A stream is validated while it is read.
func (j *judge) response(r *http.Request, response *http.Response, operation string) {
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	documented, _ := j.documentedStatus(operation, response.StatusCode)
	copied, body := *response, []byte(nil)
	switch {
	case r.Method == http.MethodHead:
		copied.Header = response.Header.Clone()
		copied.Header.Del("Content-Type")
	case kind == "application/json":
		body = plain(j.buffer(response), false)
	case kind == "text/event-stream":
		media := member(member(documented, "content"), kind)
		if media == nil {
			break // reported below
		}
		stream := &judgedStream{ReadCloser: response.Body, judge: j, known: map[string]string{}, path: r.URL.Path}
		_, place := j.documentedStatus(operation, response.StatusCode)
		place += "/content/" + escape(kind)
		for name := range member(media, "x-events") {
			stream.known[name] = place + "/x-events/" + escape(name)
		}
		if media["x-data"] != nil {
			stream.unnamed = place + "/x-data"
		}
		if len(stream.known) == 0 && stream.unnamed == "" {
			j.t.Errorf("%s: its events are not documented", r.URL.Path)
		}
		response.Body = stream
	}
	if err := j.judgeResponse(operation, &copied, body); err != nil {
		j.t.Errorf("%s %s: %d is not as documented: %v", r.Method, r.URL, response.StatusCode, err)
	}
	if documented != nil && len(member(documented, "content")) == 0 && response.ContentLength > 0 && r.Method != http.MethodHead {
		j.t.Errorf("%s %s: %d has a body and none is documented", r.Method, r.URL, response.StatusCode)
	}
}

// undecided are operations with a 422 for reasons that no schema expresses.
var undecided = map[string]string{
	"refresh":                "the token may be left out where the cookie is",
	"logout":                 "the token may be left out where the cookie is",
	"ask":                    "which models there are is the operator's choice",
	"completeChat":           "which models there are is the operator's choice, and the last message must be a question",
	"sendInquiry":            "another may have come under the same Idempotency-Key",
	"createKey":              "the owner must exist and have the role that the scopes need",
	"changePassword":         "which passwords are easily guessed a list says",
	"createUser":             "which passwords are easily guessed a list says",
	"resetPassword":          "which passwords are easily guessed a list says",
	"confirmSignup":          "which passwords are easily guessed a list says",
	"askSignup":              "which addresses may open an account is the operator's choice",
	"listArticles":           "a page with words is shorter than one without",
	"listStats":              "two days are held against one another",
	"listUncertainQuestions": "two days are held against one another",
	"changeDocument":         "the domain and the other text must exist, and statut and abroge_par agree",
	"review":                 "the domain must exist",
	"decideReviews":          "the domains must exist",
	"addDocument":            "a form is judged by its parts",
	"beginUpload":            "what is said of the file is in a header, by names and values in base64",
	"sendPart":               "the bytes of the whole file must be those announced",
	"verify":                 "a form is judged by its parts, and what a file is by its bytes",
	"nameText":               "what it means must name a text",
	"pinAnswer":              "the question must have words that tell",
	"addFollow":              "each kind needs its own fields, and words that are searched",
	"createWebhook":          "the address must be public",
	"addEdit":                "the lines must be there, and be what the edit needs",
	"settleRelation":         "an accepted one must name its text",
	"settleAmendment":        "a mended one needs its wording",
}

// request validates a request by its outcome: an accepted one must be documented, and a
// documented one must not be rejected for its form.
func (j *judge) request(r *http.Request, sent []byte, response *http.Response, place string) {
	success := response.StatusCode < 300
	if (!success && response.StatusCode != http.StatusUnprocessableEntity) || r.Method == http.MethodHead {
		return
	}
	n, _ := j.follow(place)
	operation, _ := n["operationId"].(string)
	asSent := j.judgeRequest(r, plain(sent, false))
	trimmed := j.judgeRequest(r, plain(sent, true)) // the document says that lengths are counted so
	switch {
	case success && asSent != nil && trimmed != nil && operation != "addDocument":
		j.t.Errorf("%s %s %.300s: taken (%d), and not as documented: %v", r.Method, r.URL, sent, response.StatusCode, asSent)
	case !success && asSent == nil && trimmed == nil && undecided[operation] == "" && isText(r, sent):
		j.t.Errorf("%s %s %.300s: refused, and as documented", r.Method, r.URL, sent)
	}
}

// isText reports whether everything sent is valid text: for anything else the judge sees
// U+FFFD, which is documented.
func isText(r *http.Request, sent []byte) bool {
	query, err := url.QueryUnescape(r.URL.RawQuery)
	return err == nil && utf8.ValidString(query) && utf8.Valid(sent) && !loneSurrogate(sent)
}

// loneSurrogate reports whether JSON escapes half of a character, which decodes to U+FFFD.
func loneSurrogate(sent []byte) bool {
	var value any
	return json.Unmarshal(sent, &value) == nil && bytes.ContainsRune(plain(sent, false), '\ufffd') && !bytes.ContainsRune(sent, '\ufffd')
}

// plain normalizes JSON for the judge: numbers beyond floats become 0 and, with trim,
// strings are trimmed. Invalid JSON is returned unchanged.
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

// buffer reads a response's body and restores it.
func (j *judge) buffer(response *http.Response) []byte {
	body, err := io.ReadAll(response.Body)
	_ = response.Body.Close() // the transport's own; the caller closes its replacement
	response.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{err}))
	return body
}

// failing is the end of a truncated body.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

// value validates JSON against the schema at a place of the document.
func (j *judge) value(place string, value []byte, location string) {
	if err := j.judgeJSON(place, value); err != nil {
		j.t.Errorf("%s: %s is no %s: %v", location, value, place, err)
	}
}

// judgedStream validates the events of a stream while they are read.
type judgedStream struct {
	io.ReadCloser
	*judge
	known   map[string]string // the place of the schema of each event's data
	unnamed string            // that of the data of events without a name, if there are such
	path    string
	rest    []byte
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

// event validates one event; comments and retry have no data.
func (s *judgedStream) event(text string) {
	fields := map[string]string{}
	for _, line := range strings.Split(text, "\n") {
		name, value, _ := strings.Cut(line, ": ")
		fields[name] = value
	}
	if data, ok := fields["data"]; ok && fields["event"] == "" && s.unnamed != "" {
		if data != "[DONE]" {
			s.value(s.unnamed, []byte(data), s.path)
		}
		return
	}
	if fields["event"] == "" {
		if !strings.HasPrefix(text, ": ") && !strings.HasPrefix(text, "retry: ") {
			s.t.Errorf("%s: %q is no event", s.path, text)
		}
		return
	}
	unnumbered := fields["id"] == "" && fields["event"] != "error" // an error of the stream itself has none
	if unnumbered || s.known[fields["event"]] == "" {
		s.t.Errorf("%s: event %q with id %q is not documented", s.path, fields["event"], fields["id"])
		return
	}
	s.value(s.known[fields["event"]], []byte(fields["data"]), s.path+", event "+fields["event"])
}
