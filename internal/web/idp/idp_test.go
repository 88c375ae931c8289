package idp

import (
	"crypto/rand"
	"crypto/rsa"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/leak"
	"vigueur/internal/web/idp/idptest"
)

func TestMain(m *testing.M) { leak.Main(m) }

var awa = idptest.Person{Subject: "248289761001", Email: "awa@example.org", Name: "Awa Essai", Verified: true}

// setup starts a fake provider and a client of it.
func setup(t *testing.T, change ...func(*Settings)) (*idptest.Provider, *Provider) {
	t.Helper()
	t.Parallel()
	server := idptest.New(t)
	s := Settings{ID: "test", Name: "Essai", Issuer: server.URL, Client: idptest.Client, Secret: idptest.Secret, Return: "https://vigueur.example/connexion/retour/test", Patience: time.Minute}
	for _, f := range change {
		f(&s)
	}
	p := New(s)
	t.Cleanup(p.Close)
	return server, p
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func want(t *testing.T, what string, err error, kind errs.Kind) {
	t.Helper()
	if !errs.Is(err, kind) {
		t.Errorf("%s: %v, want %v", what, err, kind)
	}
}

func TestACodeBecomesAnIdentity(t *testing.T) {
	server, p := setup(t)
	for range 2 { // the second time with the cached metadata
		address, a, err := p.Begin(t.Context(), uuid.Nil)
		ok(t, err)
		code, state := server.Visit(t, address, awa)
		if state != a.State || len(a.State) < 43 || a.State == a.Nonce || a.Nonce == a.Verifier {
			t.Errorf("attempt %+v, state %q", a, state)
		}
		who, err := p.Finish(t.Context(), a, code)
		ok(t, err)
		if who != (Identity{Issuer: server.URL, Subject: awa.Subject, Email: awa.Email, Verified: true, Name: awa.Name}) {
			t.Errorf("%+v", who)
		}
		_, err = p.Finish(t.Context(), a, code)
		want(t, "the code once more", err, errs.Unauthorized)
	}
	if q := server.Asked; q.Get("prompt") != "" || q.Get("max_age") != "" || q.Get("code_challenge_method") != "S256" || q.Get("scope") != "openid email profile" {
		t.Errorf("asked %v", q)
	}
	address, a, err := p.Begin(t.Context(), uuid.New())
	ok(t, err)
	code, _ := server.Visit(t, address, awa)
	if q := server.Asked; q.Get("prompt") != "login" || q.Get("max_age") != "0" {
		t.Errorf("asked again %v", q)
	}
	_, err = p.Finish(t.Context(), a, code)
	ok(t, err)
}

// Tokens and codes are rejected unless this provider has issued them for this attempt and
// they have not expired.
func TestTokensThatProveNothing(t *testing.T) {
	server, p := setup(t)
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	ok(t, err)
	bend := func(claim string, value any) func(*idptest.Provider) {
		return func(p *idptest.Provider) { p.Bend = func(c map[string]any) { c[claim] = value } }
	}
	sign := func(f func(map[string]any) string) func(*idptest.Provider) {
		return func(p *idptest.Provider) { p.Sign = f }
	}
	by := func(method jwt.SigningMethod, key any, id string) func(*idptest.Provider) {
		return sign(func(c map[string]any) string { return idptest.Sign(method, key, id, c) })
	}
	for name, change := range map[string]func(*idptest.Provider){
		"another issuer":         bend("iss", "https://evil.example"),
		"another audience":       bend("aud", "other"),
		"for many, party untold": bend("aud", []string{idptest.Client, "other"}),
		"for another party":      bend("azp", "other"),
		"expired":                bend("exp", time.Now().Add(-time.Minute).Unix()),
		"no end":                 bend("exp", nil),
		"made in the future":     bend("iat", time.Now().Add(time.Hour).Unix()),
		"another nonce":          bend("nonce", "x"),
		"no nonce":               bend("nonce", nil),
		"nobody":                 bend("sub", ""),
		"a NUL":                  bend("sub", "a\x00b"),
		"too long a name":        bend("sub", strings.Repeat("x", 256)),
		"no signature":           sign(idptest.Unsigned),
		"the client's secret":    by(jwt.SigningMethodHS256, []byte(strings.Repeat(idptest.Secret, 2)), "1"),
		"a stranger's key":       by(jwt.SigningMethodRS256, stranger, "1"),
		"an unknown key":         by(jwt.SigningMethodRS256, stranger, "2"),
		"no token":               sign(func(map[string]any) string { return "" }),
		"no JWT":                 sign(func(map[string]any) string { return "a.b.c" }),
	} {
		server.Set(func(p *idptest.Provider) { p.Bend, p.Sign = nil, nil; change(p) })
		address, a, err := p.Begin(t.Context(), uuid.Nil)
		ok(t, err)
		code, _ := server.Visit(t, address, awa)
		who, err := p.Finish(t.Context(), a, code)
		want(t, name, err, errs.Unauthorized)
		if who != (Identity{}) {
			t.Errorf("%s: %+v", name, who)
		}
	}
}

func TestACodeIsGoodForItsAttemptAlone(t *testing.T) {
	server, p := setup(t)
	address, mine, err := p.Begin(t.Context(), uuid.Nil)
	ok(t, err)
	code, _ := server.Visit(t, address, awa)
	_, other, err := p.Begin(t.Context(), uuid.Nil)
	ok(t, err)
	_, err = p.Finish(t.Context(), other, code)
	want(t, "with another's verifier", err, errs.Unauthorized)
	_, err = p.Finish(t.Context(), mine, code)
	want(t, "after it was tried so", err, errs.Unauthorized)
	_, err = p.Finish(t.Context(), mine, "x")
	want(t, "no code", err, errs.Unauthorized)
}

// An existing session at the provider is not a new sign-in.
func TestWhoIsToSignInAgainMust(t *testing.T) {
	server, p := setup(t)
	for name, at := range map[string]any{"long ago": time.Now().Add(-time.Hour).Unix(), "untold": nil} {
		server.Set(func(p *idptest.Provider) { p.Bend = func(c map[string]any) { c["auth_time"] = at } })
		address, a, err := p.Begin(t.Context(), uuid.New())
		ok(t, err)
		code, _ := server.Visit(t, address, awa)
		_, err = p.Finish(t.Context(), a, code)
		want(t, name, err, errs.Unauthorized)
	}
}

func TestWhatATokenDoesNotSayUserinfoDoes(t *testing.T) {
	server, p := setup(t)
	server.Set(func(p *idptest.Provider) {
		p.Bend = func(c map[string]any) { delete(c, "email"); delete(c, "email_verified"); delete(c, "name") }
		p.Info = map[string]any{"email": "awa@example.org", "email_verified": "true", "name": "Awa"}
	})
	finish := func() (Identity, error) {
		address, a, err := p.Begin(t.Context(), uuid.Nil)
		ok(t, err)
		code, _ := server.Visit(t, address, awa)
		return p.Finish(t.Context(), a, code)
	}
	who, err := finish()
	ok(t, err)
	if who.Email != "awa@example.org" || !who.Verified || who.Name != "Awa" {
		t.Errorf("%+v", who)
	}
	server.Set(func(p *idptest.Provider) { p.Info["sub"] = "another" })
	_, err = finish()
	want(t, "of another person", err, errs.Unauthorized)
}

func TestAnAddressIsVerifiedOnlyWhenTheProviderSaysSo(t *testing.T) {
	server, p := setup(t)
	for _, c := range []struct {
		said any
		want bool
	}{{true, true}, {"true", true}, {false, false}, {"false", false}, {nil, false}, {1, false}, {[]bool{true}, false}} {
		server.Set(func(p *idptest.Provider) { p.Bend = func(m map[string]any) { m["email_verified"] = c.said } })
		address, a, err := p.Begin(t.Context(), uuid.Nil)
		ok(t, err)
		code, _ := server.Visit(t, address, awa)
		who, err := p.Finish(t.Context(), a, code)
		ok(t, err)
		if who.Verified != c.want {
			t.Errorf("%v: %v", c.said, who.Verified)
		}
	}
}

// An address of which a trusted provider does not say whether it is verified is; one that it says
// is not is not.
func TestAnAddressOfATrustedProvider(t *testing.T) {
	server, p := setup(t)
	p.TrustEmail = true
	for name, c := range map[string]struct {
		bend func(m map[string]any)
		want bool
	}{
		"absent":    {func(m map[string]any) { delete(m, "email_verified") }, true},
		"null":      {func(m map[string]any) { m["email_verified"] = nil }, true},
		"false":     {func(m map[string]any) { m["email_verified"] = false }, false},
		"\"false\"": {func(m map[string]any) { m["email_verified"] = "false" }, false},
		"a list":    {func(m map[string]any) { m["email_verified"] = []bool{true} }, false},
	} {
		server.Set(func(p *idptest.Provider) { p.Bend = c.bend })
		address, a, err := p.Begin(t.Context(), uuid.Nil)
		ok(t, err)
		code, _ := server.Visit(t, address, awa)
		who, err := p.Finish(t.Context(), a, code)
		ok(t, err)
		if who.Verified != c.want {
			t.Errorf("%s: %v", name, who.Verified)
		}
	}
}

// An unreachable or faulty provider leads to a message, after at most the timeout.
func TestAProviderThatCannotBeAsked(t *testing.T) {
	fail := func(status int, body string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
			return true
		}
	}
	for name, before := range map[string]func(http.ResponseWriter, *http.Request) bool{
		"down":           fail(http.StatusBadGateway, ""),
		"no JSON":        fail(http.StatusOK, "<html>"),
		"another issuer": fail(http.StatusOK, `{"issuer":"https://evil.example","authorization_endpoint":"https://evil.example/a","token_endpoint":"https://evil.example/t"}`),
		"without an end": fail(http.StatusOK, `{"issuer":"`+strings.Repeat("x", replyLimit)+`"}`),
		"sends elsewhere": func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			server, p := setup(t)
			server.Set(func(p *idptest.Provider) { p.Before = before })
			_, _, err := p.Begin(t.Context(), uuid.Nil)
			want(t, "begin", err, errs.Unavailable)
		})
	}
	t.Run("silent", func(t *testing.T) {
		server, p := setup(t, func(s *Settings) { s.Patience = 50 * time.Millisecond })
		var asked atomic.Int32
		server.Set(func(p *idptest.Provider) {
			p.Before = func(_ http.ResponseWriter, r *http.Request) bool { asked.Add(1); <-r.Context().Done(); return true }
		})
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				_, _, err := p.Begin(t.Context(), uuid.Nil)
				want(t, "begin", err, errs.Unavailable)
			})
		}
		all.Wait()
		if n := asked.Load(); n != 1 {
			t.Errorf("asked %d times by 20 at once", n)
		}
	})
	for name, c := range map[string]struct {
		path   string
		status int
		kind   errs.Kind
	}{
		"tokens away":          {"/token", http.StatusServiceUnavailable, errs.Unavailable},
		"the client's refused": {"/token", http.StatusUnauthorized, errs.Unavailable},
		"keys away":            {"/keys", http.StatusInternalServerError, errs.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			server, p := setup(t)
			address, a, err := p.Begin(t.Context(), uuid.Nil)
			ok(t, err)
			code, _ := server.Visit(t, address, awa)
			server.Set(func(p *idptest.Provider) {
				p.Before = func(w http.ResponseWriter, r *http.Request) bool {
					return r.URL.Path == c.path && fail(c.status, `{"error":"invalid_client"}`)(w, r)
				}
			})
			_, err = p.Finish(t.Context(), a, code)
			want(t, "finish", err, c.kind)
		})
	}
}

func TestAProviderIsAskedAgain(t *testing.T) {
	var now atomic.Int64
	now.Store(time.Now().Unix())
	server, p := setup(t, func(s *Settings) { s.Now = func() time.Time { return time.Unix(now.Load(), 0) } })
	away := func(yes bool) {
		server.Set(func(p *idptest.Provider) {
			p.Before = func(w http.ResponseWriter, _ *http.Request) bool {
				if yes {
					w.WriteHeader(http.StatusBadGateway)
				}
				return yes
			}
		})
	}
	away(true)
	_, _, err := p.Begin(t.Context(), uuid.Nil)
	want(t, "away", err, errs.Unavailable)
	away(false)
	_, _, err = p.Begin(t.Context(), uuid.Nil)
	want(t, "left alone", err, errs.Unavailable)
	now.Add(int64(restTime / time.Second))
	_, _, err = p.Begin(t.Context(), uuid.Nil)
	ok(t, err)
	away(true)
	now.Add(int64(describedFor/time.Second) + 1)
	_, _, err = p.Begin(t.Context(), uuid.Nil) // with the cached metadata
	ok(t, err)
}

func TestAttemptsAreTheirBrowsers(t *testing.T) {
	t.Parallel()
	now := time.Now()
	secret := []byte(strings.Repeat("s", 32))
	k, err := NewAttempts(secret, 10*time.Minute, func() time.Time { return now })
	ok(t, err)
	who := uuid.New()
	a := Attempt{Provider: "test", State: "state", Nonce: "n", Verifier: "v", Again: who, Began: now, ReturnTo: "/c/1"}
	kept := k.Seal(a)
	if strings.Contains(kept, "state") || len(kept) > 3000 {
		t.Errorf("kept %q", kept)
	}
	got, err := k.Open(kept, "test", "state", who)
	if ok(t, err); got.ReturnTo != a.ReturnTo || !got.Began.Equal(a.Began) {
		t.Errorf("%+v", got)
	}
	other, err := NewAttempts([]byte(strings.Repeat("t", 32)), 10*time.Minute, time.Now)
	ok(t, err)
	for name, open := range map[string]func() (Attempt, error){
		"another state": func() (Attempt, error) { return k.Open(kept, "test", "stat", who) },
		"no state": func() (Attempt, error) {
			return k.Open(k.Seal(Attempt{Provider: "test", Began: now}), "test", "", uuid.Nil)
		},
		"another provider": func() (Attempt, error) { return k.Open(kept, "other", "state", who) },
		"another account":  func() (Attempt, error) { return k.Open(kept, "test", "state", uuid.New()) },
		"for a sign-in":    func() (Attempt, error) { return k.Open(kept, "test", "state", uuid.Nil) },
		"another server's": func() (Attempt, error) { return other.Open(kept, "test", "state", who) },
		"nothing":          func() (Attempt, error) { return k.Open("", "test", "state", who) },
		"no base 64":       func() (Attempt, error) { return k.Open("=", "test", "state", who) },
	} {
		_, err := open()
		want(t, name, err, errs.Invalid)
	}
	now = now.Add(k.Life + time.Second)
	_, err = k.Open(kept, "test", "state", who)
	want(t, "too late", err, errs.Invalid)
}
