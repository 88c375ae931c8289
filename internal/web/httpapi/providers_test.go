package httpapi

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/factor"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/web/idp"
	"vigueur/internal/web/idp/idptest"
)

const providerPath = transport.Prefix + "/auth/providers/test"

var awaThere = idptest.Person{Subject: "248289761001", Email: "Awa@Example.org", Name: "Awa Essai", Verified: true}

// withProvider starts a server with an identity provider.
func withProvider(t *testing.T, change ...func(*Server)) (*bundle, *idptest.Provider) {
	t.Helper()
	server := idptest.New(t)
	b := setup(t, append([]func(*Server){func(s *Server) {
		p := idp.New(idp.Settings{ID: "test", Name: "Ministère", Issuer: server.URL, Client: idptest.Client, Secret: idptest.Secret,
			Return: "https://vigueur.example" + account.ReturnPage("test"), Patience: hang})
		t.Cleanup(p.Close)
		attempts, err := idp.NewAttempts(addressSecret, 10*time.Minute, time.Now)
		ok(t, err)
		key, err := auth.HMAC("1", bytes.Repeat([]byte("s"), 32))
		ok(t, err)
		s.Providers = account.Providers{List: []*idp.Provider{p}, Attempts: attempts,
			Used:  &ratelimit.Limiter{Store: s.Inquiries.Store, Name: "provider-" + uuid.NewString(), Limit: 1, Window: 10 * time.Minute},
			Fresh: &auth.Tokens{Issuer: "vigueur", Audience: "vigueur-fresh", Keys: auth.Keyring{key}, Now: time.Now, Life: 5 * time.Minute}}
	}}, change...)...)
	return b, server
}

// redirect is a browser's redirect from the provider.
type redirect struct{ code, state, cookie string }

// visit begins a sign-in at the provider and returns as a person.
func (b *bundle) visit(t *testing.T, at *idptest.Provider, who idptest.Person, path, body string, headers ...string) redirect {
	t.Helper()
	r := b.do(t, "POST", path, body, headers...)
	if r.status != http.StatusOK {
		t.Fatalf("begin: %d %s", r.status, r.body)
	}
	c := (&http.Response{Header: r.header}).Cookies()
	if len(c) != 1 || !c[0].HttpOnly || !c[0].Secure || c[0].SameSite != http.SameSiteStrictMode || c[0].Path != attemptPath {
		t.Fatalf("cookies %v", c)
	}
	code, state := at.Visit(t, decode[struct {
		Address string `json:"authorization_url"`
	}](t, r).Address, who)
	return redirect{code, state, c[0].Name + "=" + c[0].Value}
}

func (v redirect) body() string { return fmt.Sprintf(`{"code":%q,"state":%q}`, v.code, v.state) }

// come finishes the sign-in of a visit.
func (b *bundle) come(t *testing.T, v redirect, headers ...string) reply {
	t.Helper()
	return b.do(t, "POST", providerPath+"/callback", v.body(), append([]string{"Authorization", "", "Cookie", v.cookie}, headers...)...)
}

func (b *bundle) goAndCome(t *testing.T, at *idptest.Provider, who idptest.Person, headers ...string) reply {
	t.Helper()
	return b.come(t, b.visit(t, at, who, providerPath, "{}", "Authorization", ""), headers...)
}

func TestSigningInAtAProvider(t *testing.T) {
	b, at := withProvider(t)
	equal(t, "methods", string(b.do(t, "GET", transport.Prefix+"/auth/methods", "", "Authorization", "").body),
		`{"password":true,"providers":[{"id":"test","name":"Ministère"}],"signup":false,"public_catalogue":false,"guest_questions":0}`)
	v := b.visit(t, at, awaThere, providerPath, `{"return_to":"/c/1?x=2#y"}`, "Authorization", "")
	r := b.come(t, v, "X-Forwarded-For", "203.0.113.1")
	equal(t, "status", r.status, http.StatusOK)
	equal(t, "quota", r.header.Get("RateLimit-Remaining"), "50")
	got := decode[struct {
		account.SessionBody
		ReturnTo string `json:"return_to"`
	}](t, r)
	equal(t, "who", got.User, account.UserBody{ID: b.user.ID, Email: b.user.Email, FullName: b.user.FullName, Role: b.user.Role})
	equal(t, "back to", got.ReturnTo, "/c/1?x=2#y")
	equal(t, "works", b.do(t, "GET", transport.Prefix+"/me", "", "Authorization", "Bearer "+got.AccessToken).status, http.StatusOK)
	renewed := b.do(t, "POST", transport.Prefix+"/auth/refresh", fmt.Sprintf(`{"refresh_token":%q}`, got.RefreshToken))
	equal(t, "renewed", renewed.status, http.StatusOK)
	known, err := b.Logins.Known.Reached(t.Context(), b.Key("awa@example.org", "203.0.113.1/32"))
	equal(t, "known", []any{known, err}, []any{true, nil})
	equal(t, "sessions", strings.Count(string(b.get(t, transport.Prefix+"/auth/sessions").body), `"id"`), 1+1)

	// Again, in a browser: the refresh token is only in the cookie.
	v = b.visit(t, at, awaThere, providerPath, "{}", "Authorization", "")
	in := b.do(t, "POST", providerPath+"/callback", strings.Replace(v.body(), `{`, `{"cookie":true,`, 1), "Authorization", "", "Cookie", v.cookie)
	equal(t, "in a browser", in.status, http.StatusOK)
	equal(t, "no token in the body", strings.Contains(string(in.body), "refresh_token"), false)
	names := set()
	for _, c := range (&http.Response{Header: in.header}).Cookies() {
		names[c.Name] = c.Value != ""
	}
	equal(t, "cookies", names, map[string]bool{refreshCookie: true, attemptCookie: false})

	profile := decode[account.ProfileBody](t, b.get(t, transport.Prefix+"/me"))
	equal(t, "profile", []any{profile.HasPassword, profile.Providers}, []any{true, []string{"test"}})
	audit := string(b.do(t, "GET", transport.Prefix+"/admin/audit", "", b.as(t, "admin")...).body)
	equal(t, "lines", []int{strings.Count(audit, `"identity.tie"`), strings.Count(audit, `{"provider": "test"}`) + strings.Count(audit, `{"provider":"test"}`)}, []int{1, 3})
}

// A redirect to another browser, at another time or from another place is rejected.
func TestReturnsThatAreNone(t *testing.T) {
	b, at := withProvider(t)
	eve := idptest.Person{Subject: "eve", Email: "eve@example.org", Verified: true}
	b.addUser(t, "eve@example.org")
	for name, c := range map[string]struct {
		status int
		come   func() reply
	}{
		"another's code and state in this browser": {400, func() reply { // would sign the browser in as a stranger
			mine, hers := b.visit(t, at, awaThere, providerPath, "{}"), b.visit(t, at, eve, providerPath, "{}")
			hers.cookie = mine.cookie
			return b.come(t, hers)
		}},
		"another's code": {401, func() reply {
			hers, mine := b.visit(t, at, eve, providerPath, "{}"), b.visit(t, at, awaThere, providerPath, "{}")
			mine.code = hers.code
			return b.come(t, mine)
		}},
		"no cookie": {400, func() reply {
			v := b.visit(t, at, awaThere, providerPath, "{}")
			v.cookie = "x=y"
			return b.come(t, v)
		}},
		"another state": {400, func() reply {
			v := b.visit(t, at, awaThere, providerPath, "{}")
			v.state += "x"
			return b.come(t, v)
		}},
		"twice": {400, func() reply {
			v := b.visit(t, at, awaThere, providerPath, "{}")
			equal(t, "once", b.come(t, v).status, http.StatusOK)
			return b.come(t, v)
		}},
		"no code": {401, func() reply {
			v := b.visit(t, at, awaThere, providerPath, "{}")
			v.code = "x"
			return b.come(t, v)
		}},
		"of who was to sign in again": {400, func() reply { return b.come(t, b.visit(t, at, awaThere, providerPath+"/fresh", "{}")) }},
		"another nonce": {401, func() reply {
			at.Set(func(p *idptest.Provider) { p.Bend = func(c map[string]any) { c["nonce"] = "x" } })
			defer at.Set(func(p *idptest.Provider) { p.Bend = nil })
			return b.goAndCome(t, at, awaThere)
		}},
		"no signature": {401, func() reply {
			at.Set(func(p *idptest.Provider) { p.Sign = idptest.Unsigned })
			defer at.Set(func(p *idptest.Provider) { p.Sign = nil })
			return b.goAndCome(t, at, awaThere)
		}},
		"an address nobody has seen": {403, func() reply {
			return b.goAndCome(t, at, idptest.Person{Subject: "x", Email: "awa@example.org"})
		}},
		"no address": {403, func() reply { return b.goAndCome(t, at, idptest.Person{Subject: "x", Verified: true}) }},
		"an address that is none": {403, func() reply {
			return b.goAndCome(t, at, idptest.Person{Subject: "x", Email: "awa@example.org@evil.example", Verified: true})
		}},
		"a stranger": {403, func() reply {
			return b.goAndCome(t, at, idptest.Person{Subject: "x", Email: "personne@example.org", Verified: true})
		}},
		"another provider": {404, func() reply {
			return b.do(t, "POST", transport.Prefix+"/auth/providers/other/callback", `{"code":"x","state":"x"}`)
		}},
	} {
		r := c.come()
		if wantDetail(t, r, c.status); strings.Contains(string(r.body), "access_token") {
			t.Errorf("%s: a session", name)
		}
	}
	for _, path := range []string{"//evil.example", `/\evil.example`, "https://evil.example", "evil", "/a b", "/a\x01", "javascript:alert(1)", "/" + strings.Repeat("x", returnLimit)} {
		equal(t, path, len(found(t, b.do(t, "POST", providerPath, fmt.Sprintf(`{"return_to":%q}`, strings.ReplaceAll(path, "\x01", "\t"))))) > 0, true)
	}
	equal(t, "faults", found(t, b.do(t, "POST", providerPath+"/callback", `{"state":5}`)), []string{"missing body.code", "string_type body.state"})
}

func TestClosedAccountsStayClosed(t *testing.T) {
	b, at := withProvider(t)
	equal(t, "tied", b.goAndCome(t, at, awaThere).status, http.StatusOK)
	ok(t, pgtest.SetActive(t.Context(), b.DB, b.user.ID, false))
	closed := b.goAndCome(t, at, awaThere)
	unknown := b.goAndCome(t, at, idptest.Person{Subject: "x", Email: "personne@example.org", Verified: true})
	equal(t, "told alike", wantDetail(t, closed, http.StatusForbidden), wantDetail(t, unknown, http.StatusForbidden))
}

func TestRefusalsOfANetworkAreCounted(t *testing.T) {
	b, _ := withProvider(t)
	for range 50 {
		r := b.do(t, "POST", providerPath+"/callback", `{"code":"x","state":"x"}`, "Authorization", "", "X-Forwarded-For", "203.0.113.7")
		equal(t, "refused", r.status, http.StatusBadRequest)
	}
	wantDetail(t, b.do(t, "POST", providerPath+"/callback", `{"code":"x","state":"x"}`, "Authorization", "", "X-Forwarded-For", "203.0.113.7"), http.StatusTooManyRequests)
	wantDetail(t, b.login(t, "awa@example.org", "mot de passe", "X-Forwarded-For", "203.0.113.7"), http.StatusTooManyRequests)
}

func TestAProviderOpensAccountsWhereItMay(t *testing.T) {
	b, at := withProvider(t, func(s *Server) { s.Providers.Signup = account.Signup{Domains: []string{"justice.example"}} })
	newcomer := idptest.Person{Subject: "n", Email: "Noe@justice.example", Name: "  Noé\x00 Lancel ", Verified: true}
	s := decode[account.SessionBody](t, b.goAndCome(t, at, newcomer))
	equal(t, "account", []string{s.User.Email, s.User.FullName, s.User.Role}, []string{"noe@justice.example", "Noé Lancel", "user"})
	wantDetail(t, b.goAndCome(t, at, idptest.Person{Subject: "o", Email: "o@justice.example.evil", Verified: true}), http.StatusForbidden)
	wantDetail(t, b.goAndCome(t, at, idptest.Person{Subject: "p", Email: "p@justice.example"}), http.StatusForbidden)
	wantDetail(t, b.login(t, "noe@justice.example", ""+"quelque chose"), http.StatusUnauthorized)
	b.token = s.AccessToken
	profile := decode[account.ProfileBody](t, b.get(t, transport.Prefix+"/me"))
	equal(t, "no password", []any{profile.HasPassword, profile.Role}, []any{false, "user"})
}

// Roles claimed by a provider are ignored.
func TestNoClaimGivesARole(t *testing.T) {
	b, at := withProvider(t, func(s *Server) { s.Providers.Signup = account.Signup{Domains: []string{"*"}} })
	at.Set(func(p *idptest.Provider) {
		p.Bend = func(c map[string]any) {
			c["role"], c["roles"], c["groups"] = "admin", []string{"admin"}, []string{"admin"}
		}
	})
	s := decode[account.SessionBody](t, b.goAndCome(t, at, idptest.Person{Subject: "n", Email: "n@example.com", Verified: true}))
	equal(t, "role", s.User.Role, "user")
	equal(t, "name", s.User.FullName, "n")
}

// The account's second factor is required, whatever the provider has required.
func TestASecondFactorFollowsAProvider(t *testing.T) {
	w := &handClock{}
	w.at.Store(time.Now().Unix())
	b, at := withProvider(t, func(s *Server) { s.Now, s.Factors.Pending.Now = w.now, w.now })
	b.setPassword(t, "mot de passe")
	secret, _ := b.enroll(t, w)
	at.Set(func(p *idptest.Provider) {
		p.Bend = func(c map[string]any) { c["amr"], c["acr"] = []string{"pwd", "otp", "mfa"}, "2" }
	})
	w.advance(30 * time.Second)
	r := b.goAndCome(t, at, awaThere)
	equal(t, "half", r.status, http.StatusAccepted)
	half := decode[account.PendingBody](t, r)
	equal(t, "alone", b.do(t, "GET", transport.Prefix+"/me", "", "Authorization", "Bearer "+half.Token).status, http.StatusUnauthorized)
	equal(t, "with a code", b.finish(t, half.Token, code(t, secret, w)).status, http.StatusOK)
}

func TestARequiredSecondFactorHoldsForProviders(t *testing.T) {
	w := &handClock{}
	w.at.Store(time.Now().Unix())
	b, at := withProvider(t, func(s *Server) { s.Factors.Required, s.Now, s.Factors.Pending.Now = true, w.now, w.now })
	editor := postgres.User{ID: postgres.NewID(), Email: "ed@example.org", FullName: "Ed", Role: "editor", Active: true, TokenVersion: 1}
	ok(t, b.DB.CreateUser(t.Context(), editor)) // without a password
	ed := idptest.Person{Subject: "ed", Email: "ed@example.org", Verified: true}
	s := decode[account.SessionBody](t, b.goAndCome(t, at, ed))
	equal(t, "must", s.MustEnroll, true)
	b.token = s.AccessToken
	wantDetail(t, b.get(t, transport.Prefix+"/me"), http.StatusForbidden)
	detail := wantDetail(t, b.do(t, "POST", factorPath, `{"password":"mot de passe"}`), http.StatusBadRequest)
	equal(t, "says what to do", strings.Contains(detail, "fournisseur"), true)

	proof := b.proof(t, at, ed)
	r := b.do(t, "POST", factorPath, fmt.Sprintf(`{"proof":%q}`, proof))
	equal(t, "begun", r.status, http.StatusOK)
	secret := decode[struct{ Secret factor.Secret }](t, r).Secret
	r = b.do(t, "POST", factorPath+"/confirm", fmt.Sprintf(`{"code":%q}`, code(t, secret, w)))
	equal(t, "confirmed", r.status, http.StatusOK)
	b.token = decode[struct{ Session account.SessionBody }](t, r).Session.AccessToken
	equal(t, "open", b.get(t, transport.Prefix+"/me").status, http.StatusOK)

	// Proofs become invalid with the account's version.
	w.advance(30 * time.Second)
	both := func(proof string) string { return fmt.Sprintf(`{"proof":%q,"code":%q}`, proof, code(t, secret, w)) }
	wantDetail(t, b.do(t, "POST", factorPath+"/disable", both(proof)), http.StatusBadRequest)
	proof = b.proof(t, at, ed)
	equal(t, "new codes", b.do(t, "POST", factorPath+"/recovery-codes", both(proof)).status, http.StatusOK)
	w.advance(30 * time.Second)
	equal(t, "removed", b.do(t, "POST", factorPath+"/disable", both(proof)).status, http.StatusNoContent)
}

// proof signs in at the provider once more, and returns the token that proves it.
func (b *bundle) proof(t *testing.T, at *idptest.Provider, who idptest.Person) string {
	t.Helper()
	v := b.visit(t, at, who, providerPath+"/fresh", `{"return_to":"/compte"}`)
	r := b.do(t, "POST", providerPath+"/fresh/callback", v.body(), "Cookie", v.cookie)
	if r.status != http.StatusOK {
		t.Fatalf("fresh: %d %s", r.status, r.body)
	}
	return decode[struct{ Proof string }](t, r).Proof
}

func TestAnAccountWithoutAPasswordGetsOne(t *testing.T) {
	b, at := withProvider(t, func(s *Server) { s.Providers.Signup = account.Signup{Domains: []string{"*"}} })
	noe := idptest.Person{Subject: "n", Email: "noe@example.com", Verified: true}
	s := decode[account.SessionBody](t, b.goAndCome(t, at, noe))
	b.token = s.AccessToken
	wantDetail(t, b.do(t, "POST", transport.Prefix+"/auth/password", `{"current_password":"x","new_password":"vent d’ouest sur la digue"}`), http.StatusBadRequest)

	// A proof requires a fresh sign-in with the owner's own identity, for this account.
	v := b.visit(t, at, awaThere, providerPath+"/fresh", "{}")
	wantDetail(t, b.do(t, "POST", providerPath+"/fresh/callback", v.body(), "Cookie", v.cookie), http.StatusForbidden)
	v = b.visit(t, at, noe, providerPath+"/fresh", "{}")
	wantDetail(t, b.do(t, "POST", providerPath+"/fresh/callback", v.body(), "Cookie", v.cookie, "Authorization", "Bearer "+b.tokenOf(t, b.user)), http.StatusBadRequest)
	at.Set(func(p *idptest.Provider) {
		p.Bend = func(c map[string]any) { c["auth_time"] = time.Now().Add(-time.Hour).Unix() }
	})
	v = b.visit(t, at, noe, providerPath+"/fresh", "{}")
	wantDetail(t, b.do(t, "POST", providerPath+"/fresh/callback", v.body(), "Cookie", v.cookie), http.StatusForbidden)
	at.Set(func(p *idptest.Provider) { p.Bend = nil })
	proof := b.proof(t, at, noe)
	change := fmt.Sprintf(`{"proof":%q,"new_password":"vent d’ouest sur la digue"}`, proof)
	wantDetail(t, b.do(t, "POST", transport.Prefix+"/auth/password", change, "Authorization", "Bearer "+b.tokenOf(t, b.user)), http.StatusBadRequest)
	for name, token := range map[string]string{"an access token": b.token, "nothing": "x"} {
		wantDetail(t, b.do(t, "POST", transport.Prefix+"/auth/password", fmt.Sprintf(`{"proof":%q,"new_password":"vent d’ouest sur la digue"}`, token)), http.StatusBadRequest)
		equal(t, name+" as an access token", b.do(t, "GET", transport.Prefix+"/me", "", "Authorization", "Bearer "+proof).status, http.StatusUnauthorized)
	}
	equal(t, "changed", b.do(t, "POST", transport.Prefix+"/auth/password", change).status, http.StatusNoContent)
	equal(t, "signed in by it", b.login(t, "noe@example.com", "vent d’ouest sur la digue").status, http.StatusOK)
	equal(t, "and by the provider", b.goAndCome(t, at, noe).status, http.StatusOK)
}

// A reset link sets a password even of an account that has none.
func TestAResetGivesAnAccountAPassword(t *testing.T) {
	b, at := withProvider(t, func(s *Server) { s.Providers.Signup = account.Signup{Domains: []string{"*"}} })
	noe := idptest.Person{Subject: "n", Email: "noe@example.com", Verified: true}
	equal(t, "there", b.goAndCome(t, at, noe).status, http.StatusOK)
	equal(t, "asked", b.do(t, "POST", transport.Prefix+"/auth/password/forgotten", `{"email":"noe@example.com"}`, "Authorization", "").status, http.StatusAccepted)
	token, hash := sealed.NewToken()
	sent, err := b.DB.LeaseAccountNotification(t.Context(), hash, postgres.LinkLives{Reset: time.Hour, Signup: time.Hour})
	ok(t, err)
	equal(t, "to", sent.Email, "noe@example.com")
	r := b.do(t, "POST", transport.Prefix+"/auth/password/reset", fmt.Sprintf(`{"token":%q,"new_password":"vent d’ouest sur la digue"}`, token), "Authorization", "")
	equal(t, "reset", r.status, http.StatusNoContent)
	equal(t, "signed in", b.login(t, "noe@example.com", "vent d’ouest sur la digue").status, http.StatusOK)
}

func TestUntyingAnAccount(t *testing.T) {
	b, at := withProvider(t)
	s := decode[account.SessionBody](t, b.goAndCome(t, at, awaThere))
	heir := awaThere
	heir.Subject = "2"
	wantDetail(t, b.goAndCome(t, at, heir), http.StatusForbidden)
	path, asAdmin := transport.Prefix+"/admin/users/"+b.user.ID.String()+"/identities", b.as(t, "admin")
	equal(t, "untied", b.do(t, "DELETE", path, "", asAdmin...).status, http.StatusNoContent)
	equal(t, "its session", b.do(t, "GET", transport.Prefix+"/me", "", "Authorization", "Bearer "+s.AccessToken).status, http.StatusUnauthorized)
	wantDetail(t, b.do(t, "DELETE", path, "", asAdmin...), http.StatusNotFound)
	wantDetail(t, b.do(t, "DELETE", transport.Prefix+"/admin/users/"+uuid.NewString()+"/identities", "", asAdmin...), http.StatusNotFound)
	equal(t, "the other one", b.goAndCome(t, at, heir).status, http.StatusOK)
}

func TestAProviderThatIsAway(t *testing.T) {
	b, at := withProvider(t)
	v := b.visit(t, at, awaThere, providerPath, "{}")
	at.Set(func(p *idptest.Provider) {
		p.Before = func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(http.StatusBadGateway); return true }
	})
	r := b.come(t, v)
	if wantDetail(t, r, http.StatusServiceUnavailable); r.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	b.log.await(t, "cannot be asked", `"provider":"test"`)
	b.setPassword(t, "mot de passe")
	equal(t, "by password", b.login(t, "awa@example.org", "mot de passe").status, http.StatusOK)
	if _, err := b.DB.UserByEmail(t.Context(), "awa@example.org"); errs.Is(err, errs.NotFound) {
		t.Error("no account")
	}
}
