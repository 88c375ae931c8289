package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/alerts"
	"vigueur/internal/web/httpapi/transport"
)

type followsPage struct{ Items []alerts.FollowBody }

func TestFollows(t *testing.T) {
	b := setup(t)
	labour, _ := b.addLaws(t)
	document, article := labour.Document.ID.String(), labour.Articles[0].ID.String()
	for name, c := range map[string]struct {
		body   string
		status int
	}{
		"a text":               {`{"kind":"text","document_id":"` + document + `"}`, 201},
		"an article":           {`{"kind":"article","document_id":"` + document + `","article_id":"` + article + `"}`, 201},
		"a search":             {`{"kind":"search","q":"congé annuel","pays":"bf"}`, 201},
		"a domain":             {`{"kind":"scope","domaine":"travail"}`, 201},
		"no such text":         {`{"kind":"text","document_id":"` + uuid.NewString() + `"}`, 404},
		"no such answer":       {`{"kind":"answer","message_id":"` + uuid.NewString() + `"}`, 404},
		"no such domain":       {`{"kind":"scope","domaine":"rien"}`, 404},
		"no text":              {`{"kind":"text"}`, 422},
		"no words":             {`{"kind":"search"}`, 422},
		"stop words":           {`{"kind":"search","q":"de la"}`, 422},
		"a scope of all":       {`{"kind":"scope"}`, 422},
		"no such kind":         {`{"kind":"all"}`, 422},
		"a field that is none": {`{"kind":"scope","domaine":"travail","country":"bf"}`, 422},
	} {
		if r := b.do(t, "POST", transport.Prefix+"/me/follows", c.body); r.status != c.status {
			t.Errorf("%s: %d %s, want %d", name, r.status, r.body, c.status)
		}
	}
	if r := b.do(t, "POST", transport.Prefix+"/me/follows", `{"kind":"text","document_id":"`+document+`"}`); r.status != 200 {
		t.Errorf("followed twice: %d", r.status)
	}
	page := decode[followsPage](t, b.get(t, transport.Prefix+"/me/follows"))
	if len(page.Items) != 4 {
		t.Fatalf("follows %+v", page.Items)
	}
	for _, f := range page.Items {
		if r := b.do(t, "DELETE", transport.Prefix+"/me/follows/"+f.ID.String(), "", b.as(t, "editor")...); r.status != http.StatusNotFound {
			t.Errorf("somebody else deletes it: %d", r.status)
		}
		if r := b.do(t, "DELETE", transport.Prefix+"/me/follows/"+f.ID.String(), ""); r.status != http.StatusNoContent {
			t.Errorf("deleted: %d %s", r.status, r.body)
		}
	}
	if r := b.get(t, transport.Prefix+"/me/follows"); len(decode[followsPage](t, r).Items) != 0 {
		t.Errorf("left %s", r.body)
	}
}

func TestAlertSettingsAndTheLinkThatEndsDigests(t *testing.T) {
	b := setup(t)
	mail := func() bool {
		t.Helper()
		return decode[struct{ Mail bool }](t, b.get(t, transport.Prefix+"/me/alerts")).Mail
	}
	equal(t, "at first", mail(), true)
	equal(t, "off", b.do(t, "PATCH", transport.Prefix+"/me/alerts", `{"mail":false}`).status, http.StatusNoContent)
	equal(t, "after that", mail(), false)
	equal(t, "on", b.do(t, "PATCH", transport.Prefix+"/me/alerts", `{"mail":true}`).status, http.StatusNoContent)
	equal(t, "nothing said", b.do(t, "PATCH", transport.Prefix+"/me/alerts", `{}`).status, http.StatusUnprocessableEntity)

	equal(t, "follow", b.do(t, "POST", transport.Prefix+"/me/follows", `{"kind":"scope","domaine":"travail"}`).status, http.StatusCreated)
	b.addLaws(t)
	b.match(t)
	page := decode[struct{ Items []alerts.AlertBody }](t, b.get(t, transport.Prefix+"/me/alerts"))
	if len(page.Items) == 0 || page.Items[0].Kind != "added" || page.Items[0].Sentence != "Ce texte est entré au catalogue." || page.Items[0].Label != "Travail" || page.Items[0].Path != "/textes/"+page.Items[0].Document.String() {
		t.Fatalf("alerts %+v", page.Items)
	}
	token := b.digest(t).Stop
	path := "/alerts/stop?token=" + token
	if r := b.guest(t, transport.Prefix+path); r.status != 200 || !strings.Contains(string(r.body), `<form method="post"`) || !mail() {
		t.Errorf("the page: %d %s, mail %v", r.status, r.body, mail())
	}
	for range 2 {
		if r := b.unsigned(t, path, "List-Unsubscribe=One-Click", "Content-Type", "application/x-www-form-urlencoded"); r.status != 200 || mail() {
			t.Errorf("one click: %d %s, mail %v", r.status, r.body, mail())
		}
	}
	if r := b.unsigned(t, "/alerts/stop?token=x", ""); r.status != http.StatusBadRequest {
		t.Errorf("an unknown token: %d", r.status)
	}
}

func TestWebhooks(t *testing.T) {
	b := setup(t, func(s *Server) { s.Alerts = alerts.Settings{Webhooks: true, Allowed: []string{"hooks.intern:8443"}} })
	for address, status := range map[string]int{"https://example.org/hook": 201, "http://hooks.intern:8443/": 201, "http://example.org/": 422, "https://127.0.0.1/": 422,
		"https://[::ffff:10.0.0.1]/": 422, "https://localhost/": 422, "ftp://example.org/": 422, "": 422} {
		if r := b.do(t, "POST", transport.Prefix+"/me/webhooks", `{"url":"`+address+`"}`); r.status != status {
			t.Errorf("%s: %d %s, want %d", address, r.status, r.body, status)
		}
	}
	equal(t, "twice", b.do(t, "POST", transport.Prefix+"/me/webhooks", `{"url":"https://example.org/hook"}`).status, http.StatusConflict)
	r := b.do(t, "POST", transport.Prefix+"/me/webhooks", `{"url":"https://example.org/other"}`)
	made := decode[alerts.NewWebhookBody](t, r)
	if !strings.HasPrefix(made.Secret, "whsec_") || !made.Active {
		t.Fatalf("made %s", r.body)
	}
	one := transport.Prefix + "/me/webhooks/" + made.ID.String()
	if r := b.get(t, transport.Prefix+"/me/webhooks"); strings.Contains(string(r.body), "secret") {
		t.Errorf("the secret is shown again: %s", r.body)
	}
	r = b.do(t, "POST", one+"/test", "")
	queued := decode[alerts.DeliveryBody](t, r)
	if r.status != http.StatusAccepted || !queued.Test || queued.State != "queued" {
		t.Errorf("a test: %d %s", r.status, r.body)
	}
	equal(t, "not ended", b.do(t, "POST", one+"/deliveries/"+queued.ID.String(), "").status, http.StatusConflict)
	equal(t, "off", decode[alerts.WebhookBody](t, b.do(t, "PATCH", one, `{"active":false}`)).Active, false)
	list := decode[struct{ Items []alerts.DeliveryBody }](t, b.get(t, one+"/deliveries")).Items
	if len(list) != 1 || list[0].State != "failed" || list[0].Error == "" {
		t.Errorf("deliveries %+v", list)
	}
	equal(t, "a test of it", b.do(t, "POST", one+"/test", "").status, http.StatusConflict)
	equal(t, "on", decode[alerts.WebhookBody](t, b.do(t, "PATCH", one, `{"active":true}`)).Active, true)
	equal(t, "again", b.do(t, "POST", one+"/deliveries/"+queued.ID.String(), "").status, http.StatusAccepted)
	for range 2 { // of the tests and repetitions before, two went out
		equal(t, "another test", b.do(t, "POST", one+"/test", "").status, http.StatusAccepted)
	}
	b.do(t, "POST", one+"/test", "")
	many := b.do(t, "POST", one+"/test", "")
	equal(t, "one too many a minute", many.status, http.StatusTooManyRequests)
	if many.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	equal(t, "somebody else's", b.do(t, "DELETE", one, "", b.as(t, "admin")...).status, http.StatusNotFound)
	equal(t, "deleted", b.do(t, "DELETE", one, "").status, http.StatusNoContent)
	equal(t, "gone", b.get(t, one+"/deliveries").status, http.StatusNotFound)
	if log := b.logged(t, postgres.WebhookCreated); len(log) != 3 {
		t.Errorf("%d entries in the audit log, want 3", len(log))
	}
}

func TestWebhooksAreOffUnlessTheDeploymentWantsThem(t *testing.T) {
	b := setup(t)
	equal(t, "create", b.do(t, "POST", transport.Prefix+"/me/webhooks", `{"url":"https://example.org/"}`).status, http.StatusConflict)
	equal(t, "said", decode[struct{ Enabled bool }](t, b.get(t, transport.Prefix+"/me/webhooks")).Enabled, false)
}

// match compares the journal with the follows.
func (b *bundle) match(t *testing.T) {
	t.Helper()
	ids, err := b.DB.DueMatching(t.Context())
	ok(t, err)
	m, err := b.DB.LeaseMatching(t.Context(), ids[0])
	ok(t, err)
	for more := true; more; {
		_, more, err = b.DB.MatchAlerts(t.Context(), m)
		ok(t, err)
	}
	ok(t, m.Finish(t.Context()))
}

// digest returns the digest that is due.
func (b *bundle) digest(t *testing.T) postgres.AlertMail {
	t.Helper()
	var ids []uuid.UUID
	for range 2 { // the first call begins it
		var err error
		ids, err = b.DB.DueAlertMails(t.Context(), 1, time.Hour)
		ok(t, err)
		if len(ids) > 0 {
			break
		}
	}
	m, err := b.DB.LeaseAlertMail(t.Context(), ids[0])
	ok(t, err)
	return m
}

// The figures say what waits: for the matching, for a digest, for a webhook.
func TestAlertFigures(t *testing.T) {
	b := setup(t, func(s *Server) { s.Alerts = alerts.Settings{Webhooks: true} })
	figures := func() postgres.AlertFigures {
		t.Helper()
		return decode[admin.StatsPage](t, b.do(t, "GET", transport.Prefix+"/admin/stats", "", b.as(t, "editor")...)).Alerts
	}
	equal(t, "at first", figures(), postgres.AlertFigures{})
	equal(t, "follow", b.do(t, "POST", transport.Prefix+"/me/follows", `{"kind":"scope","domaine":"travail"}`).status, http.StatusCreated)
	made := decode[alerts.NewWebhookBody](t, b.do(t, "POST", transport.Prefix+"/me/webhooks", `{"url":"https://example.org/hook"}`))
	b.addLaws(t)
	told := figures()
	n := told.Changes
	if n == 0 {
		t.Fatal("no change")
	}
	equal(t, "before the matching", told, postgres.AlertFigures{Follows: 1, Followers: 1, Webhooks: 1, Changes: n, Unmatched: n})
	b.match(t)
	told = figures()
	equal(t, "after it", told, postgres.AlertFigures{Follows: 1, Followers: 1, Webhooks: 1, Changes: n, Alerts: told.Alerts, Unmailed: told.Alerts, Undelivered: told.Alerts})
	if told.Alerts == 0 {
		t.Error("no alert")
	}
	page := decode[struct{ Items []alerts.DeliveryBody }](t, b.get(t, transport.Prefix+"/me/webhooks/"+made.ID.String()+"/deliveries"))
	ids, err := b.DB.DueDeliveries(t.Context(), 1)
	if ok(t, err); len(ids) == 0 { // they are due after a while
		ids = append(ids, page.Items[0].ID)
	}
	s, err := b.DB.LeaseDelivery(t.Context(), ids[0])
	ok(t, err)
	_, err = b.DB.RetryDelivery(t.Context(), s, nil, "La connexion a échoué.", time.Second, time.Hour)
	ok(t, err)
	b.digest(t)
	told = figures()
	equal(t, "a failing webhook, and a digest", []int{told.Webhooks, told.Failing, told.Disabled, told.Unmailed}, []int{1, 1, 0, 0})
}
