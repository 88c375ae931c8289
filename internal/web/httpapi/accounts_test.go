package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/transport"
)

// notification claims the next due notification, as a worker does, and returns its token; ""
// if none is due.
func (b *bundle) notification(t *testing.T) (token string, l postgres.AccountNotification) {
	t.Helper()
	token, hash := sealed.NewToken()
	l, err := b.DB.LeaseAccountNotification(t.Context(), hash, postgres.LinkLives{Reset: time.Hour, Signup: time.Hour})
	if err != nil {
		return "", l
	}
	ok(t, l.Finish(t.Context()))
	return token, l
}

// unsigned sends a request without a token.
func (b *bundle) unsigned(t *testing.T, path, body string, headers ...string) reply {
	t.Helper()
	return b.do(t, "POST", transport.Prefix+path, body, append([]string{"Authorization", ""}, headers...)...)
}

func TestAForgottenPasswordIsReset(t *testing.T) {
	b := setup(t)
	ask := func(email string) reply {
		return b.unsigned(t, "/auth/password/forgotten", fmt.Sprintf(`{"email":%q}`, email), "X-Forwarded-For", "192.0.2."+fmt.Sprint(len(email)))
	}
	known, unknown := ask("AWA@example.org"), ask("personne@example.org")
	for _, r := range []reply{known, unknown} {
		equal(t, "status", r.status, http.StatusAccepted)
		equal(t, "body", string(r.body), "")
	}
	token, l := b.notification(t)
	equal(t, "to", l.Email, "awa@example.org")
	equal(t, "link", l.Link, "https://vigueur.example/mot-de-passe#jeton=")
	if life := time.Until(l.Expires); life > time.Hour+time.Minute || life < 50*time.Minute {
		t.Errorf("good for %v", life)
	}
	if another, _ := b.notification(t); another != "" {
		t.Error("a message to nobody")
	}
	reset := func(token, password string) reply {
		return b.unsigned(t, "/auth/password/reset", fmt.Sprintf(`{"token":%q,"new_password":%q}`, token, password))
	}
	equal(t, "faults", found(t, b.unsigned(t, "/auth/password/reset", `{"new_password":"court"}`)), []string{"missing body.token", "string_too_short body.new_password"})
	wantDetail(t, reset("x", "un mot de passe neuf"), http.StatusBadRequest)
	equal(t, "reset", reset(token, "un mot de passe neuf").status, http.StatusNoContent)
	wantDetail(t, reset(token, "un autre mot de passe"), http.StatusBadRequest)
	equal(t, "older tokens", b.get(t, transport.Prefix+"/me").status, http.StatusUnauthorized)
	equal(t, "signs in", b.unsigned(t, "/auth/login", `{"email":"awa@example.org","password":"un mot de passe neuf"}`).status, http.StatusOK)
	audit := string(b.do(t, "GET", transport.Prefix+"/admin/audit", "", b.as(t, "admin")...).body)
	for action, n := range map[string]int{"auth.reset_request": 2, "auth.password_reset": 1} {
		equal(t, action, strings.Count(audit, `"`+action+`"`), n)
	}
	if strings.Contains(audit, "personne@") {
		t.Error("the log holds the address of a stranger")
	}
	for body, want := range map[string]string{`{}`: "missing body.email", `{"email":"x"}`: "value_error body.email", `{"email":1}`: "string_type body.email"} {
		equal(t, body, found(t, b.unsigned(t, "/auth/password/forgotten", body)), []string{want})
	}
}

func TestMessagesAreLimited(t *testing.T) {
	b := setup(t)
	ask := func(email, source string) int {
		return b.unsigned(t, "/auth/password/forgotten", fmt.Sprintf(`{"email":%q}`, email), "X-Forwarded-For", source).status
	}
	for i := range 3 {
		equal(t, "to one address", ask("awa@example.org", fmt.Sprintf("198.51.100.%d", i)), http.StatusAccepted)
	}
	equal(t, "a fourth", ask("awa@example.org", "198.51.100.9"), http.StatusTooManyRequests)
	for i := range 3 {
		equal(t, "to one that nobody has", ask("x@example.org", fmt.Sprintf("198.51.101.%d", i)), http.StatusAccepted)
	}
	equal(t, "a fourth to it", ask("x@example.org", "198.51.101.9"), http.StatusTooManyRequests)
	for i := range 10 {
		equal(t, "from one network", ask(fmt.Sprintf("y%d@example.org", i), fmt.Sprintf("2001:db8::%d", i)), http.StatusAccepted)
	}
	wantDetail(t, b.unsigned(t, "/auth/password/forgotten", `{"email":"z@example.org"}`, "X-Forwarded-For", "2001:db8::99"), http.StatusTooManyRequests)
}

func TestSignupWhereItIsOpen(t *testing.T) {
	b := setup(t, func(s *Server) { s.Signup.Domains = []string{"justice.example"} })
	ask := func(email string) reply {
		return b.unsigned(t, "/auth/signup", fmt.Sprintf(`{"email":%q,"full_name":"Noé"}`, email))
	}
	equal(t, "another domain", found(t, ask("noe@ailleurs.example")), []string{"value_error body.email"})
	equal(t, "a domain within", found(t, ask("noe@x.justice.example")), []string{"value_error body.email"})
	equal(t, "faults", found(t, b.unsigned(t, "/auth/signup", `{}`)), []string{"missing body.email", "missing body.full_name"})
	equal(t, "asked", ask("NOE@Justice.example").status, http.StatusAccepted)
	token, l := b.notification(t)
	equal(t, "link", l.Link, "https://vigueur.example/inscription#jeton=")
	confirm := func(token string) reply {
		return b.unsigned(t, "/auth/signup/confirm", fmt.Sprintf(`{"token":%q,"password":"un mot de passe neuf"}`, token))
	}
	wantDetail(t, confirm("x"), http.StatusBadRequest)
	r := confirm(token)
	equal(t, "confirmed", r.status, http.StatusCreated)
	made := decode[account.UserBody](t, r)
	equal(t, "account", []string{made.Email, made.FullName, made.Role}, []string{"noe@justice.example", "Noé", "user"})
	wantDetail(t, confirm(token), http.StatusBadRequest)
	equal(t, "signs in", b.unsigned(t, "/auth/login", `{"email":"noe@justice.example","password":"un mot de passe neuf"}`).status, http.StatusOK)
	equal(t, "asked again", ask("noe@justice.example").status, http.StatusAccepted)
	_, l = b.notification(t)
	equal(t, "told that there is one", l.Known, true)
	b.account.Signup.Domains = []string{"tribunal.example"}
	token, _ = func() (string, postgres.AccountNotification) {
		ok(t, b.DB.AskSignup(t.Context(), "lea@justice.example", "Léa", "x"))
		return b.notification(t)
	}()
	wantDetail(t, confirm(token), http.StatusForbidden)
}

func TestSignupIsClosedUnlessOpened(t *testing.T) {
	b := setup(t)
	wantDetail(t, b.unsigned(t, "/auth/signup", `{"email":"noe@justice.example","full_name":"Noé"}`), http.StatusForbidden)
	wantDetail(t, b.unsigned(t, "/auth/signup/confirm", `{"token":"x","password":"un mot de passe neuf"}`), http.StatusForbidden)
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	open := func(u postgres.User, client string) (token string) {
		token, hash := sealed.NewToken()
		ok(t, b.DB.CreateRefreshToken(ctx, postgres.SignIn{Session: uuid.New(), Hash: hash, User: u.ID, Version: 1, Expires: time.Now().Add(time.Hour), Ends: time.Now().Add(2 * time.Hour), Client: client}))
		return token
	}
	first, _ := open(b.user, "Firefox"), open(b.user, "")
	other := b.addUser(t, "other@example.org")
	open(other, "Chrome")
	_, fresh := sealed.NewToken()
	_, err := b.DB.RotateRefreshToken(ctx, postgres.Renewal{Old: sealed.HashToken(first), Fresh: fresh, Expires: time.Now().Add(time.Hour)})
	ok(t, err)
	type sessions struct{ Items []account.OpenSessionBody }
	list := func(headers ...string) []account.OpenSessionBody {
		return decode[sessions](t, b.do(t, "GET", transport.Prefix+"/auth/sessions", "", headers...)).Items
	}
	seen := list()
	equal(t, "sessions", len(seen), 3)
	equal(t, "the one renewed last", *seen[0].Client, "Firefox")                                               // the program that opened the session is kept
	equal(t, "current", []bool{seen[0].Current, seen[1].Current, seen[2].Current}, []bool{false, false, true}) // that of the bundle's token
	equal(t, "without a name", seen[1].Client, (*string)(nil))
	foreign := decode[sessions](t, b.do(t, "GET", transport.Prefix+"/auth/sessions", "", "Authorization", "Bearer "+b.tokenOf(t, other))).Items
	wantDetail(t, b.do(t, "DELETE", transport.Prefix+"/auth/sessions/"+foreign[0].ID.String(), ""), http.StatusNotFound)
	equal(t, "id", found(t, b.do(t, "DELETE", transport.Prefix+"/auth/sessions/x", "")), []string{"uuid_parsing path.id"})
	equal(t, "ended", b.do(t, "DELETE", transport.Prefix+"/auth/sessions/"+seen[0].ID.String(), "").status, http.StatusNoContent)
	wantDetail(t, b.do(t, "DELETE", transport.Prefix+"/auth/sessions/"+seen[0].ID.String(), ""), http.StatusNotFound)
	equal(t, "left", len(list()), 2)
	if _, err := b.DB.RotateRefreshToken(ctx, postgres.Renewal{Old: fresh, Fresh: []byte("x"), Expires: time.Now()}); err == nil {
		t.Error("an ended session is renewed")
	}
	equal(t, "everywhere", b.do(t, "DELETE", transport.Prefix+"/auth/sessions", "").status, http.StatusNoContent)
	equal(t, "this token too", b.get(t, transport.Prefix+"/me").status, http.StatusUnauthorized)
	equal(t, "others' stay", b.do(t, "GET", transport.Prefix+"/me", "", "Authorization", "Bearer "+b.tokenOf(t, other)).status, http.StatusOK)
	audit := string(b.do(t, "GET", transport.Prefix+"/admin/audit?action=auth.session_end", "", b.as(t, "admin")...).body)
	equal(t, "in the log", strings.Count(audit, `"auth.session_end"`), 2)
}

func TestASignInNamesItsProgram(t *testing.T) {
	b := setup(t)
	hash, err := b.Passwords.Hash(t.Context(), "un mot de passe neuf")
	ok(t, err)
	ok(t, b.DB.SetPassword(t.Context(), b.user.ID, hash))
	r := b.unsigned(t, "/auth/login", `{"email":"awa@example.org","password":"un mot de passe neuf"}`, "User-Agent", "Firefox\t\u202e 140 "+strings.Repeat("x", 300))
	equal(t, "status", r.status, http.StatusOK)
	token := decode[account.SessionBody](t, r).AccessToken
	list := decode[struct{ Items []account.OpenSessionBody }](t, b.do(t, "GET", transport.Prefix+"/auth/sessions", "", "Authorization", "Bearer "+token)).Items
	if name := *list[0].Client; !strings.HasPrefix(name, "Firefox 140 xxx") || len(name) != clientLimit {
		t.Errorf("%q", name)
	}
}

func TestProfile(t *testing.T) {
	b := setup(t)
	equal(t, "fields", keys(t, b.get(t, transport.Prefix+"/me").body), set("id", "email", "full_name", "role", "active", "second_factor", "created_at", "last_sign_in_at", "has_password", "providers", "pays"))
	r := b.do(t, "PATCH", transport.Prefix+"/me", `{"full_name":"  Awa Neuve ","role":"admin","email":"x@y.z","active":false}`)
	body := decode[account.Body](t, r)
	equal(t, "changed", []string{body.FullName, body.Role, body.Email}, []string{"Awa Neuve", "user", "awa@example.org"})
	equal(t, "nothing", decode[account.Body](t, b.do(t, "PATCH", transport.Prefix+"/me", `{}`)).FullName, "Awa Neuve")
	equal(t, "faults", found(t, b.do(t, "PATCH", transport.Prefix+"/me", `{"full_name":" "}`)), []string{"string_too_short body.full_name"})
	equal(t, "still signed in", b.get(t, transport.Prefix+"/me").status, http.StatusOK)
	audit := string(b.do(t, "GET", transport.Prefix+"/admin/audit?action=user.update", "", b.as(t, "admin")...).body)
	if !strings.Contains(audit, b.user.ID.String()) || strings.Contains(audit, "Neuve") {
		t.Errorf("log: %s", audit)
	}
}

// Optional fields of a request have no default in their schema: generated types would make
// them required.
func TestNoOptionalFieldOfARequestHasADefault(t *testing.T) {
	t.Parallel()
	c, err := theContract()
	ok(t, err)
	for _, path := range c.places {
		item, _ := c.follow(path)
		for method := range item {
			body, place := c.follow(path + "/" + method + "/requestBody")
			for kind := range member(body, "content") {
				schema, _ := c.follow(place + "/content/" + escape(kind) + "/schema")
				fields := member(schema, "properties")
				for name := range fields {
					if _, has := member(fields, name)["default"]; has {
						t.Errorf("%s %s: %s has a default", method, path, name)
					}
				}
			}
		}
	}
}
