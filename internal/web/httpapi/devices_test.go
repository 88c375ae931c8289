package httpapi

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/transport"
)

const devices = transport.Prefix + "/auth/devices"

// device asks for the session of another machine.
func (b *bundle) device(t *testing.T) account.DeviceBody {
	t.Helper()
	r := b.do(t, "POST", devices, `{"name":"ingest, portable"}`, "Authorization", "")
	if r.status != http.StatusCreated {
		t.Fatalf("%d %s", r.status, r.body)
	}
	return decode[account.DeviceBody](t, r)
}

// takes asks for the session that belongs to a secret.
func (b *bundle) takes(t *testing.T, secret string) reply {
	t.Helper()
	return b.do(t, "POST", transport.Prefix+"/auth/device-sessions", `{"secret":"`+secret+`"}`, "Authorization", "", "User-Agent", "ingest (portable)")
}

// A machine without a browser gets a session of who confirms its code, once.
func TestAnotherMachineSignsIn(t *testing.T) {
	b := setup(t)
	d := b.device(t)
	if !regexp.MustCompile(`^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$`).MatchString(d.Code) || d.Address != "https://vigueur.example/appareil?code="+d.Code {
		t.Errorf("%+v", d)
	}
	equal(t, "before an answer", b.takes(t, d.Secret).status, http.StatusAccepted)
	equal(t, "by the code", b.takes(t, d.Code).status, http.StatusNotFound)
	typed := strings.ToLower(strings.ReplaceAll(d.Code, "-", ""))
	if shown := b.get(t, devices+"/"+typed); shown.status != http.StatusOK || !strings.Contains(string(shown.body), "ingest, portable") {
		t.Errorf("%d %s", shown.status, shown.body)
	}
	equal(t, "a stranger", b.do(t, "POST", devices+"/"+d.Code, `{"allowed":true}`, "Authorization", "").status, http.StatusUnauthorized)
	equal(t, "allowed", b.do(t, "POST", devices+"/"+d.Code, `{"allowed":true}`).status, http.StatusNoContent)
	wantDetail(t, b.do(t, "POST", devices+"/"+d.Code, `{"allowed":false}`), http.StatusNotFound)
	wantDetail(t, b.get(t, devices+"/"+d.Code), http.StatusNotFound)
	session := decode[account.SessionBody](t, b.takes(t, d.Secret))
	equal(t, "who", session.User.Email, "awa@example.org")
	equal(t, "the session", b.do(t, "GET", transport.Prefix+"/auth/me", "", "Authorization", "Bearer "+session.AccessToken).status, http.StatusOK)
	if list := b.get(t, transport.Prefix+"/auth/sessions"); !strings.Contains(string(list.body), "ingest (portable)") {
		t.Errorf("%s", list.body)
	}
	equal(t, "its renewal", b.do(t, "POST", transport.Prefix+"/auth/refresh", `{"refresh_token":"`+session.RefreshToken+`"}`, "Authorization", "").status, http.StatusOK)
	wantDetail(t, b.takes(t, d.Secret), http.StatusNotFound)
}

// A machine that is refused, waits too long or acts for a closed account gets nothing.
func TestAnotherMachineIsRefused(t *testing.T) {
	b := setup(t)
	d := b.device(t)
	equal(t, "refused", b.do(t, "POST", devices+"/"+d.Code, `{"allowed":false}`).status, http.StatusNoContent)
	wantDetail(t, b.takes(t, d.Secret), http.StatusForbidden)
	wantDetail(t, b.takes(t, d.Secret), http.StatusNotFound)

	closed := b.device(t)
	equal(t, "allowed", b.do(t, "POST", devices+"/"+closed.Code, `{"allowed":true}`).status, http.StatusNoContent)
	no := false
	_, err := b.DB.ChangeUser(t.Context(), b.user.ID, postgres.UserChange{Active: &no})
	ok(t, err)
	wantDetail(t, b.takes(t, closed.Secret), http.StatusForbidden)

	for _, body := range []string{`{}`, `{"name":""}`, `{"name":"` + strings.Repeat("a", 101) + `"}`, `{"name":1}`} {
		equal(t, body, b.do(t, "POST", devices, body, "Authorization", "").status, http.StatusUnprocessableEntity)
	}
	stranger := b.tokenOf(t, b.addUser(t, "eve@example.org"))
	for _, code := range []string{"x", "BCDF-GHJK", strings.Repeat("B", 500)} {
		wantDetail(t, b.do(t, "POST", devices+"/"+code, `{"allowed":true}`, "Authorization", "Bearer "+stranger), http.StatusNotFound)
	}
}

// A code is worth ten minutes.
func TestTheCodeOfAnotherMachineExpires(t *testing.T) {
	b := setup(t, func(s *Server) { s.Now = func() time.Time { return time.Now().Add(-10 * time.Minute) } })
	d := b.device(t)
	wantDetail(t, b.do(t, "POST", devices+"/"+d.Code, `{"allowed":true}`), http.StatusNotFound)
	wantDetail(t, b.takes(t, d.Secret), http.StatusNotFound)
}
