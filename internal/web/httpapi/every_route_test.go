package httpapi

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"hash"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/web/oauth"
)

// open are the routes without authentication; all others require a token.
var open = set("/healthz", "/readyz", "/openapi.json", "/docs", transport.Prefix+"/auth/login", transport.Prefix+"/auth/login/code", transport.Prefix+"/auth/refresh", transport.Prefix+"/auth/logout",
	transport.Prefix+"/auth/methods", transport.Prefix+"/auth/providers/:provider", transport.Prefix+"/auth/providers/:provider/callback",
	transport.Prefix+"/auth/password/forgotten", transport.Prefix+"/auth/password/reset", transport.Prefix+"/auth/signup", transport.Prefix+"/auth/signup/confirm", transport.Prefix+"/alerts/stop",
	transport.Prefix+"/documents/:id/file", transport.Prefix+"/documents/:id/pages/:page.png", transport.Prefix+"/domaines", transport.Prefix+"/countries", transport.Prefix+"/business/inquiry",
	oauth.ResourceMetadata, oauth.ResourceMetadata+"/mcp", oauth.ServerMetadata, oauth.RegisterPath, oauth.TokenPath, oauth.RevokePath)

// walk returns every registered route except HEAD, which belongs to GET.
func (b *bundle) walk(t *testing.T) (routes []fiber.Route) {
	t.Helper()
	for _, route := range b.app().GetRoutes(true) {
		if route.Method != http.MethodHead {
			routes = append(routes, route)
		}
	}
	if len(routes) < 20 {
		t.Fatalf("%d routes were walked", len(routes))
	}
	for path := range open {
		if !slices.ContainsFunc(routes, func(r fiber.Route) bool { return r.Path == path }) {
			t.Errorf("%s is said to be open and is no route", path)
		}
	}
	return routes
}

// filled returns a route's path with id in place of each parameter.
func filled(route fiber.Route, id string) string {
	path := strings.Replace(route.Path, ":page", "1", 1)
	for _, name := range route.Params {
		path = strings.Replace(path, ":"+name, id, 1)
	}
	if strings.HasSuffix(path, "/diff") {
		path += "?from=2026-01-01&to=2026-01-02" // which are required
	}
	return path
}

// Every protected route checks authentication first.
func TestEveryProtectedRouteRefusesTheAnonymous(t *testing.T) {
	b := setup(t)
	for _, route := range b.app().GetRoutes(true) {
		if open[route.Path] {
			continue
		}
		for _, id := range []string{uuid.NewString(), "x"} {
			for _, authorization := range []string{"", "Bearer", "Bearer x", "Basic YTpi", "Bearer " + b.token + "x", b.token} {
				r := b.do(t, route.Method, filled(route, id), "", "Authorization", authorization)
				if r.status != http.StatusUnauthorized || !strings.HasPrefix(r.header.Get("WWW-Authenticate"), "Bearer") {
					t.Errorf("%s %s with %.12q: %d", route.Method, filled(route, id), authorization, r.status)
				}
			}
		}
	}
}

// A token of an ended session still reads, and does nothing else.
func TestEndedSessionsOnlyRead(t *testing.T) {
	b := setup(t)
	admin := b.as(t, "admin")
	bearer, err := b.Tokens.Read(strings.TrimPrefix(admin[1], "Bearer "))
	ok(t, err)
	ok(t, b.DB.EndSession(t.Context(), bearer.User, bearer.Session))
	equal(t, "reads", b.do(t, "GET", transport.Prefix+"/me", "", admin...).status, http.StatusOK)
	exports := set("/me/export", "/conversations/:id/export", "/documents/:id/export", "/admin/audit", "/admin/rated", "/admin/reviews/truth", "/admin/versions/truth", "/admin/versions/missing")
	for _, route := range b.walk(t) {
		if path := strings.TrimPrefix(route.Path, transport.Prefix); open[route.Path] || route.Method == http.MethodGet && !exports[path] {
			continue
		}
		if r := b.do(t, route.Method, filled(route, uuid.NewString()), "", admin...); r.status != http.StatusUnauthorized {
			t.Errorf("%s %s: %d", route.Method, route.Path, r.status)
		}
	}
}

// owned lists the routes to objects that belong to one user, with what their first
// parameter names and a valid body.
var owned = map[string]struct{ names, body string }{
	"GET /conversations/:id":                             {names: "conversation"},
	"PATCH /conversations/:id":                           {"conversation", `{"title":"À moi"}`},
	"DELETE /conversations/:id":                          {names: "conversation"},
	"GET /conversations/:id/export":                      {names: "conversation"},
	"GET /conversations/:id/link":                        {names: "conversation"},
	"POST /conversations/:id/link":                       {names: "conversation"},
	"DELETE /conversations/:id/link":                     {names: "conversation"},
	"GET /shared/:token":                                 {names: "nothing"},
	"POST /messages/:id/feedback":                        {"answer", `{"rating":"up"}`},
	"GET /chat-rag/stream/:message_id":                   {names: "answer"},
	"POST /chat-rag/stream/:message_id/cancel":           {names: "answer"},
	"GET /documents/:id":                                 {names: "nothing"},
	"GET /documents/:id/file":                            {names: "nothing"},
	"GET /documents/:id/pages/:page.png":                 {names: "nothing"},
	"GET /documents/:id/articles":                        {names: "nothing"},
	"GET /documents/:id/articles/:article_id":            {names: "nothing"},
	"GET /documents/:id/articles/:article_id/references": {names: "nothing"},
	"GET /documents/:id/articles/:article_id/cited-by":   {names: "nothing"},
	"GET /documents/:id/articles/:article_id/versions":   {names: "nothing"},
	"GET /documents/:id/articles/:article_id/diff":       {names: "nothing"},
	"GET /documents/:id/days":                            {names: "nothing"},
	"GET /documents/:id/versions":                        {names: "nothing"},
	"GET /documents/:id/relations":                       {names: "nothing"},
	"GET /documents/:id/details":                         {names: "nothing"},
	"GET /documents/:id/export":                          {names: "nothing"},
	"POST /auth/providers/:provider":                     {"nothing", "{}"},
	"POST /auth/providers/:provider/callback":            {"nothing", `{"code":"x","state":"x"}`},
	"POST /auth/providers/:provider/fresh":               {"nothing", "{}"},
	"POST /auth/providers/:provider/fresh/callback":      {"nothing", `{"code":"x","state":"x"}`},
	"DELETE /me/follows/:id":                             {names: "nothing"}, // other users' are tested in TestFollows and TestWebhooks
	"PATCH /me/webhooks/:id":                             {"nothing", `{"active":true}`},
	"DELETE /me/webhooks/:id":                            {names: "nothing"},
	"POST /me/webhooks/:id/test":                         {names: "nothing"},
	"GET /me/webhooks/:id/deliveries":                    {names: "nothing"},
	"POST /me/webhooks/:id/deliveries/:delivery_id":      {names: "nothing"},
	"DELETE /auth/sessions/:id":                          {names: "nothing"}, // other users' sessions are tested in TestSessionsAreListedAndEnded
}

// Every route to an object returns 404 for other users' objects, as for missing ones, or
// 403 for a role that is too low, and changes nothing. A new route fails here until it is
// listed.
func TestEveryRouteRefusesStrangers(t *testing.T) {
	b := setup(t, func(s *Server) { s.Alerts.Webhooks = true })
	conversation, answer := b.answered(t, "Combien ?", "Dix [1].")
	before := b.get(t, conversationsPath+"/"+conversation.String())
	stranger := b.tokenOf(t, b.addUser(t, "eve@example.org"))
	walked := 0
	for _, route := range b.walk(t) {
		if len(route.Params) == 0 && !strings.HasPrefix(route.Path, transport.Prefix+"/admin/") {
			continue
		}
		walked++
		if strings.HasPrefix(route.Path, transport.Prefix+"/admin/") {
			for _, id := range []string{uuid.NewString(), "x"} {
				if r := b.do(t, route.Method, filled(route, id), "", "Authorization", "Bearer "+stranger); r.status != http.StatusForbidden {
					t.Errorf("%s %s with too small a role: %d %s", route.Method, route.Path, r.status, r.body)
				}
			}
			continue
		}
		of, said := owned[route.Method+" "+strings.TrimPrefix(route.Path, transport.Prefix)]
		if !said {
			t.Errorf("%s %s: say in this test what it names", route.Method, route.Path)
			continue
		}
		ids := []string{uuid.NewString()}
		switch of.names {
		case "conversation":
			ids = append(ids, conversation.String())
		case "answer":
			ids = append(ids, answer.String())
		}
		for _, id := range ids {
			wantDetail(t, b.do(t, route.Method, filled(route, id), of.body, "Authorization", "Bearer "+stranger), http.StatusNotFound)
		}
		if slices.Contains([]string{"provider", "token", "code"}, route.Params[0]) { // providers are named by the operator; a malformed token or code is an unknown one
			continue
		}
		equal(t, route.Method+" "+route.Path+": no UUID", len(found(t, b.do(t, route.Method, filled(route, "x"), of.body))) > 0, true)
	}
	if walked < len(owned) {
		t.Errorf("%d routes were walked, %d are listed", walked, len(owned))
	}
	after := b.get(t, conversationsPath+"/"+conversation.String())
	equal(t, "what the stranger left", string(after.body), string(before.body))
}

// A path segment that is not a UUID is a fault of the parameter, or an unknown path.
func TestIDsThatAreNone(t *testing.T) {
	b := setup(t)
	for _, route := range []string{"GET /conversations/ID", "DELETE /conversations/ID", "GET /conversations/ID/export", "GET /documents/ID/relations"} {
		method, path, _ := strings.Cut(route, " ")
		for _, id := range []string{"0", "%00", "%ff", "%ed%a0%80", "%F0%9F%91%A9", "%25", "..%2f..%2fetc%2fpasswd", "%7B" + uuid.NewString() + "%7D",
			"urn:uuid:" + uuid.NewString(), uuid.NewString() + "%20", uuid.NewString()[1:], strings.Repeat("a", 4000)} {
			r := b.do(t, method, transport.Prefix+strings.Replace(path, "ID", id, 1), "")
			if r.status == http.StatusNotFound && strings.Contains(id, "%2f") { // the decoded path has more segments
				continue
			}
			equal(t, route+" "+id[:min(len(id), 40)], found(t, r), []string{"uuid_parsing path.id"})
		}
		for _, id := range []string{strings.ToUpper(uuid.NewString()), strings.ReplaceAll(uuid.NewString(), "-", "")} {
			wantDetail(t, b.do(t, method, transport.Prefix+strings.Replace(path, "ID", id, 1), ""), http.StatusNotFound)
		}
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	ok(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "GET %s/conversations/%%zz?q=%%zz HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", transport.Prefix, b.token)
	ok(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	ok(t, err)
	defer response.Body.Close()
	equal(t, "wrong escapes", response.StatusCode, http.StatusUnprocessableEntity)
}

// An incomplete body has the same timeout as others, and the server continues.
func TestABodyThatStopsHalfWay(t *testing.T) {
	b := setup(t)
	id, _ := b.answered(t, "Un ?", "Oui.")
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	ok(t, err)
	_, err = fmt.Fprintf(conn, "PATCH %s/%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{\"title\":\"à moit",
		conversationsPath, id, b.token)
	ok(t, err)
	ok(t, conn.Close())
	equal(t, "title", decode[conversations.WholeBody](t, b.get(t, conversationsPath+"/"+id.String())).Conversation.Title, "Un ?")
}

// forge makes a token with any header and claims, signed with an HMAC.
func forge(algorithm func() hash.Hash, secret, header, claims string) string {
	spell := base64.RawURLEncoding.EncodeToString
	text := spell([]byte(header)) + "." + spell([]byte(claims))
	mac := hmac.New(algorithm, []byte(secret))
	mac.Write([]byte(text))
	return text + "." + spell(mac.Sum(nil))
}

// Forged tokens are rejected, even with the server's secret if they violate another rule.
func TestTokensThatAreMadeUp(t *testing.T) {
	b := setup(t)
	secret, now := strings.Repeat("s", 32), time.Now().Unix() // the server's own secret
	const header = `{"alg":"HS256","kid":"1","typ":"JWT"}`
	claims := func(aud, exp, version string) string {
		return fmt.Sprintf(`{"iss":"vigueur","aud":%q,"sub":%q,"uid":%q,"role":"admin","iat":%d,"jti":"1"%s,"ver":%s}`, aud, b.user.Email, b.user.ID, now, exp, version)
	}
	hour := fmt.Sprintf(`,"exp":%d`, now+3600)
	whole := claims("vigueur-api", hour, "1")
	good := forge(sha256.New, secret, header, whole)
	status := func(token string) reply {
		return b.do(t, "GET", transport.Prefix+"/auth/me", "", "Authorization", "Bearer "+token)
	}
	equal(t, "a good one", status(good).status, http.StatusOK)
	unsigned, _, _ := strings.Cut(forge(sha256.New, secret, `{"alg":"none"}`, whole), ".")
	for name, token := range map[string]string{
		"none, unsigned":      unsigned + "." + strings.Split(good, ".")[1] + ".",
		"none, signed":        forge(sha256.New, secret, `{"alg":"none","kid":"1"}`, whole),
		"HS512":               forge(sha512.New, secret, `{"alg":"HS512","kid":"1"}`, whole),
		"RS256 said of HS256": forge(sha256.New, secret, `{"alg":"RS256","kid":"1"}`, whole),
		"another secret":      forge(sha256.New, secret+"x", header, whole),
		"another key":         forge(sha256.New, secret, `{"alg":"HS256","kid":"2"}`, whole),
		"no exp":              forge(sha256.New, secret, header, claims("vigueur-api", "", "1")),
		"exp as text":         forge(sha256.New, secret, header, claims("vigueur-api", `,"exp":"demain"`, "1")),
		"exp of 1e400":        forge(sha256.New, secret, header, claims("vigueur-api", `,"exp":1e400`, "1")),
		"expired":             forge(sha256.New, secret, header, claims("vigueur-api", fmt.Sprintf(`,"exp":%d`, now-60), "1")),
		"another aud":         forge(sha256.New, secret, header, claims("elsewhere", hour, "1")),
		"older version":       forge(sha256.New, secret, header, claims("vigueur-api", hour, "0")),
		"version as text":     forge(sha256.New, secret, header, claims("vigueur-api", hour, `"1"`)),
		"claims null":         forge(sha256.New, secret, header, "null"),
		"sub with NUL":        forge(sha256.New, secret, header, strings.Replace(whole, "awa@", `awa\u0000@`, 1)),
		"sub of bad UTF-8":    forge(sha256.New, secret, header, strings.Replace(whole, "awa@", "awa\xff@", 1)),
		"cut":                 good[:len(good)-1],
		"cut in half":         good[:len(good)/2],
		"nothing":             "",
		"8 KB":                strings.Repeat("a", 8<<10),
		"two":                 good + ", " + good,
	} {
		r := status(token)
		wantDetail(t, r, http.StatusUnauthorized)
		if r.status != http.StatusUnauthorized || !strings.HasPrefix(r.header.Get("WWW-Authenticate"), "Bearer") {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
	// The header is only slightly longer than the limit: with a longer one the client might
	// see a reset while it still sends.
	wantDetail(t, status(strings.Repeat("a", transport.HeaderLimit)), http.StatusRequestHeaderFieldsTooLarge)
}

// The role is read from the database; a higher role in the token is ignored.
func TestARoleInATokenIsNotBelieved(t *testing.T) {
	b := setup(t)
	admin := b.user
	admin.Role = "admin"
	r := b.do(t, "GET", transport.Prefix+"/auth/me", "", "Authorization", "Bearer "+b.tokenOf(t, admin))
	equal(t, "role", decode[account.UserBody](t, r).Role, "user")
}
