package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/transport"
)

const loginPath = "/api/v1/auth/login"

// setPassword sets a password of the bundle's user.
func (b *bundle) setPassword(t *testing.T, password string) {
	t.Helper()
	hash, err := b.Passwords.Hash(t.Context(), password)
	ok(t, err)
	ok(t, b.DB.SetPassword(t.Context(), b.user.ID, hash))
	b.user, err = b.DB.UserByID(t.Context(), b.user.ID)
	ok(t, err)
	b.token = b.tokenOf(t, b.user)
}

func (b *bundle) login(t *testing.T, email, password string, headers ...string) reply {
	t.Helper()
	return b.do(t, "POST", loginPath, fmt.Sprintf(`{"email":%q,"password":%q}`, email, password), headers...)
}

func quotaOf(r reply) [3]string {
	return [3]string{r.header.Get("RateLimit-Limit"), r.header.Get("RateLimit-Remaining"), r.header.Get("RateLimit-Reset")}
}

func TestLogin(t *testing.T) {
	b := setup(t)
	b.setPassword(t, "mot de passe")
	r := b.login(t, " AWA@Example.org ", "mot de passe", "Authorization", "")
	equal(t, "status", r.status, http.StatusOK)
	equal(t, "quota", quotaOf(r), [3]string{"5", "5", "300"})
	if got := keys(t, r.body); !equalKeys(got, set("access_token", "token_type", "expires_in", "refresh_token", "user")) {
		t.Errorf("fields %v", got)
	}
	s := decode[account.SessionBody](t, r)
	equal(t, "user", s.User, account.UserBody{ID: b.user.ID, Email: "awa@example.org", FullName: "Awa Essai", Role: "user"})
	equal(t, "kind", s.TokenType+fmt.Sprint(s.ExpiresIn), "bearer3600")
	me := b.do(t, "GET", "/api/v1/auth/me", "", "Authorization", "Bearer "+s.AccessToken)
	equal(t, "me", string(me.body), fmt.Sprintf(`{"id":%q,"email":"awa@example.org","full_name":"Awa Essai","role":"user"}`, b.user.ID))
}

func TestWrongPairsAreAlike(t *testing.T) {
	b := setup(t)
	b.setPassword(t, "mot de passe")
	hash, err := b.Passwords.Hash(t.Context(), "mot de passe")
	ok(t, err)
	ok(t, b.DB.CreateUser(t.Context(), postgres.User{ID: postgres.NewID(), Email: "parti@example.org", FullName: "P", Role: "user", PasswordHash: hash}))
	var bodies []string
	for _, email := range []string{"awa@example.org", "parti@example.org", "inconnu@example.org", "' OR 1=1 --"} {
		password := "faux"
		if strings.HasPrefix(email, "parti") {
			password = "mot de passe"
		}
		r := b.login(t, email, password)
		wantDetail(t, r, http.StatusUnauthorized)
		equal(t, "WWW-Authenticate", r.header.Get("WWW-Authenticate"), "Bearer")
		equal(t, "quota of "+email, quotaOf(r), [3]string{"5", "4", "300"})
		bodies = append(bodies, string(r.body))
	}
	for _, body := range bodies[1:] {
		equal(t, "body", body, bodies[0])
	}
}

func TestLoginIsLimited(t *testing.T) {
	b := setup(t)
	b.setPassword(t, "mot de passe")
	for _, email := range []string{"awa@example.org", "inconnu@example.org"} {
		for range 5 {
			wantDetail(t, b.login(t, email, "faux"), http.StatusUnauthorized)
		}
		r := b.login(t, strings.ToUpper(email), "mot de passe")
		wantDetail(t, r, http.StatusTooManyRequests)
		q := quotaOf(r)
		if q[0] != "5" || q[1] != "0" || q[2] != r.header.Get("Retry-After") || q[2] == "" {
			t.Errorf("quota %v, Retry-After %q", q, r.header.Get("Retry-After"))
		}
	}
	// From another address, according to the trusted proxy, it works.
	equal(t, "from another address", b.login(t, "awa@example.org", "mot de passe", "X-Forwarded-For", "6.6.6.6, 203.0.113.9").status, http.StatusOK)
	// A malformed request is not a try.
	for range 6 {
		equal(t, "no password", found(t, b.do(t, "POST", loginPath, `{"email":"c@example.org"}`)), []string{"missing body.password"})
	}
	equal(t, "after them", b.login(t, "c@example.org", "faux").status, http.StatusUnauthorized)
}

// Of twenty concurrent guesses at two servers, five are checked.
func TestLoginLimitHoldsAtOnce(t *testing.T) {
	b := setup(t)
	b.setPassword(t, "mot de passe")
	other := start(t, b.DB, sharedRedis.URL(), func(s *Server) { s.Logins.Pair.Name = b.Logins.Pair.Name })
	var wrong, limited atomic.Int32
	var all sync.WaitGroup
	for i := range 20 {
		server := []*bundle{b, other}[i%2]
		all.Go(func() {
			switch r := server.login(t, "awa@example.org", "faux", "X-Forwarded-For", "203.0.113.7"); r.status {
			case http.StatusUnauthorized:
				wrong.Add(1)
			case http.StatusTooManyRequests:
				limited.Add(1)
			default:
				t.Errorf("%d %s", r.status, r.body)
			}
		})
	}
	all.Wait()
	if wrong.Load() != 5 || limited.Load() != 15 {
		t.Errorf("%d wrong and %d limited, want 5 and 15", wrong.Load(), limited.Load())
	}
}

func TestRefreshTokensRotate(t *testing.T) {
	b := setup(t)
	b.setPassword(t, "mot de passe")
	refresh := func(token string) reply {
		return b.do(t, "POST", "/api/v1/auth/refresh", fmt.Sprintf(`{"refresh_token":%q}`, token), "Authorization", "")
	}
	first := decode[account.SessionBody](t, b.login(t, "awa@example.org", "mot de passe"))
	second := decode[account.SessionBody](t, refresh(first.RefreshToken))
	if second.RefreshToken == first.RefreshToken || second.AccessToken == first.AccessToken || second.User != first.User {
		t.Errorf("refreshed %+v from %+v", second, first)
	}
	apart := decode[account.SessionBody](t, b.login(t, "awa@example.org", "mot de passe"))
	wantDetail(t, refresh(first.RefreshToken), http.StatusUnauthorized)  // used twice
	wantDetail(t, refresh(second.RefreshToken), http.StatusUnauthorized) // its family is revoked
	equal(t, "another sign-in", refresh(apart.RefreshToken).status, http.StatusOK)
	wantDetail(t, refresh("nothing"), http.StatusUnauthorized)
	equal(t, "none", found(t, b.do(t, "POST", "/api/v1/auth/refresh", `{}`)), []string{"missing body.refresh_token"})
	equal(t, "a number", found(t, b.do(t, "POST", "/api/v1/auth/refresh", `{"refresh_token":5}`)), []string{"string_type body.refresh_token"})

	third := decode[account.SessionBody](t, b.login(t, "awa@example.org", "mot de passe"))
	for range 2 {
		r := b.do(t, "POST", "/api/v1/auth/logout", fmt.Sprintf(`{"refresh_token":%q}`, third.RefreshToken), "Authorization", "")
		if r.status != http.StatusNoContent || len(r.body) != 0 {
			t.Errorf("logout: %d %s", r.status, r.body)
		}
	}
	wantDetail(t, refresh(third.RefreshToken), http.StatusUnauthorized)
	equal(t, "the access token lives on", b.do(t, "GET", "/api/v1/auth/me", "", "Authorization", "Bearer "+third.AccessToken).status, http.StatusOK)

	closed := decode[account.SessionBody](t, b.login(t, "awa@example.org", "mot de passe"))
	ok(t, pgtest.SetActive(t.Context(), b.DB, b.user.ID, false))
	wantDetail(t, refresh(closed.RefreshToken), http.StatusUnauthorized)
}

// A page whose connection broke during a refresh still has the old cookie. It refreshes
// again, and is signed in.
func TestALostRefreshIsAskedForAgain(t *testing.T) {
	b := setup(t, func(s *Server) { s.Lives.Grace = time.Hour })
	b.setPassword(t, "mot de passe")
	kept := func(r reply) string {
		t.Helper()
		list := (&http.Response{Header: r.header}).Cookies()
		if r.status != http.StatusOK || len(list) != 1 {
			t.Fatalf("%d %s with %d cookies", r.status, r.body, len(list))
		}
		return list[0].Name + "=" + list[0].Value
	}
	refresh := func(cookie string) reply {
		return b.do(t, "POST", "/api/v1/auth/refresh", "{}", "Authorization", "", "Cookie", cookie)
	}
	old := kept(b.do(t, "POST", loginPath, `{"email":"awa@example.org","password":"mot de passe","cookie":true}`))
	lost := kept(refresh(old))
	came := kept(refresh(old))
	if lost == came || lost == old || came == old {
		t.Error("a token was given twice")
	}
	next := kept(refresh(came))
	wantDetail(t, refresh(lost), http.StatusUnauthorized) // somebody else read the lost reply
	wantDetail(t, refresh(next), http.StatusUnauthorized)
	audit := string(b.do(t, "GET", transport.Prefix+"/admin/audit", "", b.as(t, "admin")...).body)
	for _, action := range []string{"auth.refresh_repeat", "auth.refresh_reuse"} {
		equal(t, action, strings.Count(audit, `"`+action+`"`), 1)
	}
}

func TestBrowsersKeepTheRefreshTokenInACookie(t *testing.T) {
	b := setup(t)
	b.setPassword(t, "mot de passe")
	body := `{"email":"awa@example.org","password":"mot de passe","cookie":true}`
	cookieOf := func(r reply) *http.Cookie {
		t.Helper()
		list := (&http.Response{Header: r.header}).Cookies()
		if len(list) != 1 {
			t.Fatalf("%d cookies on %d %s", len(list), r.status, r.body)
		}
		return list[0]
	}
	for base, secure := range map[string]bool{
		"http://127.0.0.1:8080": false, "http://localhost:8080/": false, "http://[::1]:80": false,
		"https://vigueur.example": true, "https://127.0.0.1": true, "http://vigueur.example": true, "http://127.0.0.1.evil.example": true,
	} {
		b.Transport.BaseURL = base
		for _, host := range []string{"", "localhost:8080", "vigueur.example"} { // the client's Host header
			r := b.do(t, "POST", loginPath, body, "Host", host)
			c := cookieOf(r)
			if c.Secure != secure || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/api/v1/auth" || c.MaxAge != int(b.Lives.Refresh.Seconds()) {
				t.Errorf("at %s for host %q: %v", base, host, c)
			}
			if strings.Contains(string(r.body), "refresh_token") {
				t.Errorf("the body has it too: %s", r.body)
			}
		}
	}
	first := cookieOf(b.do(t, "POST", loginPath, body))
	for name, headers := range map[string][]string{"form": {"Content-Type", "application/x-www-form-urlencoded"}, "none": {"Content-Type", ""}} {
		r := b.do(t, "POST", "/api/v1/auth/refresh", "", append(headers, "Cookie", first.Name+"="+first.Value)...)
		equal(t, name, r.status, http.StatusUnsupportedMediaType)
	}
	r := b.do(t, "POST", "/api/v1/auth/refresh", "", "Content-Type", "application/json", "Cookie", first.Name+"="+first.Value)
	second := cookieOf(r)
	if second.Value == first.Value || strings.Contains(string(r.body), "refresh_token") {
		t.Errorf("refreshed to %v, body %s", second, r.body)
	}
	out := b.do(t, "POST", "/api/v1/auth/logout", `{}`, "Cookie", second.Name+"="+second.Value)
	equal(t, "logout", out.status, http.StatusNoContent)
	if c := cookieOf(out); c.Value != "" || c.Expires.Year() != 1970 {
		t.Errorf("after logout the browser keeps %v", c)
	}
	wantDetail(t, b.do(t, "POST", "/api/v1/auth/refresh", `{}`, "Cookie", second.Name+"="+second.Value), http.StatusUnauthorized)
}

func TestChangingThePassword(t *testing.T) {
	b := setup(t)
	b.setPassword(t, "mot de passe")
	session := decode[account.SessionBody](t, b.login(t, "awa@example.org", "mot de passe"))
	change := func(body string) reply { return b.do(t, "POST", "/api/v1/auth/password", body) }
	equal(t, "faults", found(t, change(`{"new_password":"court"}`)), []string{"missing body.current_password", "string_too_short body.new_password"})
	wantDetail(t, change(`{"current_password":"faux","new_password":"nouveau mot de passe"}`), http.StatusBadRequest)
	equal(t, "changed", change(`{"current_password":"mot de passe","new_password":"  nouveau mot clair  "}`).status, http.StatusNoContent)
	wantDetail(t, b.get(t, "/api/v1/auth/me"), http.StatusUnauthorized)
	wantDetail(t, b.do(t, "POST", "/api/v1/auth/refresh", fmt.Sprintf(`{"refresh_token":%q}`, session.RefreshToken)), http.StatusUnauthorized)
	equal(t, "old", b.login(t, "awa@example.org", "mot de passe").status, http.StatusUnauthorized)
	equal(t, "trimmed", b.login(t, "awa@example.org", "nouveau mot clair").status, http.StatusUnauthorized)
	equal(t, "new", b.login(t, "awa@example.org", "  nouveau mot clair  ").status, http.StatusOK)
}
