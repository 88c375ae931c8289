package httpapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/owndata"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/queue/redistest"
)

// ownPath is the path of the export of a user's own data.
const ownPath = transport.Prefix + "/me/export"

func TestAPersonTakesTheirDataAlong(t *testing.T) {
	b := setup(t)
	other := b.addUser(t, "eve@example.org")
	conversation, answer := b.answered(t, "Combien de zylberman ?", "Dix [1].")
	ok(t, b.DB.SetFeedback(t.Context(), b.user.ID, answer, postgres.Feedback{Rating: "down", Comment: "Trop court"}))
	for range ownPage { // more than a page
		_, _, err := b.DB.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user.ID, Question: "Une autre ?"})
		ok(t, err)
	}
	_, _, err := b.DB.CreateTurn(t.Context(), postgres.NewTurn{UserID: other.ID, Question: "À une autre ?"})
	ok(t, err)
	b.do(t, "POST", transport.Prefix+"/business/inquiry", `{"company":"Cabinet","contact_name":"Awa","email":"Awa@example.org","use_case":"Parler"}`, "Authorization", "")
	b.do(t, "POST", transport.Prefix+"/admin/keys", fmt.Sprintf(`{"name":"script","user_id":%q,"scopes":["chat"]}`, b.user.ID), b.as(t, "admin")...)

	r := b.get(t, ownPath)
	equal(t, "status", r.status, http.StatusOK)
	equal(t, "remaining", r.header.Get("RateLimit-Remaining"), "4")
	equal(t, "a file", strings.HasPrefix(r.header.Get("Content-Disposition"), "attachment"), true)
	got := decode[struct {
		owndata.OwnData
		Conversations []struct {
			conversations.WholeBody
			Feedback []owndata.OwnFeedback
		}
	}](t, r)
	equal(t, "account", got.Account.Email, "awa@example.org")
	equal(t, "counts", []int{len(got.Keys), len(got.Inquiries), len(got.Sessions), len(got.Conversations)}, []int{1, 1, 1, ownPage + 1})
	oldest := got.Conversations[ownPage]
	equal(t, "the first", []any{oldest.Conversation.ID, len(oldest.Messages), oldest.Feedback}, []any{conversation, 2, []owndata.OwnFeedback{{Message: answer, Rating: "down", Comment: "Trop court"}}})
	for _, never := range []string{"À une autre", "password", "eve@", `"x"`} {
		if strings.Contains(strings.ReplaceAll(string(r.body), "has_password", ""), never) {
			t.Errorf("the export has %q", never)
		}
	}
	for range 4 {
		equal(t, "again", b.get(t, ownPath).status, http.StatusOK)
	}
	wantDetail(t, b.get(t, ownPath), http.StatusTooManyRequests)
	equal(t, "another's", b.do(t, "GET", ownPath, "", "Authorization", "Bearer "+b.tokenOf(t, other)).status, http.StatusOK)
	audit := string(b.do(t, "GET", transport.Prefix+"/admin/audit?action=user.export", "", b.as(t, "admin")...).body)
	equal(t, "lines", strings.Count(audit, `"user.export"`), 6)
}

// After an account was erased, its data is in no column of any table and in no key of
// Redis. Exceptions are listed here with reasons; files are covered by Forget of package
// notify, and PDFs of gazettes are named by their content.
func TestAnErasedPersonStandsNowhere(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	db, err := postgres.Open(t.Context(), url)
	ok(t, err)
	t.Cleanup(db.Close)
	own := redistest.New(t)
	b := start(t, db, own.URL())

	const mark = "zylberman"
	b.addUser(t, "chef@example.org")
	b.user = postgres.User{ID: postgres.NewID(), Email: "zoe@zylberman.example", FullName: "Zoé Zylberman", Role: "user", Active: true, TokenVersion: 1}
	ok(t, db.CreateUser(t.Context(), b.user))
	b.setPassword(t, "un mot de passe de Zylberman")
	_, err = db.UserOfIdentity(t.Context(), postgres.Identity{Provider: "p", Issuer: "https://id.example", Subject: "zylberman-1", Email: b.user.Email}, nil)
	ok(t, err)
	agent := []string{"User-Agent", "Téléphone de Zylberman"}
	equal(t, "signed in", b.login(t, b.user.Email, "un mot de passe de Zylberman", agent...).status, http.StatusOK)
	b.login(t, b.user.Email, "faux, Zylberman", agent...)
	b.login(t, "autre@zylberman.example", "faux", agent...)
	b.do(t, "POST", transport.Prefix+"/auth/password/forgotten", fmt.Sprintf(`{"email":%q}`, b.user.Email), "Authorization", "")
	b.do(t, "POST", transport.Prefix+"/admin/keys", fmt.Sprintf(`{"name":"clé de Zylberman","user_id":%q,"scopes":["chat"]}`, b.user.ID), b.as(t, "admin")...)
	b.do(t, "PATCH", transport.Prefix+"/me", `{"full_name":"Zoé Zylberman-Diop"}`)
	_, message, err := db.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user.ID, Question: "Divorce de Zylberman ?"})
	ok(t, err)
	b.takeUp(t, message).write(chat.Done, "Zylberman divorce", " [1].")
	b.do(t, "POST", transport.Prefix+"/messages/"+message.String()+"/feedback", `{"rating":"up","comment":"Merci, Zylberman"}`)
	b.do(t, "GET", transport.Prefix+"/conversations?q=zylberman", "")
	b.get(t, ownPath)
	b.do(t, "POST", transport.Prefix+"/business/inquiry", `{"company":"Zylberman SA","contact_name":"Zoé Zylberman","email":"zoe@zylberman.example","use_case":"Zylberman"}`,
		"Authorization", "", "Idempotency-Key", "zylberman-1")
	if where := pgtest.Holds(t, url, mark); len(where) < 8 {
		t.Fatalf("before, it stands in %v only", where)
	}

	if where := redistest.Holds(t, own.URL(), mark); len(where) == 0 {
		t.Fatal("before, it stands nowhere in Redis")
	}

	e, err := db.EraseUser(t.Context(), b.user.Email, true)
	ok(t, err)
	equal(t, "inquiries", len(e.InquiryIDs), 1)
	ok(t, b.Relay.Forget(t.Context(), e.Recent...)) // as the command that erases an account does
	equal(t, "tables", pgtest.Holds(t, url, mark), []string(nil))
	equal(t, "keys of Redis", redistest.Holds(t, own.URL(), mark), []string(nil))
	// The account's id remains in the audit log, which proves who did what, in the
	// account's own row, and in the texts that the user worked on.
	left := pgtest.Holds(t, url, b.user.ID.String())
	left = slices.DeleteFunc(left, func(table string) bool { return strings.HasPrefix(table, "audit") })
	equal(t, "its id", left, []string{"users"})
}
