package httpapi

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

const keysPath = transport.Prefix + "/admin/keys"

// newKey makes the bundle's user an editor and creates a key for it; more is additional
// JSON of the request.
func (b *bundle) newKey(t *testing.T, scopes, more string) admin.NewApiKeyBody {
	t.Helper()
	if b.user.Role != "editor" {
		u, err := b.DB.ChangeUser(t.Context(), b.user.ID, postgres.UserChange{Role: &guard.Roles[1]})
		ok(t, err)
		b.user = u
	}
	r := b.do(t, "POST", keysPath, fmt.Sprintf(`{"name":"Intranet","user_id":%q,"scopes":[%s]%s}`, b.user.ID, scopes, more), b.as(t, "admin")...)
	if r.status != http.StatusCreated {
		t.Fatalf("%d %s", r.status, r.body)
	}
	return decode[admin.NewApiKeyBody](t, r)
}

func bearer(key string) []string { return []string{"Authorization", "Bearer " + key} }

func TestAKeyIsMadeShownOnceAndRevoked(t *testing.T) {
	b := setup(t)
	made := b.newKey(t, `"chat","documents"`, `,"expires_in_days":30,"per_minute":7,"per_day":90`)
	equal(t, "shown", []any{made.Prefix, made.PerMinute, made.PerDay, made.Owner, made.Scopes, made.LastUsedAt, made.RevokedAt},
		[]any{made.Key[:12], 7, 90, b.user.ID, []string{"chat", "documents"}, (*string)(nil), (*string)(nil)})
	equal(t, "it opens", b.do(t, "GET", transport.Prefix+"/documents", "", bearer(made.Key)...).status, http.StatusOK)
	list := b.do(t, "GET", keysPath, "", b.as(t, "admin")...)
	if bytes.Contains(list.body, []byte(made.Key)) {
		t.Error("the list shows the key again")
	}
	one := decode[respond.Listing[admin.ApiKeyBody]](t, list).Items[0]
	if one.ID != made.ID || one.LastUsedAt == nil || one.OwnerEmail != b.user.Email {
		t.Errorf("listed as %+v", one)
	}
	path := keysPath + "/" + made.ID.String()
	for range 2 {
		equal(t, "revoke", b.do(t, "DELETE", path, "", b.as(t, "admin")...).status, http.StatusNoContent)
		r := b.do(t, "GET", transport.Prefix+"/documents", "", bearer(made.Key)...)
		equal(t, "sentence", wantDetail(t, r, http.StatusUnauthorized), badKeyText)
		equal(t, "how", r.header.Get("WWW-Authenticate"), "Bearer")
	}
	if decode[respond.Listing[admin.ApiKeyBody]](t, b.do(t, "GET", keysPath, "", b.as(t, "admin")...)).Items[0].RevokedAt == nil {
		t.Error("the list does not tell that it is revoked")
	}
	wantDetail(t, b.do(t, "DELETE", keysPath+"/"+uuid.NewString(), "", b.as(t, "admin")...), http.StatusNotFound)
	equal(t, "bad id", found(t, b.do(t, "DELETE", keysPath+"/x", "", b.as(t, "admin")...)), []string{"uuid_parsing path.id"})
}

func TestKeysRefuseBadInput(t *testing.T) {
	b := setup(t)
	asAdmin := b.as(t, "admin")
	equal(t, "empty", found(t, b.do(t, "POST", keysPath, `{}`, asAdmin...)), []string{"missing body.name", "missing body.user_id", "missing body.scopes"})
	for body, want := range map[string][]string{
		`{"name":" ","user_id":null,"scopes":null}`:                                  {"string_too_short body.name", "uuid_parsing body.user_id", "list_type body.scopes"},
		`{"name":"N","user_id":"UUID","scopes":[]}`:                                  {"value_error body.scopes"},
		`{"name":"N","user_id":"UUID","scopes":["chat","root",1]}`:                   {"enum body.scopes.1", "enum body.scopes.2"},
		`{"name":"N","user_id":"UUID","scopes":["chat","chat"]}`:                     {"value_error body.scopes"},
		`{"name":"N","user_id":"UUID","scopes":"chat"}`:                              {"list_type body.scopes"},
		`{"name":"N","user_id":"UUID","scopes":["chat"],"per_minute":0}`:             {"greater_than_equal body.per_minute"},
		`{"name":"N","user_id":"UUID","scopes":["chat"],"per_minute":6001}`:          {"less_than_equal body.per_minute"},
		`{"name":"N","user_id":"UUID","scopes":["chat"],"per_day":1e99}`:             {"less_than_equal body.per_day"},
		`{"name":"N","user_id":"UUID","scopes":["chat"],"per_day":1.5}`:              {"int_type body.per_day"},
		`{"name":"N","user_id":"UUID","scopes":["chat"],"per_day":true}`:             {"int_type body.per_day"},
		`{"name":"N","user_id":"UUID","scopes":["chat"],"expires_in_days":1831}`:     {"less_than_equal body.expires_in_days"},
		`{"name":"N","user_id":"UUID","scopes":["chat"],"expires_in_days":"trente"}`: {"int_type body.expires_in_days"},
		`{"name":"N","user_id":"` + uuid.NewString() + `","scopes":["chat"]}`:        {"value_error body.user_id"},
		`{"name":"N","user_id":"UUID","scopes":["ingest"]}`:                          {"value_error body.scopes"},
	} {
		equal(t, body, found(t, b.do(t, "POST", keysPath, strings.Replace(body, "UUID", b.user.ID.String(), 1), asAdmin...)), want)
	}
	equal(t, "list", found(t, b.do(t, "GET", keysPath+"?limit=0", "", asAdmin...)), []string{"greater_than_equal query.limit"})
	wantDetail(t, b.do(t, "GET", keysPath+"?before=hier", "", asAdmin...), http.StatusBadRequest)
}

// keyScopes are the routes that an API key may call, with the scope that each requires. A key can call no other route,
// even if its owner can. Accounts, keys and the audit log are not among them.
var keyScopes = map[string]string{
	"POST /chat-rag/stream":                    "chat",
	"GET /chat-rag/stream/:message_id":         "chat",
	"POST /chat-rag/stream/:message_id/cancel": "chat",
	"GET /models":                              "chat",
	"POST /messages/:id/feedback":              "chat",
	"GET /conversations":                       "chat",
	"GET /conversations/:id":                   "chat",
	"PATCH /conversations/:id":                 "chat",
	"DELETE /conversations/:id":                "chat",
	"GET /conversations/:id/export":            "chat",

	"GET /documents":                                     "documents",
	"GET /documents/:id":                                 "documents",
	"GET /documents/:id/details":                         "documents",
	"GET /documents/:id/export":                          "documents",
	"GET /documents/:id/articles":                        "documents",
	"GET /documents/:id/articles/:article_id":            "documents",
	"GET /documents/:id/articles/:article_id/versions":   "documents",
	"GET /documents/:id/versions":                        "documents",
	"GET /documents/:id/articles/:article_id/references": "documents",
	"GET /documents/:id/articles/:article_id/cited-by":   "documents",
	"GET /documents/:id/articles/:article_id/diff":       "documents",
	"GET /documents/:id/days":                            "documents",
	"GET /documents/:id/relations":                       "documents",
	"GET /examples":                                      "documents",
	"GET /search":                                        "documents",
	"POST /verify":                                       "documents",
	"GET /titles":                                        "documents",

	"POST /v1/chat/completions": "chat",
	"GET /v1/models":            "chat",

	"POST /mcp": "mcp",

	"POST /admin/documents":             "ingest",
	"POST /admin/uploads":               "ingest",
	"GET /admin/uploads/:id":            "ingest",
	"PATCH /admin/uploads/:id":          "ingest",
	"DELETE /admin/uploads/:id":         "ingest",
	"GET /admin/ingestion-events":       "ingest",
	"GET /admin/ingestions":             "ingest",
	"GET /admin/ingestions/:id":         "ingest",
	"GET /admin/ingestions/:id/events":  "ingest",
	"POST /admin/ingestions/:id/retry":  "ingest",
	"POST /admin/ingestions/:id/cancel": "ingest",
}

// The document names a scope for every route that accepts keys, and for no other route.
func TestDocumentedScopes(t *testing.T) {
	t.Parallel()
	documented := map[string]string{}
	for name, o := range readDocument(t).operations() {
		if o.Scope != "" {
			method, path, _ := strings.Cut(name, " ")
			documented[method+" "+strings.TrimPrefix(path, transport.Prefix)] = o.Scope
			for _, status := range []string{"403", "429"} {
				if o.Responses[status] == nil {
					t.Errorf("%s does not document %s", name, status)
				}
			}
		}
	}
	equal(t, "scopes", documented, keyScopes)
	for route, scope := range keyScopes {
		if !slices.Contains([]string{"chat", "documents", "ingest", "mcp"}, scope) {
			t.Errorf("%s asks for %q", route, scope)
		}
	}
}

// Every authenticated route is called with a key of every scope, and with one of each: a
// key can call only the routes of its scopes.
func TestAKeyOpensItsScopesAndNothingElse(t *testing.T) {
	b := setup(t)
	plenty := `,"per_minute":6000`
	all := b.newKey(t, `"chat","documents","ingest","mcp"`, plenty).Key
	single := map[string]string{}
	for _, scope := range []string{"chat", "documents", "ingest", "mcp"} {
		single[scope] = b.newKey(t, strconv.Quote(scope), plenty).Key
	}
	opened := 0
	for _, route := range b.walk(t) {
		if open[route.Path] {
			continue
		}
		name := route.Method + " " + strings.TrimPrefix(route.Path, transport.Prefix)
		path := filled(route, uuid.NewString())
		scope, admitted := keyScopes[name]
		if !admitted {
			if detail := wantDetail(t, b.do(t, route.Method, path, "", bearer(all)...), http.StatusUnauthorized); detail != noKeyHereText {
				t.Errorf("%s: %s", name, detail)
			}
			continue
		}
		opened++
		for owner, key := range single {
			r := b.do(t, route.Method, path, "", bearer(key)...)
			if refused := r.status == http.StatusForbidden; refused != (owner != scope) || r.status == http.StatusUnauthorized {
				t.Errorf("%s with a key of %s: %d %s", name, owner, r.status, r.body)
			}
			if r.header.Get("RateLimit-Policy") != "6000;w=60, 10000;w=86400" || r.header.Get("RateLimit-Remaining") == "" {
				t.Errorf("%s: quota %q, %q", name, r.header.Get("RateLimit-Policy"), r.header.Get("RateLimit-Remaining"))
			}
		}
	}
	equal(t, "routes that take keys", opened, len(keyScopes))
	// A key can do no more when its owner gets a higher role.
	_, err := b.DB.ChangeUser(t.Context(), b.user.ID, postgres.UserChange{Role: &guard.Roles[2]})
	ok(t, err)
	wantDetail(t, b.do(t, "GET", keysPath, "", bearer(all)...), http.StatusUnauthorized)
	wantDetail(t, b.do(t, "POST", transport.Prefix+"/auth/password", `{}`, bearer(all)...), http.StatusUnauthorized)
}

// Invented or altered keys are rejected.
func TestKeysThatAreMadeUp(t *testing.T) {
	b := setup(t)
	key := b.newKey(t, `"documents"`, "").Key
	for _, bad := range []string{"vig_", "vig_" + strings.Repeat("0", 49), key[:52], key + "x", strings.ToUpper(key), "VIG_" + key[4:], key[:52] + "\xff", "vig_" + strings.Repeat("a", 8<<10), key + ", " + key} {
		wantDetail(t, b.do(t, "GET", transport.Prefix+"/documents", "", bearer(bad)...), http.StatusUnauthorized)
	}
	equal(t, "blanks around it", b.do(t, "GET", transport.Prefix+"/documents", "", "Authorization", "bearer   "+key+" ").status, http.StatusOK)
	equal(t, "HEAD", b.do(t, "HEAD", transport.Prefix+"/documents", "", bearer(key)...).status, http.StatusOK)
}

// A quota holds over several servers.
func TestAKeysQuotaHoldsOverServers(t *testing.T) {
	b := setup(t)
	second := start(t, b.DB, sharedRedis.URL(), func(s *Server) { s.Keys = b.Keys })
	key := b.newKey(t, `"documents"`, `,"per_minute":5,"per_day":8`).Key
	var mu sync.Mutex
	seen := map[int]int{}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			r := []*bundle{b, second}[i%2].do(t, "GET", transport.Prefix+"/documents", "", bearer(key)...)
			mu.Lock()
			defer mu.Unlock()
			seen[r.status]++
			if r.status != http.StatusTooManyRequests {
				return
			}
			wantDetail(t, r, http.StatusTooManyRequests)
			wait, err := strconv.Atoi(r.header.Get("Retry-After"))
			if err != nil || wait < 1 || wait > 60 || r.header.Get("RateLimit-Remaining") != "0" || r.header.Get("RateLimit-Limit") != "5" || r.header.Get("RateLimit-Reset") == "" {
				t.Errorf("refused with %v", r.header)
			}
		})
	}
	all.Wait()
	equal(t, "answers", seen, map[int]int{200: 5, 429: 15})
	calls, _, err := b.DB.Audit(t.Context(), postgres.AuditQuery{Action: postgres.KeyCalled, Limit: 100})
	ok(t, err)
	equal(t, "lines of calls", len(calls), 5)
}

// If calls cannot be counted, keys are rejected; people are not.
func TestKeysAreClosedWithoutTheirCounts(t *testing.T) {
	away, err := ratelimit.Open("redis://127.0.0.1:1/0")
	ok(t, err)
	t.Cleanup(func() { ok(t, away.Close()) })
	b := setup(t, func(s *Server) { s.Keys = &ratelimit.Allowance{Store: away, Name: "x"} })
	key := b.newKey(t, `"documents"`, "").Key
	wantDetail(t, b.do(t, "GET", transport.Prefix+"/documents", "", bearer(key)...), http.StatusServiceUnavailable)
	equal(t, "a person", b.get(t, transport.Prefix+"/documents").status, http.StatusOK)
}

func TestAKeysStreamEndsWithIt(t *testing.T) {
	b := setup(t)
	file := b.addFile(t, "a1")
	for name, c := range map[string]struct{ method, path, body string }{
		"an answer": {"POST", transport.Prefix + "/chat-rag/stream", `{"question":"Combien de jours ?"}`},
		"a file":    {"GET", transport.Prefix + "/admin/ingestions/" + file.ID.String() + "/events", ""},
	} {
		t.Run(name, func(t *testing.T) {
			made, other := b.newKey(t, `"chat","ingest"`, ""), b.newKey(t, `"chat","ingest"`, "")
			l, lasting := b.listen(t, c.method, c.path, c.body, bearer(made.Key)...), b.listen(t, c.method, c.path, c.body, bearer(other.Key)...)
			equal(t, "quota of a stream", l.Header.Get("RateLimit-Remaining"), "59")
			equal(t, "revoke", b.do(t, "DELETE", keysPath+"/"+made.ID.String(), "", b.as(t, "admin")...).status, http.StatusNoContent)
			events, last := l.rest(t)
			if len(events) == 0 || last.kind != "error" || last.id != "" || last.data != `{"detail":"`+transport.RevokedText+`"}` {
				t.Errorf("events %v, last %+v", events, last)
			}
			_ = lasting.Body.Close()
			b.log.await(t, `"outcome":"gone"`)
		})
	}
}

// A key reads what was begun with it, and its account's person everything.
func TestAKeyReadsItsOwnConversations(t *testing.T) {
	b := setup(t)
	key, other := bearer(b.newKey(t, `"chat"`, "").Key), bearer(b.newKey(t, `"chat"`, "").Key)
	own, answer := b.answered(t, "Combien ?", "Dix.")
	l := b.listen(t, "POST", askPath, `{"question":"Par la clé ?"}`, key...)
	begun := l.Header.Get("X-Conversation-Id")
	_ = l.Body.Close()
	for _, c := range []struct {
		headers []string
		want    []string
	}{{nil, []string{begun, own.String()}}, {key, []string{begun}}, {other, []string{}}} {
		got := []string{}
		for _, item := range decode[respond.Listing[conversations.ConversationBody]](t, b.do(t, "GET", conversationsPath, "", c.headers...)).Items {
			got = append(got, item.ID.String())
		}
		equal(t, "conversations", got, c.want)
	}
	for _, path := range []string{conversationsPath + "/" + own.String(), conversationsPath + "/" + own.String() + "/export", askPath + "/" + answer.String()} {
		wantDetail(t, b.do(t, "GET", path, "", key...), http.StatusNotFound)
	}
	wantDetail(t, b.do(t, "POST", askPath, `{"question":"Et ?","conversation_id":"`+own.String()+`"}`, key...), http.StatusNotFound)
	wantDetail(t, b.do(t, "POST", askPath+"/"+answer.String()+"/cancel", "", key...), http.StatusNotFound)
	wantDetail(t, b.do(t, "POST", transport.Prefix+"/messages/"+answer.String()+"/feedback", `{"rating":"up"}`, key...), http.StatusNotFound)
	wantDetail(t, b.do(t, "GET", conversationsPath+"/"+begun, "", other...), http.StatusNotFound)
	equal(t, "its own", b.do(t, "GET", conversationsPath+"/"+begun, "", key...).status, http.StatusOK)
}

// Calls with a key are recorded with its name.
func TestAKeysCallsAreNoted(t *testing.T) {
	b := setup(t)
	made := b.newKey(t, `"documents"`, "")
	b.do(t, "GET", transport.Prefix+"/documents/"+uuid.NewString(), "", bearer(made.Key)...)
	b.do(t, "GET", transport.Prefix+"/conversations", "", bearer(made.Key)...)
	lines := decode[respond.Listing[admin.AuditEntryBody]](t, b.do(t, "GET", transport.Prefix+"/admin/audit?user="+b.user.ID.String(), "", b.as(t, "admin")...)).Items
	var told []string
	for _, l := range lines {
		if l.Action == postgres.Login {
			continue
		}
		if l.KeyID == nil || *l.KeyID != made.ID || l.KeyName == nil || *l.KeyName != "Intranet" {
			t.Errorf("%+v", l)
		}
		told = append(told, string(l.Action)+" "+l.Object)
	}
	equal(t, "lines", told, []string{"auth.refused GET " + transport.Prefix + "/conversations", "key.call GET " + transport.Prefix + "/documents/:id"})
	if csv := b.do(t, "GET", transport.Prefix+"/admin/audit?format=csv&action=key.call", "", b.as(t, "admin")...); !bytes.Contains(csv.body, []byte(";Intranet\n")) {
		t.Errorf("the export: %s", csv.body)
	}
}

// A key appears neither in the log nor in the audit log, whatever is done with it.
func TestAKeyIsWrittenNowhere(t *testing.T) {
	var mu sync.Mutex
	var log bytes.Buffer
	b := setup(t, func(s *Server) {
		s.Log = slog.New(slog.NewJSONHandler(writer(func(p []byte) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			return log.Write(p)
		}), &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	made := b.newKey(t, `"chat","documents"`, `,"per_minute":5`)
	for _, request := range []struct{ method, path, body string }{
		{"GET", transport.Prefix + "/documents", ""}, {"GET", transport.Prefix + "/documents/x", ""}, {"GET", keysPath, ""}, {"GET", transport.Prefix + "/admin/ingestions", ""},
		{"POST", transport.Prefix + "/chat-rag/stream", `{`}, {"GET", transport.Prefix + "/nulle-part", ""}, {"GET", transport.Prefix + "/documents", ""}, {"GET", transport.Prefix + "/documents", ""},
	} {
		b.do(t, request.method, request.path, request.body, bearer(made.Key)...)
	}
	b.do(t, "GET", transport.Prefix+"/documents", "", bearer(made.Key[:len(made.Key)-1])...)
	equal(t, "revoke", b.do(t, "DELETE", keysPath+"/"+made.ID.String(), "", b.as(t, "admin")...).status, http.StatusNoContent)
	b.do(t, "GET", transport.Prefix+"/documents", "", bearer(made.Key)...)
	b.client.CloseIdleConnections()
	b.stop()
	secret := made.Key[12:40]
	if bytes.Contains(log.Bytes(), []byte(secret)) {
		t.Errorf("the log: %s", log.Bytes())
	}
	if !bytes.Contains(log.Bytes(), []byte(made.ID.String())) {
		t.Error("the log does not name the key by its id")
	}
	lines, _, err := b.DB.Audit(t.Context(), postgres.AuditQuery{Limit: 1000})
	ok(t, err)
	for _, l := range lines {
		if strings.Contains(l.Object+string(l.Details), secret) {
			t.Errorf("the audit log holds it: %+v", l)
		}
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }
