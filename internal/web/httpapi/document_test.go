package httpapi

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/transport"
)

// described is the part of the document that the tests read themselves.
type described struct {
	Paths map[string]struct {
		Parameters                     []describedParameter
		Get, Head, Post, Patch, Delete *describedOperation
	}
	Components struct {
		Responses map[string]any
		Schemas   map[string]struct {
			Properties map[string]struct{ Enum []any }
		}
	}
}

type describedParameter struct {
	Ref      string `json:"$ref"`
	Name, In string
}

type describedOperation struct {
	OperationID string `json:"operationId"`
	Role        string `json:"x-role"`
	Scope       string `json:"x-scope"`
	Security    *[]any
	Parameters  []describedParameter
	RequestBody map[string]any
	Responses   map[string]any
}

// readDocument reads the document.
func readDocument(t *testing.T) (d described) {
	t.Helper()
	ok(t, json.Unmarshal(OpenAPI(), &d))
	return d
}

// operations returns the document's operations by method and path in the routes' syntax.
func (d described) operations() map[string]*describedOperation {
	all := map[string]*describedOperation{}
	for path, item := range d.Paths {
		path = strings.NewReplacer("{", ":", "}", "").Replace(path)
		for method, o := range map[string]*describedOperation{
			"GET": item.Get, "HEAD": item.Head, "POST": item.Post, "PATCH": item.Patch, "DELETE": item.Delete,
		} {
			if o != nil {
				all[method+" "+path] = o
			}
		}
	}
	return all
}

// Every route is documented, and every documented operation is a route. HEAD, which Fiber
// adds to each GET, may be left out.
func TestDocumentAndRoutesAreTheSame(t *testing.T) {
	t.Parallel()
	d := readDocument(t)
	documented := d.operations()
	ids := map[string]string{}
	for route, o := range documented {
		if ids[o.OperationID] != "" || o.OperationID == "" {
			t.Errorf("%s and %s are both %q", route, ids[o.OperationID], o.OperationID)
		}
		ids[o.OperationID] = route
	}
	registered := map[string]bool{}
	for _, route := range (&Server{Queue: &queueFake{}}).app().GetRoutes(true) {
		name := route.Method + " " + route.Path
		registered[name] = true
		if documented[name] == nil && route.Method != http.MethodHead {
			t.Errorf("%s is not documented", name)
		}
	}
	for name := range documented {
		if !registered[name] {
			t.Errorf("%s is documented and is no route", name)
		}
	}
	if len(registered) < 60 {
		t.Errorf("%d routes were walked", len(registered))
	}
}

// Every operation documents the errors that any of its kind may return, and all together
// every status.
func TestEveryErrorIsDocumented(t *testing.T) {
	t.Parallel()
	d := readDocument(t)
	told := map[string]bool{"405": d.Components.Responses["405"] != nil} // described by no operation
	for name, o := range d.operations() {
		want := []string{"400", "408", "413", "431", "500"}
		if strings.Contains(name, transport.Prefix) {
			want = append(want, "503")
		}
		if o.Security == nil {
			want = append(want, "401")
		}
		if strings.Contains(name, "/admin/") {
			want = append(want, "403")
		}
		if o.RequestBody != nil {
			want = append(want, "415", "422")
		}
		if strings.Contains(name, ":") {
			want = append(want, "404")
			if !strings.HasSuffix(name, ":token") { // a malformed token is an unknown one
				want = append(want, "422")
			}
		}
		for _, status := range want {
			if o.Responses[status] == nil {
				t.Errorf("%s does not document %s", name, status)
			}
		}
		for status := range o.Responses {
			told[status] = true
		}
	}
	for k := errs.Internal; k <= errs.LeaseLost; k++ {
		if status := errs.Describe(k).Status; !told[strconv.Itoa(status)] {
			t.Errorf("%s (%d) is documented nowhere", k, status)
		}
	}
	for _, status := range []int{400, 404, 405, 408, 413, 416, 431} {
		if !told[strconv.Itoa(status)] {
			t.Errorf("%d is documented nowhere", status)
		}
	}
}

// The document lists every value of an enumeration.
func TestDocumentedEnums(t *testing.T) {
	t.Parallel()
	schemas := readDocument(t).Components.Schemas
	sorted(t, "role", schemas["User"].Properties["role"].Enum, guard.Roles)
	sorted(t, "doc_type", schemas["Citation"].Properties["doc_type"].Enum, law.DocTypes())
	sorted(t, "statut", schemas["Citation"].Properties["statut"].Enum, law.Statuses())
}

// sorted checks that both lists have the same values.
func sorted[T ~string](t *testing.T, name string, enum []any, real []T) {
	t.Helper()
	var documented, want []string
	for _, v := range enum {
		documented = append(documented, fmt.Sprint(v))
	}
	for _, v := range real {
		want = append(want, string(v))
	}
	slices.Sort(want)
	slices.Sort(documented)
	if !slices.Equal(documented, want) {
		t.Errorf("%s: documented %q, written %q", name, documented, want)
	}
}

// The document names the role that the route requires.
func TestDocumentedRoles(t *testing.T) {
	b := setup(t)
	editor := b.addUser(t, "editor@example.org")
	_, err := b.DB.ChangeUser(t.Context(), editor.ID, postgres.UserChange{Role: &guard.Roles[1]})
	ok(t, err)
	ids := map[string]uuid.UUID{"user": b.user.ID, "editor": editor.ID}
	for name, o := range readDocument(t).operations() {
		method, path, _ := strings.Cut(name, " ")
		if o.Security != nil && len(*o.Security) == 0 {
			equal(t, name+" is open", open[path], true)
			continue
		}
		for _, role := range []string{"user", "editor"} {
			refused := slices.Index(guard.Roles, role) < slices.Index(guard.Roles, o.Role) // -1 without a role
			account, err := b.DB.UserByID(t.Context(), ids[role])                          // one of the routes ends its sessions
			ok(t, err)
			r := b.do(t, method, filled(fiber.Route{Path: path, Params: paramsOf(path)}, uuid.NewString()), "", "Authorization", "Bearer "+b.tokenOf(t, account))
			if (r.status == http.StatusForbidden) != refused {
				t.Errorf("%s as %s: %d; documented for %q", name, role, r.status, o.Role)
			}
		}
	}
}

// paramsOf names the parameters of a route's path.
func paramsOf(path string) (names []string) {
	for _, part := range strings.Split(path, "/") {
		if name, ok := strings.CutPrefix(part, ":"); ok {
			name, _, _ = strings.Cut(name, ".")
			names = append(names, name)
		}
	}
	return names
}

func TestDocumentIsServed(t *testing.T) {
	b := setup(t)
	for path, kind := range map[string]string{"/openapi.json": "application/json", "/docs": "text/html; charset=utf-8"} {
		r := b.do(t, "GET", path, "", "Authorization", "")
		equal(t, path, r.status, http.StatusOK)
		equal(t, path+": type", r.header.Get("Content-Type"), kind)
		etag := r.header.Get("ETag")
		strong, weak := strings.CutPrefix(etag, "W/")
		equal(t, path+": weak, because of the encodings", weak, true)
		for given, status := range map[string]int{strong: 304, etag: 304, `"x", ` + etag: 304, "*": 304, `"x"`: 200, "x": 200} {
			again := b.do(t, "GET", path, "", "If-None-Match", given)
			if again.status != status || again.header.Get("ETag") != etag || (status == 304) != (len(again.body) == 0) {
				t.Errorf("%s, If-None-Match %s: %d, %d bytes", path, given, again.status, len(again.body))
			}
		}
		for accepted, encoding := range map[string]string{"gzip, br": "br", "gzip": "gzip", "br;q=0": "", "identity": ""} {
			short := bare(t, b.url+path, accepted)
			equal(t, path+" in "+accepted, []string{short.header.Get("Content-Encoding"), short.header.Get("Vary"), short.header.Get("ETag")},
				[]string{encoding, "Accept-Encoding", etag})
			if encoding != "" && 4*len(short.body) > len(r.body) {
				t.Errorf("%s in %s: %d bytes of %d", path, encoding, len(short.body), len(r.body))
			}
			equal(t, path+" in "+accepted+": content", bytes.Equal(expand(t, encoding, short.body), r.body), true)
		}
		head := b.do(t, "HEAD", path, "")
		equal(t, "HEAD "+path, []any{head.status, len(head.body), head.header.Get("ETag")}, []any{http.StatusOK, 0, etag})
	}
	served := decode[map[string]any](t, b.get(t, "/openapi.json"))
	equal(t, "version", served["openapi"], any("3.1.0"))
	page := string(b.get(t, "/docs").body)
	for _, o := range readDocument(t).operations() {
		if !strings.Contains(page, `id="`+o.OperationID+`"`) {
			t.Errorf("the page lacks %s", o.OperationID)
		}
	}
	policy := b.get(t, "/docs").header.Get("Content-Security-Policy")
	if strings.Contains(policy, "unsafe") || !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") {
		t.Errorf("policy %q", policy)
	}
	for _, outside := range []string{"<script", " src=", "@import", "url("} {
		if strings.Contains(page, outside) {
			t.Errorf("the page holds %q: it must need nothing else", outside)
		}
	}
	for _, target := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if !strings.Contains(page, `id="`+target[1]+`"`) {
			t.Errorf("a link leads to %s, which is not there", target[1])
		}
	}
}

// bare asks for a document in an encoding. The judge of the contract, which other requests
// pass, reads only what is not compressed.
func bare(t *testing.T, url, accepted string) reply {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableCompression: true, DisableKeepAlives: true}}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	ok(t, err)
	request.Header.Set("Accept-Encoding", accepted)
	r, err := client.Do(request)
	ok(t, err)
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	ok(t, err)
	return reply{status: r.StatusCode, header: r.Header, body: body}
}

// expand decodes a body.
func expand(t *testing.T, encoding string, body []byte) []byte {
	t.Helper()
	var from io.Reader = bytes.NewReader(body)
	switch encoding {
	case "br":
		from = brotli.NewReader(from)
	case "gzip":
		unzipped, err := gzip.NewReader(from)
		ok(t, err)
		from = unzipped
	}
	whole, err := io.ReadAll(from)
	ok(t, err)
	return whole
}
