package httpapi

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/web/oauth"
)

// granted is a program in the middle of asking for authorization.
type granted struct {
	*bundle
	client, redirect, verifier string
}

// program registers a program.
func (b *bundle) program(t *testing.T, redirects ...string) granted {
	t.Helper()
	list, err := json.Marshal(redirects)
	ok(t, err)
	r := b.do(t, "POST", oauth.RegisterPath, `{"client_name":"Assistant","redirect_uris":`+string(list)+`,"logo_uri":"https://x.example"}`)
	if r.status != http.StatusCreated {
		t.Fatalf("register: %d %s", r.status, r.body)
	}
	id := decode[struct {
		ID string `json:"client_id"`
	}](t, r).ID
	return granted{b, id, redirects[0], "un-secret-que-seul-le-programme-connait-et-qui-est-long"}
}

// request is the query of the page's address; change may change it.
func (g granted) request(change ...func(url.Values)) string {
	q := url.Values{"response_type": {"code"}, "client_id": {g.client}, "redirect_uri": {g.redirect}, "state": {"é 1"}, "scope": {"mcp"},
		"code_challenge": {oauth.Challenge(g.verifier)}, "code_challenge_method": {"S256"}, "resource": {"https://vigueur.example/mcp"}}
	for _, c := range change {
		c(q)
	}
	return q.Encode()
}

// sends posts a request for authorization to a path of the API.
func (g granted) sends(t *testing.T, path, request string, headers ...string) reply {
	t.Helper()
	body, err := json.Marshal(map[string]string{"request": request})
	ok(t, err)
	return g.do(t, "POST", transport.Prefix+path, string(body), headers...)
}

// code authorizes the program and returns its code.
func (g granted) code(t *testing.T) string {
	t.Helper()
	r := g.sends(t, "/auth/programs", g.request())
	address := decode[struct{ Address string }](t, r).Address
	u, err := url.Parse(address)
	ok(t, err)
	q := u.Query()
	if r.status != http.StatusOK || !strings.HasPrefix(address, g.redirect+"?") || q.Get("state") != "é 1" || q.Get("iss") != "https://vigueur.example" || q.Get("code") == "" {
		t.Fatalf("authorize: %d %s", r.status, r.body)
	}
	return q.Get("code")
}

// form posts a form without authentication.
func (g granted) form(t *testing.T, path string, fields ...string) reply {
	t.Helper()
	v := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		v.Add(fields[i], fields[i+1])
	}
	return g.do(t, "POST", path, v.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Authorization", "")
}

func (g granted) exchange(t *testing.T, code string, more ...string) reply {
	t.Helper()
	return g.form(t, oauth.TokenPath, append([]string{"grant_type", "authorization_code", "client_id", g.client, "code", code, "redirect_uri", g.redirect, "code_verifier", g.verifier}, more...)...)
}

func (g granted) renew(t *testing.T, token string) reply {
	t.Helper()
	return g.form(t, oauth.TokenPath, "grant_type", "refresh_token", "client_id", g.client, "refresh_token", token)
}

// What a program asks for beyond what there is, it is not refused for: the response says what was granted (RFC 7591,
// 3.2.1; RFC 6749, 3.3).
func TestAProgramThatAsksForMoreGetsWhatThereIs(t *testing.T) {
	b := setup(t)
	const six = `["https://a.example/","https://b.example/","http://localhost/","http://localhost:1/","http://127.0.0.1/","http://127.0.0.1:2/"]`
	r := b.do(t, "POST", oauth.RegisterPath, `{"client_name":"`+strings.Repeat("a", 70)+`","redirect_uris":`+six+`,"token_endpoint_auth_method":"client_secret_post"}`)
	got := decode[map[string]any](t, r)
	if r.status != http.StatusCreated || got["token_endpoint_auth_method"] != "none" || got["client_secret"] != nil || got["client_name"] != strings.Repeat("a", 63)+"…" {
		t.Errorf("%d %s", r.status, r.body)
	}
	g := b.program(t, "http://127.0.0.1:4000/retour")
	g.token = b.token
	for _, scope := range []string{"", "mcp offline_access", "openid profile"} {
		asked := g.sends(t, "/auth/programs", g.request(func(q url.Values) { q.Set("scope", scope) }))
		u, err := url.Parse(decode[struct{ Address string }](t, asked).Address)
		ok(t, err)
		r := g.exchange(t, u.Query().Get("code"))
		if body := decode[map[string]any](t, r); r.status != http.StatusOK || body["scope"] != oauth.Scope {
			t.Errorf("scope %q: %d %s", scope, r.status, r.body)
		}
	}
}

// wantGrantError fails unless r is an error of RFC 6749 with a French text.
func wantGrantError(t *testing.T, what string, r reply, code string) {
	t.Helper()
	var got map[string]string
	if err := json.Unmarshal(r.body, &got); err != nil || r.status != http.StatusBadRequest || got["error"] != code || got["error_description"] == "" || len(got) != 2 {
		t.Errorf("%s: %d %s, want %s", what, r.status, r.body, code)
	}
}

// A program that is told nothing finds out from a refusal how to register, asks a person, and
// uses the tools, and nothing else, until the person ends its session.
func TestProgramIsAuthorized(t *testing.T) {
	b := setup(t)
	r := b.do(t, "POST", transport.ToolsRoute, message("tools/list", `{}`), "Authorization", "")
	if want := `Bearer resource_metadata="https://vigueur.example/.well-known/oauth-protected-resource/mcp", scope="mcp"`; r.status != http.StatusUnauthorized || r.header.Get("WWW-Authenticate") != want {
		t.Errorf("without a token: %d %q", r.status, r.header.Get("WWW-Authenticate"))
	}
	for path, want := range map[string]string{
		"/.well-known/oauth-protected-resource":     `"resource":"https://vigueur.example/mcp"`,
		"/.well-known/oauth-protected-resource/mcp": `"authorization_servers":["https://vigueur.example"]`,
		"/.well-known/oauth-authorization-server":   `"code_challenge_methods_supported":["S256"]`,
	} {
		if r := b.do(t, "GET", path, "", "Authorization", ""); r.status != http.StatusOK || !strings.Contains(string(r.body), want) {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	g := b.program(t, "https://assistant.example/retour?a=b")
	g.redirect = "https://assistant.example/retour?a=b"
	shown := g.sends(t, "/auth/programs/request", g.request())
	if want := `{"name":"Assistant","address":"https://assistant.example","refused":"https://assistant.example/retour?a=b\u0026error=access_denied\u0026iss=https%3A%2F%2Fvigueur.example\u0026state=%C3%A9+1"}`; string(shown.body) != want {
		t.Errorf("shown: %d %s", shown.status, shown.body)
	}
	g = b.program(t, "https://assistant.example/retour")
	code := g.code(t)
	wantGrantError(t, "another verifier", g.form(t, oauth.TokenPath, "grant_type", "authorization_code", "client_id", g.client, "code", code, "redirect_uri", g.redirect, "code_verifier", "x"), oauth.InvalidGrant)
	wantGrantError(t, "no verifier", g.form(t, oauth.TokenPath, "grant_type", "authorization_code", "client_id", g.client, "code", code, "redirect_uri", g.redirect), oauth.InvalidGrant)
	wantGrantError(t, "as a refresh token", g.renew(t, code), oauth.InvalidGrant)
	other := b.program(t, "https://autre.example/")
	other.redirect = g.redirect
	wantGrantError(t, "another program", other.exchange(t, code), oauth.InvalidGrant)
	equal(t, "as a person's", b.unsigned(t, "/auth/refresh", `{"refresh_token":"`+code+`"}`).status, http.StatusUnauthorized)
	r = g.exchange(t, code)
	pair := decode[account.GrantBody](t, r)
	if r.status != http.StatusOK || pair.Kind != "Bearer" || pair.Expires != 3600 || pair.Scope != "mcp" || r.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("exchange: %d %s", r.status, r.body)
	}
	if got := decode[protocol](t, b.exchangeMessage(t, pair.Access, message("tools/list", `{}`))); len(got.Result.Tools) != 8 {
		t.Errorf("tools: %+v", got)
	}
	for _, path := range []string{"/me", "/conversations", "/auth/sessions", "/documents"} {
		equal(t, path, b.do(t, "GET", transport.Prefix+path, "", bearer(pair.Access)...).status, http.StatusUnauthorized)
	}
	equal(t, "authorizes another", g.sends(t, "/auth/programs", g.request(), bearer(pair.Access)...).status, http.StatusUnauthorized)
	equal(t, "renews a person's session", b.unsigned(t, "/auth/refresh", `{"refresh_token":"`+pair.Refresh+`"}`).status, http.StatusUnauthorized)
	equal(t, "ends a person's session", b.unsigned(t, "/auth/logout", `{"refresh_token":"`+pair.Refresh+`"}`).status, http.StatusNoContent)
	again := decode[account.GrantBody](t, g.renew(t, pair.Refresh))
	if again.Access == "" || again.Refresh == pair.Refresh {
		t.Fatalf("renewed: %+v", again)
	}
	sessions := string(b.get(t, transport.Prefix+"/auth/sessions").body)
	if !strings.Contains(sessions, `"client":"Assistant"`) {
		t.Errorf("sessions: %s", sessions)
	}
	equal(t, "revoked", g.form(t, oauth.RevokePath, "client_id", g.client, "token", again.Refresh).status, http.StatusOK)
	wantGrantError(t, "after that", g.renew(t, again.Refresh), oauth.InvalidGrant)
	equal(t, "tools after that", b.exchangeMessage(t, again.Access, message("tools/list", `{}`)).status, http.StatusUnauthorized)
}

// Sessions of programs count as sign-ins.
func TestSessionsOfProgramsAreLimited(t *testing.T) {
	b := setup(t, func(s *Server) { s.Logins.Right.Limit = 2 })
	g := b.program(t, "https://assistant.example/retour")
	for range 2 {
		g.code(t)
	}
	wantDetail(t, g.sends(t, "/auth/programs", g.request()), http.StatusTooManyRequests)
}

// A code that is exchanged twice may be in two hands: its session ends.
func TestCodeOfAProgramIsOfUseOnce(t *testing.T) {
	b := setup(t, func(s *Server) { s.Lives.Grace = time.Hour })
	g := b.program(t, "http://127.0.0.1/retour")
	g.redirect = "http://127.0.0.1:53121/retour" // the port that was free
	code := g.code(t)
	pair := decode[account.GrantBody](t, g.exchange(t, code))
	wantGrantError(t, "twice", g.exchange(t, code), oauth.InvalidGrant)
	wantGrantError(t, "what it gave", g.renew(t, pair.Refresh), oauth.InvalidGrant)
	late := g.code(t)
	b.Transport.Now = func() time.Time { return time.Now().Add(-2 * codeLife) } // the next one has expired
	expired := g.code(t)
	wantGrantError(t, "expired", g.exchange(t, expired), oauth.InvalidGrant)
	equal(t, "in time", g.exchange(t, late).status, http.StatusOK)
}

func TestRequestsOfProgramsAreChecked(t *testing.T) {
	b := setup(t)
	g := b.program(t, "https://assistant.example/retour")
	for what, change := range map[string]func(url.Values){
		"another address":    func(q url.Values) { q.Set("redirect_uri", "https://pirate.example/") },
		"no address":         func(q url.Values) { q.Del("redirect_uri") },
		"an address within":  func(q url.Values) { q.Set("redirect_uri", "https://assistant.example/retour/../x") },
		"a token":            func(q url.Values) { q.Set("response_type", "token") },
		"no proof":           func(q url.Values) { q.Del("code_challenge") },
		"a plain proof":      func(q url.Values) { q.Set("code_challenge_method", "plain") },
		"a short proof":      func(q url.Values) { q.Set("code_challenge", "YQ") },
		"another service":    func(q url.Values) { q.Set("resource", "https://autre.example/mcp") },
		"a long state":       func(q url.Values) { q.Set("state", strings.Repeat("a", 2049)) },
		"an unknown program": func(q url.Values) { q.Set("client_id", "YWJj") },
	} {
		for _, path := range []string{"/auth/programs/request", "/auth/programs"} {
			if r := g.sends(t, path, g.request(change)); r.status != http.StatusBadRequest || strings.Contains(string(r.body), "code=") {
				t.Errorf("%s at %s: %d %s", what, path, r.status, r.body)
			}
		}
	}
	for what, body := range map[string]string{
		"no JSON": `{`, "no address": `{"client_name":"x"}`, "no list": `{"redirect_uris":"https://a.example/"}`,
		"a script":            `{"redirect_uris":["javascript:alert(1)"]}`,
		"data":                `{"redirect_uris":["data:text/html,x"]}`,
		"no TLS":              `{"redirect_uris":["http://assistant.example/"]}`,
		"a fragment":          `{"redirect_uris":["https://assistant.example/#"]}`,
		"a name in it":        `{"redirect_uris":["https://vigueur.example@pirate.example/"]}`,
		"too many":            `{"redirect_uris":["https://a.example/"` + strings.Repeat(`,"https://b.example/"`, 10) + `]}`,
		"too long":            `{"redirect_uris":["https://a.example/` + strings.Repeat("a", 1000) + `"]}`,
		"a Cyrillic host":     `{"redirect_uris":["https://vigu\u0435ur.example/"]}`,
		"a name turned":       `{"redirect_uris":["https://a.example/"],"client_name":"\u202eVigueur"}`,
		"a mark of a variant": `{"redirect_uris":["https://a.example/"],"client_name":"Vigueur\ufe0f"}`,
	} {
		if r := b.do(t, "POST", oauth.RegisterPath, body); r.status != http.StatusBadRequest || !strings.Contains(string(r.body), `"error":"invalid_`) {
			t.Errorf("registered with %s: %d %s", what, r.status, r.body)
		}
	}
	b.program(t, "fr.exemple.programme:/retour")
	b.program(t, "http://[::1]:1/x", "http://localhost/x")
	wantGrantError(t, "no form", b.do(t, "POST", oauth.TokenPath, `{}`), oauth.InvalidRequest)
	wantGrantError(t, "a field twice", g.exchange(t, "a", "code", "b"), oauth.InvalidRequest)
	wantGrantError(t, "a long form", g.exchange(t, strings.Repeat("a", transport.HeaderLimit)), oauth.InvalidRequest)
	wantGrantError(t, "no program", g.form(t, oauth.TokenPath, "grant_type", "refresh_token"), oauth.InvalidClient)
	wantGrantError(t, "another grant", g.form(t, oauth.TokenPath, "client_id", g.client, "grant_type", "password"), oauth.UnknownGrant)
	wantGrantError(t, "another service", g.exchange(t, "a", "resource", "https://autre.example/"), oauth.InvalidTarget)
	equal(t, "without signing in", g.sends(t, "/auth/programs", g.request(), "Authorization", "").status, http.StatusUnauthorized)
	equal(t, "an unknown token", g.form(t, oauth.RevokePath, "client_id", g.client, "token", uuid.NewString()).status, http.StatusOK)
}
