package httpapi

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/httpapi/account"
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
		Account       account.ProfileBody
		Keys          []any `json:"api_keys"`
		Inquiries     []any
		Sessions      []any
		Conversations []struct {
			Conversations []struct{ ID uuid.UUID }
			Messages      []any
			Feedback      []struct{ Rating, Comment string }
		}
	}](t, r)
	equal(t, "account", got.Account.Email, "awa@example.org")
	equal(t, "counts", []int{len(got.Keys), len(got.Inquiries), len(got.Sessions), len(got.Conversations)}, []int{1, 1, 1, ownPage + 1})
	oldest := got.Conversations[ownPage]
	equal(t, "the first", []any{oldest.Conversations[0].ID, len(oldest.Messages), oldest.Feedback}, []any{conversation, 2, []struct{ Rating, Comment string }{{"down", "Trop court"}}})
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
// Redis. Exceptions are listed here with reasons; PDFs of gazettes are named by their content.
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
	asked, message, err := db.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user.ID, Question: "Divorce de Zylberman ?"})
	ok(t, err)
	b.takeUp(t, message).write(chat.Done, "Zylberman divorce", " [1].")
	b.do(t, "POST", transport.Prefix+"/messages/"+message.String()+"/feedback", `{"rating":"up","comment":"Merci, Zylberman"}`)
	b.do(t, "GET", transport.Prefix+"/conversations?q=zylberman", "")
	b.get(t, ownPath)
	b.do(t, "POST", transport.Prefix+"/business/inquiry", `{"company":"Zylberman SA","contact_name":"Zoé Zylberman","email":"zoe@zylberman.example","use_case":"Zylberman"}`,
		"Authorization", "", "Idempotency-Key", "zylberman-1")
	pgtest.Exec(t, url, strings.NewReplacer("$user", b.user.ID.String(), "$new", postgres.NewID().String(), "$message", message.String()).Replace(`
		INSERT INTO second_factors (user_id, secret) VALUES ('$user', 'zylberman');
		INSERT INTO recovery_codes (user_id, code_hash) VALUES ('$user', sha256('zylberman'));
		INSERT INTO uploads (id, user_id, filename, sha256, size) VALUES ('$new', '$user', 'Zylberman.pdf', repeat('0', 64), 9);
		INSERT INTO upload_parts (upload_id, start, bytes) VALUES ('$new', 0, 'zylberman');
		INSERT INTO answer_seconds (asker, seconds, answers, at) VALUES ('$user', 1, 1, now()) ON CONFLICT DO NOTHING;
		INSERT INTO idempotency_keys (owner, operation, key, fingerprint, result) VALUES (uuid_send('$user'), 'question', sha256(''), sha256(''), '$message');
		INSERT INTO inquiry_attempts (inquiry_id, attempt, reason) SELECT id, 1, 'Zylberman' FROM inquiries;
		INSERT INTO follows (id, user_id, kind, subject, label) VALUES ('$new', '$user', 'search', 'zylberman', 'Zylberman');
		INSERT INTO follow_targets (document_id, follow_id) VALUES ('$new', '$new');
		INSERT INTO law_changes (kind, document_id, title, doc_type, domaine) VALUES ('added', '$new', '', '', '');
		INSERT INTO alert_mails (id, user_id, kind, stop_hash, stop_token, error) VALUES ('$new', '$user', 'digest', '', '', 'Zylberman');
		INSERT INTO alerts (user_id, change_id, follow_id, mail_id) SELECT '$user', id, '$new', '$new' FROM law_changes;
		INSERT INTO alert_settings (user_id) VALUES ('$user');
		INSERT INTO webhooks (id, user_id, url, secret) VALUES ('$new', '$user', 'https://zylberman.example', '');
		INSERT INTO webhook_deliveries (id, webhook_id, error) VALUES ('$new', '$new', 'Zylberman');
		INSERT INTO answer_whys (message_id, why) VALUES ('$message', '"Zylberman"') ON CONFLICT DO NOTHING;
		INSERT INTO citations (message_id, index, citation) VALUES ('$message', 99, '"Zylberman"');
		INSERT INTO conversation_links (conversation_id, token_hash, last_position) SELECT conversation_id, sha256(''), 1 FROM messages WHERE id = '$message'`))
	for _, conversation := range []*uuid.UUID{nil, &asked} { // each table that is erased and exported has a row here
		rows, err := db.OwnRows(t.Context(), b.user.ID, conversation)
		ok(t, err)
		for table, list := range rows {
			if string(list) == "[]" {
				t.Errorf("this test puts nothing into %s", table)
			}
		}
	}
	if where := pgtest.Holds(t, url, mark); len(where) < 15 {
		t.Fatalf("before, it stands in %v only", where)
	}

	if where := redistest.Holds(t, own.URL(), mark); len(where) == 0 {
		t.Fatal("before, it stands nowhere in Redis")
	}

	const deletion = transport.Prefix + "/me/delete"
	wantDetail(t, b.do(t, "POST", deletion, `{"password":"faux"}`), http.StatusBadRequest)
	mail := filepath.Join(b.MailDir, "zylberman.eml")
	ok(t, os.WriteFile(mail, []byte("To: zoe@zylberman.example\r\n\r\nZylberman"), 0o600))
	deleted := b.do(t, "POST", deletion, `{"password":"un mot de passe de Zylberman"}`)
	equal(t, "deleted", deleted.status, http.StatusNoContent)
	equal(t, "the cookie is taken away", strings.Contains(deleted.header.Get("Set-Cookie"), "=;"), true)
	equal(t, "the token is no longer good", b.get(t, transport.Prefix+"/me").status, http.StatusUnauthorized)
	if _, err := os.Stat(mail); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the message is there: %v", err)
	}
	equal(t, "tables", pgtest.Holds(t, url, mark), []string(nil))
	equal(t, "keys of Redis", redistest.Holds(t, own.URL(), mark), []string(nil))
	// The account's id remains in the audit log, which proves who did what, in the
	// account's own row, and in the texts that the user worked on.
	left := pgtest.Holds(t, url, b.user.ID.String())
	left = slices.DeleteFunc(left, func(table string) bool { return strings.HasPrefix(table, "audit") })
	equal(t, "its id", left, []string{"users"})
}

// TestTheLastAdministratorStays checks that the last active administrator cannot delete the own account, and another can.
func TestTheLastAdministratorStays(t *testing.T) {
	t.Parallel()
	db, err := postgres.Open(t.Context(), pgtest.NewURL(t))
	ok(t, err)
	t.Cleanup(db.Close)
	b := start(t, db, redistest.New(t).URL())
	b.setPassword(t, "mot de passe")
	appoint := func(id uuid.UUID) {
		_, err := b.DB.ChangeUser(t.Context(), id, postgres.UserChange{Role: new("admin")})
		ok(t, err)
		own, err := b.DB.UserByID(t.Context(), b.user.ID)
		ok(t, err)
		b.token = b.tokenOf(t, own)
	}
	remove := func() reply { return b.do(t, "POST", transport.Prefix+"/me/delete", `{"password":"mot de passe"}`) }
	appoint(b.user.ID)
	wantDetail(t, remove(), http.StatusConflict)
	appoint(b.addUser(t, "chef@example.org").ID)
	equal(t, "beside another", remove().status, http.StatusNoContent)
}
