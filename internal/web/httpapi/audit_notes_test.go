package httpapi

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/transport"
)

// logged returns the entries of an action in the audit log, oldest first.
func (b *bundle) logged(t *testing.T, action postgres.Action) (list []postgres.AuditEntry) {
	t.Helper()
	items, _, err := b.DB.Audit(t.Context(), postgres.AuditQuery{Action: action, Limit: 100})
	ok(t, err)
	for i := len(items) - 1; i >= 0; i-- {
		list = append(list, items[i])
	}
	return list
}

func TestWhatIsTriedReadAndTakenAwayIsLogged(t *testing.T) {
	b := setup(t)
	asAdmin := b.as(t, "admin")
	editor := b.as(t, "editor")

	b.setPassword(t, "mot de passe")
	equal(t, "wrong password", b.login(t, "awa@example.org", "x").status, http.StatusUnauthorized)
	equal(t, "no such account", b.login(t, "nobody@example.org", "x").status, http.StatusUnauthorized)
	failed := b.logged(t, postgres.LoginFailed)
	equal(t, "failures", len(failed), 2)
	equal(t, "of the account", failed[0].Object, b.user.ID.String())
	equal(t, "of nobody", failed[1].Object, "")
	equal(t, "by nobody", failed[0].UserID == nil, true)

	equal(t, "an editor", b.do(t, "GET", transport.Prefix+"/admin/users", "", editor...).status, http.StatusForbidden)
	refused := b.logged(t, postgres.Refused)
	equal(t, "refusals", len(refused), 1)
	equal(t, "refused route", refused[0].Object, "GET "+transport.Prefix+"/admin/users")
	equal(t, "refused account", refused[0].UserID == nil, false)

	for path, action := range map[string]postgres.Action{
		"/admin/users":            postgres.UsersRead,
		"/admin/inquiries":        postgres.InquiriesRead,
		"/admin/audit":            postgres.AuditRead,
		"/admin/audit?format=csv": postgres.AuditExported,
	} {
		equal(t, path, b.do(t, "GET", transport.Prefix+path, "", asAdmin...).status, http.StatusOK)
		equal(t, path+" is logged", len(b.logged(t, action)), 1)
	}
	b.do(t, "GET", transport.Prefix+"/admin/users/"+b.user.ID.String(), "", asAdmin...)
	read := b.logged(t, postgres.UsersRead)
	equal(t, "whose account", read[len(read)-1].Object, b.user.ID.String())
	b.do(t, "GET", transport.Prefix+"/admin/users/"+uuid.NewString()[:8], "", asAdmin...)
	equal(t, "a malformed id is no read", len(b.logged(t, postgres.UsersRead)), 2)
	for _, of := range []string{"users", "documents"} {
		b.do(t, "GET", transport.Prefix+"/admin/ids?prefix=0&of="+of, "", asAdmin...)
	}
	equal(t, "ids of people, with their addresses", len(b.logged(t, postgres.UsersRead)), 3)
}

func TestEndOfSessionIsLoggedOnce(t *testing.T) {
	b := setup(t)
	b.setPassword(t, "mot de passe")
	signIn := func() string {
		r := b.login(t, "awa@example.org", "mot de passe")
		equal(t, "sign in", r.status, http.StatusOK)
		return decode[account.SessionBody](t, r).RefreshToken
	}
	first := signIn()
	send := func(route, token string) int {
		return b.do(t, "POST", transport.Prefix+"/auth/"+route, `{"refresh_token":"`+token+`"}`).status
	}
	equal(t, "refresh", send("refresh", first), http.StatusOK)
	for range 3 {
		equal(t, "once more", send("refresh", first), http.StatusUnauthorized)
	}
	reused := b.logged(t, postgres.RefreshReused)
	equal(t, "reuses", len(reused), 1)
	equal(t, "whose", *reused[0].UserID, b.user.ID)
	second := signIn()
	for range 2 {
		equal(t, "logout", send("logout", second), http.StatusNoContent)
	}
	equal(t, "logouts", len(b.logged(t, postgres.Logout)), 1)
}
