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
	"vigueur/internal/web/factor"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/transport"
)

const factorPath = transport.Prefix + "/auth/second-factor"

// handClock is a clock that is advanced by hand.
type handClock struct{ at atomic.Int64 }

func (w *handClock) now() time.Time { return time.Unix(w.at.Load(), 0) }

func (w *handClock) advance(by time.Duration) { w.at.Add(int64(by / time.Second)) }

// withFactor starts a server with a clock of the test's own for codes, whose user has a
// password.
func withFactor(t *testing.T, change ...func(*Server)) (*bundle, *handClock) {
	t.Helper()
	w := &handClock{}
	w.at.Store(time.Now().Unix())
	b := setup(t, append(change, func(s *Server) { s.Now, s.Factors.Pending.Now = w.now, w.now })...)
	b.setPassword(t, "mot de passe")
	return b, w
}

// enroll sets up a second factor of the bundle's user, and uses the session that this
// opens.
func (b *bundle) enroll(t *testing.T, w *handClock, headers ...string) (factor.Secret, []string) {
	t.Helper()
	offer := decode[struct{ Secret factor.Secret }](t, b.do(t, "POST", factorPath, `{"password":"mot de passe"}`, headers...))
	r := b.do(t, "POST", factorPath+"/confirm", fmt.Sprintf(`{"code":%q}`, code(t, offer.Secret, w)), headers...)
	equal(t, "confirmed", r.status, http.StatusOK)
	confirmed := decode[struct {
		Codes   []string `json:"recovery_codes"`
		Session account.SessionBody
	}](t, r)
	b.token = confirmed.Session.AccessToken
	return offer.Secret, confirmed.Codes
}

func code(t *testing.T, secret factor.Secret, w *handClock) string {
	t.Helper()
	c, err := secret.Code(factor.Step(w.now()))
	ok(t, err)
	return c
}

// half completes the first step of a sign-in, and returns the token for the second step.
func (b *bundle) half(t *testing.T, headers ...string) string {
	t.Helper()
	r := b.login(t, "awa@example.org", "mot de passe", append([]string{"Authorization", ""}, headers...)...)
	equal(t, "half signed in", r.status, http.StatusAccepted)
	if got := keys(t, r.body); !equalKeys(got, set("pending_token", "expires_in")) {
		t.Errorf("fields %v", got)
	}
	if len((&http.Response{Header: r.header}).Cookies()) > 0 {
		t.Error("a cookie before the code")
	}
	return decode[struct {
		Token string `json:"pending_token"`
	}](t, r).Token
}

func (b *bundle) finish(t *testing.T, pending, code string, headers ...string) reply {
	t.Helper()
	return b.do(t, "POST", transport.Prefix+"/auth/login/code", fmt.Sprintf(`{"pending_token":%q,"code":%q}`, pending, code), append([]string{"Authorization", ""}, headers...)...)
}

func TestSigningInWithASecondFactor(t *testing.T) {
	b, w := withFactor(t)
	equal(t, "none", decode[account.FactorBody](t, b.get(t, factorPath)), account.FactorBody{})
	before := decode[account.SessionBody](t, b.login(t, "awa@example.org", "mot de passe"))
	secret, codes := b.enroll(t, w)
	equal(t, "recovery codes", len(codes), 10)
	// Earlier sessions had no second factor.
	equal(t, "older token", b.do(t, "GET", transport.Prefix+"/me", "", "Authorization", "Bearer "+before.AccessToken).status, http.StatusUnauthorized)
	equal(t, "older session", b.do(t, "POST", transport.Prefix+"/auth/refresh", fmt.Sprintf(`{"refresh_token":%q}`, before.RefreshToken)).status, http.StatusUnauthorized)
	shown := decode[account.FactorBody](t, b.get(t, factorPath))
	equal(t, "shown", []any{shown.Enabled, shown.Codes, shown.Required, shown.Since != nil}, []any{true, 10, false, true})

	pending := b.half(t)
	for name, r := range map[string]reply{
		"as an access token":       b.do(t, "GET", transport.Prefix+"/me", "", "Authorization", "Bearer "+pending),
		"an access token for it":   b.finish(t, b.token, code(t, secret, w)),
		"the code of enrolling":    b.finish(t, pending, code(t, secret, w)),
		"nothing of the kind":      b.finish(t, "x", "123456"),
		"no code":                  b.finish(t, pending, "abcdef"),
		"another's recovery codes": b.finish(t, pending, "0000-0000-0000-0000"),
	} {
		if wantDetail(t, r, http.StatusUnauthorized); r.header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s: no WWW-Authenticate", name)
		}
	}
	w.advance(30 * time.Second)
	r := b.finish(t, pending, " "+code(t, secret, w)[:3]+" "+code(t, secret, w)[3:])
	equal(t, "signed in", r.status, http.StatusOK)
	s := decode[account.SessionBody](t, r)
	equal(t, "works", b.do(t, "GET", transport.Prefix+"/me", "", "Authorization", "Bearer "+s.AccessToken).status, http.StatusOK)
	equal(t, "refreshed without a code", b.do(t, "POST", transport.Prefix+"/auth/refresh", fmt.Sprintf(`{"refresh_token":%q}`, s.RefreshToken)).status, http.StatusOK)
	wantDetail(t, b.finish(t, pending, code(t, secret, w)), http.StatusUnauthorized) // the code was used before
	w.advance(30 * time.Second)
	equal(t, "in a cookie", len((&http.Response{Header: b.do(t, "POST", transport.Prefix+"/auth/login/code",
		fmt.Sprintf(`{"pending_token":%q,"code":%q,"cookie":true}`, pending, code(t, secret, w))).header}).Cookies()), 1)
	equal(t, "faults", found(t, b.do(t, "POST", transport.Prefix+"/auth/login/code", `{"code":" "}`)), []string{"missing body.pending_token", "string_too_short body.code"})
	audit := string(b.do(t, "GET", transport.Prefix+"/admin/audit", "", b.as(t, "admin")...).body)
	for action, n := range map[string]int{"factor.enable": 1, "auth.login": 3 + 3, "auth.failed": 4} {
		equal(t, action, strings.Count(audit, `"`+action+`"`), n)
	}
}

// A second factor is only revealed to somebody who has the password.
func TestNoSecondFactorIsToldWithoutThePassword(t *testing.T) {
	b, w := withFactor(t)
	b.enroll(t, w)
	with, without := b.login(t, "awa@example.org", "faux"), b.login(t, "personne@example.org", "faux")
	equal(t, "alike", string(with.body), string(without.body))
}

func TestCodesOfTheMinutesAround(t *testing.T) {
	b, w := withFactor(t)
	secret, _ := b.enroll(t, w)
	w.advance(10 * time.Minute)
	early := code(t, secret, w)
	w.advance(30 * time.Second)
	middle := code(t, secret, w)
	w.advance(30 * time.Second)
	late := code(t, secret, w)
	pending := b.half(t)
	wantDetail(t, b.finish(t, pending, early), http.StatusUnauthorized) // the code is a minute old
	w.advance(-30 * time.Second)
	equal(t, "the next one", b.finish(t, pending, late).status, http.StatusOK)
	wantDetail(t, b.finish(t, pending, middle), http.StatusUnauthorized) // the code is older than one that was used
}

func TestAPendingSignInEnds(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, b *bundle, w *handClock){
		"the password changes": func(t *testing.T, b *bundle, _ *handClock) { b.setPassword(t, "mot de passe neuf") },
		"the account is closed": func(t *testing.T, b *bundle, _ *handClock) {
			t.Helper()
			ok(t, pgtest.SetActive(t.Context(), b.DB, b.user.ID, false))
		},
		"the account is erased": func(t *testing.T, b *bundle, _ *handClock) {
			_, err := b.DB.EraseUser(t.Context(), "awa@example.org", true)
			ok(t, err)
			b.addUser(t, "awa@example.org")
		},
		"it takes too long": func(_ *testing.T, b *bundle, w *handClock) { w.advance(6 * time.Minute) },
		"the factor is reset": func(t *testing.T, b *bundle, _ *handClock) {
			ok(t, b.DB.ResetFactor(t.Context(), b.user.ID))
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, w := withFactor(t)
			secret, _ := b.enroll(t, w)
			w.advance(30 * time.Second)
			pending := b.half(t)
			end(t, b, w)
			wantDetail(t, b.finish(t, pending, code(t, secret, w)), http.StatusUnauthorized)
		})
	}
}

// Twenty concurrent requests with one code at two servers open one session.
func TestACodeOpensOneSession(t *testing.T) {
	b, w := withFactor(t)
	other := start(t, b.DB, sharedRedis.URL(), func(s *Server) { s.Now = w.now })
	secret, codes := b.enroll(t, w)
	w.advance(30 * time.Second)
	pending := b.half(t)
	for name, given := range map[string]string{"of the program": code(t, secret, w), "of recovery": codes[0]} {
		var opened atomic.Int32
		var all sync.WaitGroup
		for i := range 20 {
			server := []*bundle{b, other}[i%2]
			all.Go(func() {
				if r := server.finish(t, pending, given, "X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i)); r.status == http.StatusOK {
					opened.Add(1)
				}
			})
		}
		all.Wait()
		equal(t, name, opened.Load(), int32(1))
	}
}

func TestWrongCodesAreLimited(t *testing.T) {
	b, w := withFactor(t)
	secret, codes := b.enroll(t, w)
	w.advance(30 * time.Second)
	pending := b.half(t, "X-Forwarded-For", "203.0.113.1")
	for range 5 {
		wantDetail(t, b.finish(t, pending, "000000", "X-Forwarded-For", "203.0.113.1"), http.StatusUnauthorized)
	}
	// A correct password in between gives no additional tries.
	wantDetail(t, b.login(t, "awa@example.org", "mot de passe", "X-Forwarded-For", "203.0.113.1"), http.StatusTooManyRequests)
	wantDetail(t, b.finish(t, pending, code(t, secret, w), "X-Forwarded-For", "203.0.113.1"), http.StatusTooManyRequests)
	// Nor does it make the network a known network.
	known, err := b.Logins.Known.Reached(t.Context(), b.Key("awa@example.org", "203.0.113.1/32"))
	ok(t, err)
	equal(t, "known", known, false)
	// After a hundred wrong codes from anywhere, authenticator codes are no longer
	// accepted.
	for range postgres.FactorTries - 5 {
		ok(t, b.DB.MissCode(t.Context(), b.user.ID))
	}
	wantDetail(t, b.finish(t, pending, code(t, secret, w), "X-Forwarded-For", "203.0.113.2"), http.StatusUnauthorized)
	equal(t, "a recovery code", b.finish(t, pending, strings.ToUpper(codes[3]), "X-Forwarded-For", "203.0.113.3").status, http.StatusOK)
	w.advance(30 * time.Second)
	equal(t, "and from then on", b.finish(t, pending, code(t, secret, w), "X-Forwarded-For", "203.0.113.3").status, http.StatusOK)
}

func TestRecoveryCodesAreRenewed(t *testing.T) {
	b, w := withFactor(t)
	secret, codes := b.enroll(t, w)
	renew := func(password, code string) reply {
		return b.do(t, "POST", factorPath+"/recovery-codes", fmt.Sprintf(`{"password":%q,"code":%q}`, password, code))
	}
	w.advance(30 * time.Second)
	wantDetail(t, renew("faux", code(t, secret, w)), http.StatusBadRequest)
	wantDetail(t, renew("mot de passe", "000000"), http.StatusBadRequest)
	fresh := decode[account.CodesBody](t, renew("mot de passe", code(t, secret, w)))
	equal(t, "codes", len(fresh.Codes), 10)
	pending := b.half(t, "X-Forwarded-For", "203.0.113.1")
	wantDetail(t, b.finish(t, pending, codes[0], "X-Forwarded-For", "203.0.113.1"), http.StatusUnauthorized)
	equal(t, "a new one", b.finish(t, pending, fresh.Codes[9], "X-Forwarded-For", "203.0.113.1").status, http.StatusOK)
	equal(t, "left", decode[account.FactorBody](t, b.get(t, factorPath)).Codes, 9)
}

func TestASecondFactorIsRemoved(t *testing.T) {
	b, w := withFactor(t)
	disable := func(password, code string) reply {
		return b.do(t, "POST", factorPath+"/disable", fmt.Sprintf(`{"password":%q,"code":%q}`, password, code))
	}
	wantDetail(t, disable("mot de passe", "000000"), http.StatusNotFound)
	secret, codes := b.enroll(t, w)
	wantDetail(t, b.do(t, "POST", factorPath, `{"password":"mot de passe"}`), http.StatusConflict)
	wantDetail(t, b.do(t, "POST", factorPath+"/confirm", fmt.Sprintf(`{"code":%q}`, code(t, secret, w))), http.StatusBadRequest)
	w.advance(30 * time.Second)
	wantDetail(t, b.do(t, "POST", factorPath+"/confirm", fmt.Sprintf(`{"code":%q}`, code(t, secret, w))), http.StatusConflict)
	wantDetail(t, disable("faux", code(t, secret, w)), http.StatusBadRequest)
	wantDetail(t, disable("mot de passe", "000000"), http.StatusBadRequest)
	equal(t, "faults", found(t, b.do(t, "POST", factorPath+"/disable", `{}`)), []string{"missing body.password", "missing body.code"})
	equal(t, "removed", disable("mot de passe", codes[1]).status, http.StatusNoContent)
	equal(t, "signs in by the password", b.login(t, "awa@example.org", "mot de passe").status, http.StatusOK)
	equal(t, "gone", decode[account.FactorBody](t, b.get(t, factorPath)).Enabled, false)
}

func TestEnrollingAsksForThePassword(t *testing.T) {
	b, w := withFactor(t)
	wantDetail(t, b.do(t, "POST", factorPath, `{"password":"faux"}`), http.StatusBadRequest)
	equal(t, "faults", found(t, b.do(t, "POST", factorPath, `{}`)), []string{"missing body.password"})
	wantDetail(t, b.do(t, "POST", factorPath+"/confirm", `{"code":"123456"}`), http.StatusConflict)
	first := decode[struct{ Secret factor.Secret }](t, b.do(t, "POST", factorPath, `{"password":"mot de passe"}`))
	second := decode[struct{ Secret factor.Secret }](t, b.do(t, "POST", factorPath, `{"password":"mot de passe"}`))
	wantDetail(t, b.do(t, "POST", factorPath+"/confirm", fmt.Sprintf(`{"code":%q}`, code(t, first.Secret, w))), http.StatusBadRequest)
	equal(t, "not in force yet", b.login(t, "awa@example.org", "mot de passe").status, http.StatusOK)
	equal(t, "the later one", b.do(t, "POST", factorPath+"/confirm", fmt.Sprintf(`{"code":%q}`, code(t, second.Secret, w))).status, http.StatusOK)
	f, err := b.DB.FactorOf(t.Context(), b.user.ID)
	ok(t, err)
	if strings.Contains(string(f.Secret), string(second.Secret)) {
		t.Error("the secret is kept open")
	}
}

// If a second factor is required, an account without one can only set one up; accounts that
// do not require one are not affected.
func TestASecondFactorIsRequired(t *testing.T) {
	b, w := withFactor(t, func(s *Server) { s.Factors.Required = true })
	equal(t, "a user", b.get(t, transport.Prefix+"/me").status, http.StatusOK)
	equal(t, "a user's", decode[account.FactorBody](t, b.get(t, factorPath)).Required, false)
	_, err := b.DB.ChangeUser(t.Context(), b.user.ID, postgres.UserChange{Role: &guard.Roles[2]})
	ok(t, err)
	r := b.login(t, "awa@example.org", "mot de passe")
	equal(t, "signs in", r.status, http.StatusOK)
	s := decode[account.SessionBody](t, r)
	equal(t, "is told", s.MustEnroll, true)
	b.token = s.AccessToken
	for _, route := range b.app().GetRoutes(true) {
		if open[route.Path] || route.Path == transport.Prefix+"/auth/me" || route.Path == factorPath || route.Path == factorPath+"/confirm" ||
			strings.HasPrefix(route.Path, transport.Prefix+"/auth/providers/") { // used by an account without a password to enroll
			continue
		}
		if got := b.do(t, route.Method, filled(route, "x"), ""); got.status != http.StatusForbidden {
			t.Errorf("%s %s: %d", route.Method, route.Path, got.status)
		}
	}
	equal(t, "oneself", b.get(t, transport.Prefix+"/auth/me").status, http.StatusOK)
	equal(t, "required", decode[account.FactorBody](t, b.get(t, factorPath)).Required, true)
	refreshed := decode[account.SessionBody](t, b.do(t, "POST", transport.Prefix+"/auth/refresh", fmt.Sprintf(`{"refresh_token":%q}`, s.RefreshToken)))
	equal(t, "told again", refreshed.MustEnroll, true)
	b.enroll(t, w)
	equal(t, "everything", b.get(t, transport.Prefix+"/admin/users").status, http.StatusOK)
}

// The codes that confirm a second factor are limited like those that sign in.
func TestCodesThatConfirmAreLimited(t *testing.T) {
	b, _ := withFactor(t)
	equal(t, "begun", b.do(t, "POST", factorPath, `{"password":"mot de passe"}`).status, http.StatusOK)
	for range b.Logins.Pair.Limit {
		wantDetail(t, b.do(t, "POST", factorPath+"/confirm", `{"code":"000000"}`), http.StatusBadRequest)
	}
	r := b.do(t, "POST", factorPath+"/confirm", `{"code":"000000"}`)
	wantDetail(t, r, http.StatusTooManyRequests)
	if r.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
}

// A key of an editor works where a second factor is required, once its owner has one.
func TestAKeyOfAnEditorWithASecondFactor(t *testing.T) {
	b, w := withFactor(t)
	key := bearer(b.newKey(t, `"documents"`, "").Key)
	strict := start(t, b.DB, sharedRedis.URL(), func(s *Server) { s.Now, s.Factors.Pending.Now, s.Factors.Required = w.now, w.now, true })
	wantDetail(t, strict.do(t, "GET", transport.Prefix+"/documents", "", key...), http.StatusForbidden)
	b.enroll(t, w)
	equal(t, "with a second factor", strict.do(t, "GET", transport.Prefix+"/documents", "", key...).status, http.StatusOK)
}

func TestAnAdministratorResetsASecondFactor(t *testing.T) {
	b, w := withFactor(t)
	asAdmin := b.as(t, "admin")
	path := transport.Prefix + "/admin/users/" + b.user.ID.String() + "/second-factor"
	wantDetail(t, b.do(t, "DELETE", path, "", asAdmin...), http.StatusNotFound)
	b.enroll(t, w)
	wantDetail(t, b.do(t, "DELETE", path, ""), http.StatusForbidden)
	wantDetail(t, b.do(t, "DELETE", transport.Prefix+"/admin/users/"+postgres.NewID().String()+"/second-factor", "", asAdmin...), http.StatusNotFound)
	own, err := b.DB.UserByEmail(t.Context(), "admin@roles.example")
	ok(t, err)
	wantDetail(t, b.do(t, "DELETE", transport.Prefix+"/admin/users/"+own.ID.String()+"/second-factor", "", asAdmin...), http.StatusConflict)
	equal(t, "reset", b.do(t, "DELETE", path, "", asAdmin...).status, http.StatusNoContent)
	equal(t, "sessions end", b.get(t, transport.Prefix+"/me").status, http.StatusUnauthorized)
	equal(t, "by the password", b.login(t, "awa@example.org", "mot de passe").status, http.StatusOK)
	audit := string(b.do(t, "GET", transport.Prefix+"/admin/audit?action=factor.reset", "", asAdmin...).body)
	if !strings.Contains(audit, own.ID.String()) || !strings.Contains(audit, b.user.ID.String()) {
		t.Errorf("log: %s", audit)
	}
}

// If the key of the secrets has changed, recovery codes still work.
func TestAFactorSealedWithAnotherKey(t *testing.T) {
	b, w := withFactor(t)
	secret, codes := b.enroll(t, w)
	other, err := factor.NewBox([]byte(strings.Repeat("b", 32)))
	ok(t, err)
	changed := start(t, b.DB, sharedRedis.URL(), func(s *Server) { s.Now, s.Factors.Box = w.now, other })
	w.advance(30 * time.Second)
	pending := changed.half(t)
	if told := wantDetail(t, changed.finish(t, pending, code(t, secret, w)), http.StatusConflict); !strings.Contains(told, "code de secours") {
		t.Error(told)
	}
	changed.log.await(t, "VIGUEUR_ADDRESS_SECRET")
	equal(t, "a recovery code", changed.finish(t, pending, codes[0]).status, http.StatusOK)
}
