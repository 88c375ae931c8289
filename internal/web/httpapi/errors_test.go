package httpapi

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/transport"
)

func TestWhatIsNoRoute(t *testing.T) {
	b := setup(t)
	for _, path := range []string{"/", "/api", "/api/v1", "/api/v1/nothing", "/API/V1/models", "/api/v1/conversations/x/y", "/api/v1/%00", "/docs/x"} {
		wantDetail(t, b.get(t, path), http.StatusNotFound)
	}
	for _, c := range []struct{ method, path, allow string }{
		{"DELETE", "/api/v1/models", "GET, HEAD"},
		{"GET", "/api/v1/auth/login", "POST"},
		{"PUT", "/api/v1/chat-rag/stream", "POST"},
		{"OPTIONS", "/api/v1/documents/" + uuid.NewString() + "/file", "GET, HEAD"},
		{"BREW", "/healthz", "GET, HEAD"},
	} {
		r := b.do(t, c.method, c.path, "")
		wantDetail(t, r, http.StatusMethodNotAllowed)
		equal(t, c.method+" "+c.path+": Allow", r.header.Get("Allow"), c.allow)
	}
	wantDetail(t, b.do(t, "BREW", "/nothing", ""), http.StatusNotFound)
}

func TestBodiesThatAreNotTaken(t *testing.T) {
	b := setup(t)
	const path = "/api/v1/auth/login"
	for name, headers := range map[string][]string{
		"none": {"Content-Type", ""}, "form": {"Content-Type", "application/x-www-form-urlencoded"},
		"text": {"Content-Type", "text/plain"}, "malformed": {"Content-Type", "application/json; charset"},
		"gzip": {"Content-Encoding", "gzip"},
	} {
		r := b.do(t, "POST", path, `{}`, headers...)
		if detail := wantDetail(t, r, http.StatusUnsupportedMediaType); !strings.Contains(detail, "JSON") && name != "gzip" {
			t.Errorf("%s: %q", name, detail)
		}
	}
	equal(t, "with a charset", found(t, b.do(t, "POST", path, `{}`, "Content-Type", "Application/JSON; charset=utf-8")),
		[]string{"missing body.email", "missing body.password"})

	large := `{"email":"` + strings.Repeat("a", transport.BodyLimit) + `"}`
	wantDetail(t, b.do(t, "POST", path, large), http.StatusRequestEntityTooLarge)
	just := `{"x":"` + strings.Repeat("a", transport.BodyLimit-8) + `"}`
	equal(t, "a body of just 1 MiB", found(t, b.do(t, "POST", path, just)), []string{"missing body.email", "missing body.password"})
}

// A request that Fiber cannot parse has no route; its error has the usual form.
func TestRequestsThatCannotBeRead(t *testing.T) {
	b := setup(t)
	for name, c := range map[string]struct {
		request string
		status  int
	}{
		"huge body":    {"POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n" + strings.Repeat("a", 8<<10), http.StatusRequestEntityTooLarge},
		"huge headers": {"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("a", transport.HeaderLimit) + "\r\n\r\n", http.StatusRequestHeaderFieldsTooLarge},
		"no HTTP":      {"hello\r\n\r\n", http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) { wantDetail(t, b.raw(t, c.request), c.status) })
	}
}

// raw sends bytes that no HTTP client would send, and reads the response.
func (b *bundle) raw(t *testing.T, request string) reply {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	ok(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, request)
	ok(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	ok(t, err)
	body, err := io.ReadAll(response.Body)
	ok(t, err)
	return reply{response.StatusCode, response.Header, body}
}

func TestRequestIDs(t *testing.T) {
	b := setup(t)
	for given, kept := range map[string]bool{
		"abc-DEF_1.2": true, strings.Repeat("a", 128): true, strings.Repeat("a", 129): false, "a b": false, "é": false, `"`: false,
	} {
		r := b.do(t, "GET", "/healthz", "", "X-Request-Id", given)
		if got := r.header.Get("X-Request-Id"); (got == given) != kept || got == "" {
			t.Errorf("for %q: %q", given, got)
		}
	}
	first, second := b.get(t, "/healthz").header.Get("X-Request-Id"), b.get(t, "/healthz").header.Get("X-Request-Id")
	if first == second || !requestID.MatchString(first) {
		t.Errorf("made ids %q and %q", first, second)
	}
	b.do(t, "GET", "/nothing?secret=1", "", "X-Request-Id", "watched")
	if line := b.log.await(t, "watched", `"status":404`, `"ms":`); strings.Contains(line, "secret") {
		t.Errorf("the log holds a query: %s", line)
	}
}

// Every kind of error has a status, and the headers of the contract.
func TestHeadersOfErrors(t *testing.T) {
	b := setup(t)
	r := b.do(t, "GET", "/api/v1/models", "", "Authorization", "")
	wantDetail(t, r, http.StatusUnauthorized)
	equal(t, "WWW-Authenticate", r.header.Get("WWW-Authenticate"), "Bearer")
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"} {
		equal(t, name, r.header.Get(name), want)
	}
	head := b.do(t, "HEAD", "/api/v1/models", "", "Authorization", "")
	if head.status != http.StatusUnauthorized || len(head.body) != 0 {
		t.Errorf("HEAD: %d %q", head.status, head.body)
	}
}

func TestTokensOfAccountsThatHaveChanged(t *testing.T) {
	b := setup(t)
	status := func(token string) int {
		return b.do(t, "GET", "/api/v1/auth/me", "", "Authorization", "Bearer "+token).status
	}
	equal(t, "a good token", status(b.token), http.StatusOK)
	equal(t, "lower-case scheme", b.do(t, "GET", "/api/v1/auth/me", "", "Authorization", "bearer  "+b.token).status, http.StatusOK)
	ghost, err := b.Tokens.Issue(auth.Bearer{Email: "nobody@example.org", Role: "admin", Version: 1})
	ok(t, err)
	equal(t, "an account that is not there", status(ghost), http.StatusUnauthorized)
	// A new account with the address of an erased one is another account.
	erased := b.addUser(t, "zoe@example.org")
	left := b.tokenOf(t, erased)
	equal(t, "before it is erased", status(left), http.StatusOK)
	_, err = b.DB.EraseUser(t.Context(), erased.Email, false)
	ok(t, err)
	next := b.addUser(t, "zoe@example.org")
	equal(t, "the token of the one before", status(left), http.StatusUnauthorized)
	equal(t, "its own", status(b.tokenOf(t, next)), http.StatusOK)
	newer := b.user
	newer.TokenVersion = 2
	equal(t, "a version to come", status(b.tokenOf(t, newer)), http.StatusUnauthorized)
	ok(t, b.DB.SetPassword(t.Context(), b.user.ID, "y"))
	equal(t, "an older version", status(b.token), http.StatusUnauthorized)
	equal(t, "the new version", status(b.tokenOf(t, newer)), http.StatusOK)
	ok(t, pgtest.SetActive(t.Context(), b.DB, b.user.ID, false))
	current, err := b.DB.UserByID(t.Context(), b.user.ID)
	ok(t, err)
	equal(t, "a closed account", status(b.tokenOf(t, current)), http.StatusUnauthorized)
}
