package httpapi

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// as returns the headers of an account with a role, which is created on first use.
func (b *bundle) as(t *testing.T, role string) []string {
	t.Helper()
	email := role + "@roles.example"
	u, err := b.DB.UserByEmail(t.Context(), email)
	if err != nil {
		u = postgres.User{ID: postgres.NewID(), Email: email, FullName: "Rôle", Role: role, Active: true, PasswordHash: "x"}
		ok(t, b.DB.CreateUser(t.Context(), u))
		u.TokenVersion = 1
	}
	return []string{"Authorization", "Bearer " + b.tokenOf(t, u)}
}

// adminRoutes are the routes of the contract's Admin section with the lowest role of each.
var adminRoutes = []struct{ role, method, path string }{
	{"admin", "GET", "/admin/users"},
	{"editor", "GET", "/admin/waiting"},
	{"editor", "GET", "/admin/questions"},
	{"admin", "POST", "/admin/users"},
	{"admin", "GET", "/admin/users/ID"},
	{"admin", "PATCH", "/admin/users/ID"},
	{"admin", "GET", "/admin/keys"},
	{"admin", "POST", "/admin/keys"},
	{"admin", "DELETE", "/admin/keys/ID"},
	{"admin", "GET", "/admin/shared"},
	{"admin", "DELETE", "/admin/shared/ID"},
	{"admin", "DELETE", "/admin/users/ID/second-factor"},
	{"editor", "GET", "/admin/names"},
	{"editor", "POST", "/admin/names"},
	{"editor", "DELETE", "/admin/names/ID"},
	{"admin", "GET", "/admin/domaines"},
	{"admin", "POST", "/admin/domaines"},
	{"admin", "PATCH", "/admin/domaines/travail"},
	{"admin", "GET", "/admin/audit"},
	{"editor", "GET", "/admin/answers/ID/why"},
	{"editor", "GET", "/admin/ingestions"},
	{"editor", "GET", "/admin/ingestions/ID"},
	{"editor", "POST", "/admin/ingestions/ID/retry"},
	{"editor", "POST", "/admin/ingestions/ID/cancel"},
	{"editor", "GET", "/admin/ingestions/ID/events"},
	{"editor", "GET", "/admin/ingestions/ID/review"},
	{"editor", "POST", "/admin/ingestions/ID/review/ID"},
	{"editor", "POST", "/admin/ingestions/ID/recut"},
	{"editor", "GET", "/admin/ingestions/ID/pages/1.png"},
	{"editor", "GET", "/admin/ingestions/ID/pages/1/lines"},
	{"editor", "GET", "/admin/ingestions/ID/pages"},
	{"editor", "GET", "/admin/ingestions/ID/edits"},
	{"editor", "POST", "/admin/ingestions/ID/edits"},
	{"editor", "DELETE", "/admin/ingestions/ID/edits/ID"},
	{"editor", "GET", "/admin/reviews"},
	{"editor", "POST", "/admin/reviews"},
	{"editor", "GET", "/admin/relations"},
	{"editor", "POST", "/admin/relations/ID"},
	{"editor", "POST", "/admin/documents"},
	{"editor", "PATCH", "/admin/documents/ID"},
	{"editor", "DELETE", "/admin/documents/ID"},
	{"editor", "POST", "/admin/documents/ID/reindex"},
	{"editor", "GET", "/admin/queues"},
	{"editor", "GET", "/admin/stats"},
	{"editor", "GET", "/admin/versions/waiting"},
	{"editor", "POST", "/admin/versions/waiting/ID"},
	{"admin", "POST", "/admin/versions/rebuild"},
	{"editor", "POST", "/admin/versions/rebuild/ID"},
	{"editor", "GET", "/admin/versions/acts"},
	{"editor", "POST", "/admin/versions/acts/ID"},
	{"editor", "DELETE", "/admin/versions/acts/ID"},
	{"editor", "GET", "/admin/versions/truth"},
	{"editor", "PATCH", "/admin/ingestions/ID"},
	{"editor", "GET", "/admin/reviews/truth"},
	{"editor", "GET", "/admin/versions/decisions"},
	{"editor", "DELETE", "/admin/versions/decisions/ID"},
}

func TestAdminRoutesAskForTheirRole(t *testing.T) {
	b := setup(t)
	for _, route := range adminRoutes {
		path := transport.Prefix + strings.ReplaceAll(route.path, "ID", uuid.NewString())
		what := route.method + " " + route.path
		equal(t, what+" by nobody", b.do(t, route.method, path, "", "Authorization", "").status, http.StatusUnauthorized)
		wantDetail(t, b.do(t, route.method, path, "", b.as(t, "user")...), http.StatusForbidden)
		editor := b.do(t, route.method, path, "", b.as(t, "editor")...).status
		if refused := editor == http.StatusForbidden; refused != (route.role == "admin") {
			t.Errorf("%s by an editor: %d", what, editor)
		}
		admin := b.do(t, route.method, path, "", b.as(t, "admin")...).status
		if admin == http.StatusForbidden || admin == http.StatusUnauthorized || admin >= 500 {
			t.Errorf("%s by an administrator: %d", what, admin)
		}
	}
}

func TestDemotionCountsAtOnceAndEndsNoSession(t *testing.T) {
	b := setup(t)
	asAdmin := b.as(t, "admin")
	second := postgres.User{ID: postgres.NewID(), Email: "second@example.org", FullName: "S", Role: "admin", Active: true, PasswordHash: "x"}
	ok(t, b.DB.CreateUser(t.Context(), second))
	second.TokenVersion = 1
	token := []string{"Authorization", "Bearer " + b.tokenOf(t, second)}
	equal(t, "before", b.do(t, "GET", transport.Prefix+"/admin/users", "", token...).status, 200)
	path := transport.Prefix + "/admin/users/" + second.ID.String()
	equal(t, "demote", b.do(t, "PATCH", path, `{"role":"user"}`, asAdmin...).status, 200)
	wantDetail(t, b.do(t, "GET", transport.Prefix+"/admin/users", "", token...), http.StatusForbidden)
	equal(t, "the session", b.do(t, "GET", transport.Prefix+"/auth/me", "", token...).status, 200)
	equal(t, "close", b.do(t, "PATCH", path, `{"active":false}`, asAdmin...).status, 200)
	wantDetail(t, b.do(t, "GET", transport.Prefix+"/auth/me", "", token...), http.StatusUnauthorized)
}

func TestUsers(t *testing.T) {
	b := setup(t)
	asAdmin := b.as(t, "admin")
	made := b.do(t, "POST", transport.Prefix+"/admin/users", `{"email":" Ed@Example.org ","full_name":"Ed Itrice","password":"une longue phrase","role":"editor"}`, asAdmin...)
	equal(t, "create", made.status, http.StatusCreated)
	equal(t, "fields", keys(t, made.body), set("id", "email", "full_name", "role", "active", "second_factor", "pays", "created_at", "last_sign_in_at"))
	u := decode[account.Body](t, made)
	equal(t, "e-mail", u.Email, "ed@example.org")
	equal(t, "login", b.do(t, "POST", transport.Prefix+"/auth/login", `{"email":"ed@example.org","password":"une longue phrase"}`).status, 200)
	wantDetail(t, b.do(t, "POST", transport.Prefix+"/admin/users", `{"email":"ed@example.org","full_name":"X","password":"une longue phrase","role":"user"}`, asAdmin...), http.StatusConflict)

	path := transport.Prefix + "/admin/users/" + u.ID.String()
	changed := decode[account.Body](t, b.do(t, "PATCH", path, `{"full_name":"Ed I.","active":null}`, asAdmin...))
	equal(t, "name", changed.FullName, "Ed I.")
	equal(t, "still active", changed.Active, true)
	equal(t, "shown", decode[account.Body](t, b.do(t, "GET", path, "", asAdmin...)), changed)

	seen := map[string]int{}
	next := ""
	for range 5 {
		page := decode[respond.Listing[account.Body]](t, b.do(t, "GET", transport.Prefix+"/admin/users?limit=1"+next, "", asAdmin...))
		for _, one := range page.Items {
			seen[one.Email]++
		}
		if page.NextBefore == nil {
			break
		}
		next = "&before=" + *page.NextBefore
	}
	equal(t, "each once", seen, map[string]int{"ed@example.org": 1, "admin@roles.example": 1, "awa@example.org": 1})
}

func TestUsersRefuseBadInput(t *testing.T) {
	b := setup(t)
	asAdmin := b.as(t, "admin")
	users := transport.Prefix + "/admin/users"
	equal(t, "empty", found(t, b.do(t, "POST", users, `{}`, asAdmin...)),
		[]string{"missing body.email", "missing body.full_name", "missing body.role", "missing body.password"})
	equal(t, "wrong", found(t, b.do(t, "POST", users, `{"email":"a@b","full_name":" ","role":"root","password":"court"}`, asAdmin...)),
		[]string{"value_error body.email", "string_too_short body.full_name", "enum body.role", "string_too_short body.password"})
	unknown := users + "/" + uuid.NewString()
	wantDetail(t, b.do(t, "GET", unknown, "", asAdmin...), http.StatusNotFound)
	wantDetail(t, b.do(t, "PATCH", unknown, `{"role":"user"}`, asAdmin...), http.StatusNotFound)
	equal(t, "id", found(t, b.do(t, "GET", users+"/x", "", asAdmin...)), []string{"uuid_parsing path.id"})
	equal(t, "types", found(t, b.do(t, "PATCH", unknown, `{"role":1,"active":"oui","full_name":2}`, asAdmin...)),
		[]string{"enum body.role", "bool_type body.active", "string_type body.full_name"})
	equal(t, "limit", found(t, b.do(t, "GET", users+"?limit=0", "", asAdmin...)), []string{"greater_than_equal query.limit"})
	wantDetail(t, b.do(t, "GET", users+"?before=hier", "", asAdmin...), http.StatusBadRequest)
}

func TestLastAdministratorStays(t *testing.T) {
	b := setup(t)
	asAdmin := b.as(t, "admin")
	me := decode[account.UserBody](t, b.do(t, "GET", transport.Prefix+"/auth/me", "", asAdmin...))
	for _, body := range []string{`{"role":"editor"}`, `{"active":false}`} {
		wantDetail(t, b.do(t, "PATCH", transport.Prefix+"/admin/users/"+me.ID.String(), body, asAdmin...), http.StatusConflict)
	}
	equal(t, "still there", b.do(t, "GET", transport.Prefix+"/admin/users", "", asAdmin...).status, 200)
}

func TestAdminDomains(t *testing.T) {
	b := setup(t)
	asAdmin := b.as(t, "admin")
	path := transport.Prefix + "/admin/domaines"
	made := b.do(t, "POST", path, `{"code":"peche","label":"Pêche","description":"Licences","active":false}`, asAdmin...)
	equal(t, "create", made.status, http.StatusCreated)
	equal(t, "fields", keys(t, made.body), set("code", "label", "description", "documents_count", "active"))
	wantDetail(t, b.do(t, "POST", path, `{"code":"peche","label":"Pêche"}`, asAdmin...), http.StatusConflict)
	public := func() (codes []string) {
		for _, d := range decode[[]catalogue.DomainBody](t, b.get(t, transport.Prefix+"/domaines")) {
			codes = append(codes, d.Code)
		}
		return codes
	}
	if strings.Contains(strings.Join(public(), " "), "peche") {
		t.Error("a domain that is not active is listed")
	}
	all := decode[respond.Listing[admin.AdminDomaineBody]](t, b.do(t, "GET", path, "", asAdmin...)).Items
	equal(t, "place", []string{all[len(all)-2].Code, all[len(all)-1].Code}, []string{"peche", "autre"})
	changed := decode[admin.AdminDomaineBody](t, b.do(t, "PATCH", path+"/peche", `{"active":true,"label":"Pêches"}`, asAdmin...))
	equal(t, "changed", changed, admin.AdminDomaineBody{Domain: law.Domain{Code: "peche", Label: "Pêches", Description: "Licences"}, Active: true})
	if !strings.Contains(strings.Join(public(), " "), "peche") {
		t.Error("an active domain is not listed")
	}
	equal(t, "code", found(t, b.do(t, "POST", path, `{"code":"Pêche!","label":""}`, asAdmin...)),
		[]string{"string_too_short body.label", "value_error body.code"})
	equal(t, "missing", found(t, b.do(t, "POST", path, `{}`, asAdmin...)), []string{"missing body.code", "missing body.label"})
	wantDetail(t, b.do(t, "PATCH", path+"/rien", `{"label":"X"}`, asAdmin...), http.StatusNotFound)
	wantDetail(t, b.do(t, "PATCH", path+"/NON", `{"label":"X"}`, asAdmin...), http.StatusNotFound)
}

func TestAudit(t *testing.T) {
	began := time.Now() // midnight may pass before the end
	b := setup(t)
	asAdmin := b.as(t, "admin")
	b.do(t, "POST", transport.Prefix+"/admin/users", `{"email":"=ed@example.org","full_name":"Ed Itrice","password":"une longue phrase","role":"editor"}`, asAdmin...)
	equal(t, "login", b.do(t, "POST", transport.Prefix+"/auth/login", `{"email":"=ed@example.org","password":"une longue phrase"}`).status, 200)
	ed, err := b.DB.UserByEmail(t.Context(), "=ed@example.org")
	ok(t, err)
	_, _, err = b.DB.CreateTurn(t.Context(), postgres.NewTurn{UserID: ed.ID, Question: "Mon secret ?", Model: "extractif"})
	ok(t, err)

	path := transport.Prefix + "/admin/audit"
	whole := b.do(t, "GET", path, "", asAdmin...)
	for _, secret := range []string{"secret", "Itrice", "longue phrase"} {
		if strings.Contains(string(whole.body), secret) {
			t.Errorf("the log tells %q: %s", secret, whole.body)
		}
	}
	actions := func(query string) (list []postgres.Action) {
		for _, e := range decode[respond.Listing[admin.AuditEntryBody]](t, b.do(t, "GET", path+query, "", asAdmin...)).Items {
			list = append(list, e.Action)
		}
		return list
	}
	equal(t, "by user", actions("?user="+ed.ID.String()), []postgres.Action{postgres.Asked, postgres.Login})
	equal(t, "by action", actions("?action=chat.question"), []postgres.Action{postgres.Asked})
	equal(t, "by time", len(actions("?to=2020-01-01")), 0)
	since := len(actions("?from=" + began.UTC().Format(time.DateOnly)))
	equal(t, "since the test began", len(actions("")), since+1) // reading is recorded too
	by := decode[respond.Listing[admin.AuditEntryBody]](t, b.do(t, "GET", path+"?action=user.create&limit=1", "", asAdmin...))
	me := decode[account.UserBody](t, b.do(t, "GET", transport.Prefix+"/auth/me", "", asAdmin...))
	equal(t, "who", *by.Items[0].UserID, me.ID)
	equal(t, "what", by.Items[0].Object, ed.ID.String())
	if by.NextBefore == nil {
		t.Error("no next page")
	}
	equal(t, "bad", found(t, b.do(t, "GET", path+"?user=x&action=rien&from=hier&format=xml", "", asAdmin...)),
		[]string{"enum query.format", "uuid_parsing query.user", "enum query.action", "date_from_datetime_parsing query.from"})

	export := b.do(t, "GET", path+"?format=csv&user="+ed.ID.String(), "", asAdmin...)
	equal(t, "type", export.header.Get("Content-Type"), "text/csv; charset=utf-8")
	plain, marked := strings.CutPrefix(string(export.body), "\ufeff")
	if !marked {
		t.Error("Excel would not read it as UTF-8")
	}
	reader := csv.NewReader(strings.NewReader(plain))
	reader.Comma = ';'
	rows, err := reader.ReadAll()
	ok(t, err)
	equal(t, "rows", len(rows), 3)
	equal(t, "no formula", rows[1][3], "'=ed@example.org")
}

// TestAccountsAndFilesAreSearched finds accounts by name or address and files by name, and tells
// who last signed in when.
func TestAccountsAndFilesAreSearched(t *testing.T) {
	b := setup(t)
	asAdmin := b.as(t, "admin")
	b.do(t, "POST", transport.Prefix+"/admin/users", `{"email":"noe@example.org","full_name":"Noé Lancel","password":"une longue phrase","role":"user"}`, asAdmin...)
	find := func(q string) (addresses []string) {
		for _, u := range decode[respond.Listing[account.Body]](t, b.do(t, "GET", transport.Prefix+"/admin/users?q="+url.QueryEscape(q), "", asAdmin...)).Items {
			addresses = append(addresses, u.Email)
		}
		return addresses
	}
	equal(t, "by name", find("NOE l"), []string{"noe@example.org"})
	equal(t, "by address", find("noe@EXAMPLE"), []string{"noe@example.org"})
	equal(t, "by a sign", len(find("%")), 0)
	equal(t, "none", len(find("zzz")), 0)
	last := func() *string {
		return decode[respond.Listing[account.Body]](t, b.do(t, "GET", transport.Prefix+"/admin/users?q=noe", "", asAdmin...)).Items[0].LastSignIn
	}
	equal(t, "never", last(), (*string)(nil))
	equal(t, "signed in", b.do(t, "POST", transport.Prefix+"/auth/login", `{"email":"noe@example.org","password":"une longue phrase"}`).status, http.StatusOK)
	if at := last(); at == nil || !strings.HasPrefix(*at, time.Now().UTC().Format("2006-01")) {
		t.Errorf("last sign-in %v", at)
	}

	b.endFile(t, b.addFile(t, "abc1"), "done", "")
	files := func(q string) int {
		return len(decode[respond.Listing[gazettes.IngestionBody]](t, b.do(t, "GET", transport.Prefix+"/admin/ingestions?q="+url.QueryEscape(q), "", asAdmin...)).Items)
	}
	equal(t, "files", []int{files("BC1"), files("2025"), files(" ")}, []int{1, 0, 1})
	equal(t, "faults", found(t, b.do(t, "GET", transport.Prefix+"/admin/ingestions?q=%00&limit=0", "", asAdmin...)), []string{"greater_than_equal query.limit", "value_error query.q"})

	waits := decode[admin.WaitingCountsBody](t, b.do(t, "GET", transport.Prefix+"/admin/waiting", "", asAdmin...))
	equal(t, "waits", []any{waits.Files["done"], waits.Reviews, waits.Amendments, *waits.Inquiries, waits.Ended, waits.Left == nil}, []any{1, 0, 0, 0, 0, true})
	b.addFile(t, "abc2")
	b.endFile(t, b.addFile(t, "abc3"), "done", "")
	waits = decode[admin.WaitingCountsBody](t, b.do(t, "GET", transport.Prefix+"/admin/waiting", "", asAdmin...))
	equal(t, "under way", []any{waits.Files["queued"] + waits.Files["running"], waits.Ended, waits.Left != nil}, []any{1, 1, true})
	if waits := decode[admin.WaitingCountsBody](t, b.do(t, "GET", transport.Prefix+"/admin/waiting", "", b.as(t, "editor")...)); waits.Inquiries != nil {
		t.Errorf("an editor is told of inquiries: %+v", waits)
	}
}

// TestTheLogHasNames gives the ids in the log the names that people know.
func TestTheLogHasNames(t *testing.T) {
	b := setup(t)
	asAdmin := b.as(t, "admin")
	b.do(t, "POST", transport.Prefix+"/admin/users", `{"email":"noe@example.org","full_name":"Noé","password":"une longue phrase","role":"user"}`, asAdmin...)
	file := b.addFile(t, "abc2")
	equal(t, "cancelled", b.do(t, "POST", transport.Prefix+"/admin/ingestions/"+file.ID.String()+"/cancel", "", asAdmin...).status, http.StatusAccepted)
	lines := map[postgres.Action]admin.AuditEntryBody{}
	for _, e := range decode[respond.Listing[admin.AuditEntryBody]](t, b.do(t, "GET", transport.Prefix+"/admin/audit", "", asAdmin...)).Items {
		if _, newer := lines[e.Action]; !newer {
			lines[e.Action] = e
		}
	}
	for action, want := range map[postgres.Action]string{postgres.UserCreated: "noe@example.org", postgres.FileCancelled: "abc2.pdf"} {
		e := lines[action]
		id, err := uuid.Parse(e.Object)
		ok(t, err)
		equal(t, string(action), e.Names[id], want)
	}
}
