package httpapi

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/transport"
)

// message returns a message of the Model Context Protocol.
func message(method, params string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":` + params + `}`
}

// protocol is the reply to a message.
type protocol struct {
	ID     int
	Result struct {
		IsError bool
		Content []struct{ Text string }
		Tools   []struct{ Name string }
	}
	Error *struct {
		Code    int
		Message string
	}
}

func (b *bundle) exchangeMessage(t *testing.T, key, body string, headers ...string) reply {
	t.Helper()
	return b.do(t, "POST", "/mcp", body, append(bearer(key), headers...)...)
}

// A key of the scope opens the protocol; each message is a call of the key.
func TestProgramsReadTheCatalogue(t *testing.T) {
	b := setup(t)
	key := b.newKey(t, `"mcp"`, `,"per_minute":50`).Key
	r := b.exchangeMessage(t, key, message("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"essai","version":"1"}}`))
	if r.status != http.StatusOK || !strings.Contains(string(r.body), `"name":"vigueur"`) {
		t.Fatalf("%d %s", r.status, r.body)
	}
	if r = b.exchangeMessage(t, key, `{"jsonrpc":"2.0","method":"notifications/initialized"}`); r.status != http.StatusAccepted || len(r.body) > 0 {
		t.Errorf("a notification: %d %s", r.status, r.body)
	}
	if got := decode[protocol](t, b.exchangeMessage(t, key, message("tools/list", `{}`))); got.ID != 7 || len(got.Result.Tools) != 8 {
		t.Errorf("tools: %+v", got)
	}
	got := decode[protocol](t, b.exchangeMessage(t, key, message("tools/call", `{"name":"coverage","arguments":{}}`)))
	if got.Result.IsError || len(got.Result.Content) != 1 || !strings.Contains(got.Result.Content[0].Text, `"texts":0`) {
		t.Errorf("coverage: %+v", got)
	}
	calls, _, err := b.DB.Audit(t.Context(), postgres.AuditQuery{Action: postgres.KeyCalled, Limit: 100})
	ok(t, err)
	equal(t, "lines of calls", len(calls), 4)
	if calls[0].Object != "POST /mcp" {
		t.Errorf("the log names %q", calls[0].Object)
	}
	wantDetail(t, b.do(t, "GET", "/mcp", "", bearer(key)...), http.StatusMethodNotAllowed)
}

// A text is checked as its own route does, in turn with it.
func TestProgramsCheckATextInTurn(t *testing.T) {
	b := setup(t)
	key := b.newKey(t, `"mcp"`, "").Key
	call := message("tools/call", `{"name":"verify","arguments":{"text":"Vu la loi n° 1999-01."}}`)
	var held []func()
	for range catalogue.DrawMost {
		release, err := b.catalogue.Checks.Take(t.Context(), transport.Turn{Who: uuid.NewString(), Most: transport.Usual, Each: 1, Patience: transport.Brief})
		ok(t, err)
		held = append(held, release)
	}
	replies := make(chan reply, 1)
	go func() { replies <- b.exchangeMessage(t, key, call) }()
	got := decode[protocol](t, b.exchangeMessage(t, key, message("tools/call", `{"name":"coverage","arguments":{}}`)))
	if got.Result.IsError {
		t.Errorf("another tool waits too: %+v", got)
	}
	select {
	case r := <-replies:
		t.Errorf("it does not wait for its turn: %s", r.body)
	default:
	}
	for _, release := range held {
		release()
	}
	if got := decode[protocol](t, <-replies); got.Result.IsError || len(got.Result.Content) != 1 || !strings.Contains(got.Result.Content[0].Text, `"state":"absent"`) {
		t.Errorf("%+v", got)
	}
}

// Whatever is wrong is told in French.
func TestProgramsAreRefused(t *testing.T) {
	b := setup(t)
	key := b.newKey(t, `"mcp"`, "").Key
	for body, want := range map[string]string{
		`[]`:                              "Un message à la fois",
		`[` + message("ping", `{}`) + `]`: "Un message à la fois",
		`{}`:                              "JSON-RPC 2.0",
		`{"jsonrpc":"1.0"}`:               "JSON-RPC 2.0",
		`"a"`:                             "JSON-RPC 2.0",
		`nonsense`:                        "JSON-RPC 2.0",
		message("drop/everything", `{}`):  "« drop/everything » n’est pas admis",
		`{"jsonrpc":"2.0","method":"tools/call"}`: "« tools/call » n’est pas admis",
	} {
		if detail := wantDetail(t, b.exchangeMessage(t, key, body), http.StatusBadRequest); !strings.Contains(detail, want) {
			t.Errorf("%s: %s", body, detail)
		}
	}
	r := b.exchangeMessage(t, key, message("ping", `{}`), "Mcp-Protocol-Version", "1999-01-01")
	if got := decode[protocol](t, r); r.status != http.StatusBadRequest || got.Error == nil || got.Error.Code != -32022 || !strings.Contains(got.Error.Message, "Versions admises : ") {
		t.Errorf("an unknown version: %d %s", r.status, r.body)
	}
	got := decode[protocol](t, b.exchangeMessage(t, key, message("tools/call", `{"name":"erase","arguments":{}}`)))
	if got.Error == nil || !strings.Contains(got.Error.Message, "désigne n’existe pas") {
		t.Errorf("an unknown tool: %+v", got)
	}
	for _, params := range []string{`[1]`, `"a"`, `3`, `{"name":3}`} {
		r := b.exchangeMessage(t, key, message("tools/call", params))
		if got := decode[protocol](t, r); got.Error == nil || got.Error.Code != -32602 || !strings.HasSuffix(got.Error.Message, "ses paramètres ne sont pas valables.") {
			t.Errorf("params %s: %d %s", params, r.status, r.body)
		}
	}
	got = decode[protocol](t, b.exchangeMessage(t, key, message("tools/call", `{"name":"search_articles","arguments":{"query":3}}`)))
	if !got.Result.IsError || !strings.Contains(got.Result.Content[0].Text, "« query » n’est pas du type attendu") {
		t.Errorf("wrong arguments: %+v", got)
	}
	wantDetail(t, b.exchangeMessage(t, key, message("ping", `{"x":"`+strings.Repeat("a", transport.BodyLimit)+`"}`)), http.StatusRequestEntityTooLarge)
	wantDetail(t, b.exchangeMessage(t, b.newKey(t, `"chat"`, "").Key, message("ping", `{}`)), http.StatusForbidden)
}

// answerNext does a worker's work on the answer that was asked for last.
func (b *bundle) answerNext(t *testing.T, o postgres.Outcome) uuid.UUID {
	t.Helper()
	hint := <-b.hints
	w, err := b.DB.StartAnswer(t.Context(), hint)
	ok(t, err)
	_, err = b.DB.FinishAnswer(t.Context(), w.ID, w.Attempt, o)
	ok(t, err)
	return w.ID
}

// A question is answered in its call, for the key's account.
func TestProgramsAsk(t *testing.T) {
	b := setup(t)
	key := b.newKey(t, `"mcp"`, "").Key
	replies := make(chan reply, 1)
	ask := message("tools/call", `{"name":"ask","arguments":{"question":"Combien ?"}}`)
	for _, c := range []struct {
		outcome postgres.Outcome
		want    string
		refused bool
	}{
		{postgres.Outcome{State: chat.Done, Content: "Dix jours."}, "Dix jours.", false},
		{postgres.Outcome{State: chat.Failed, Error: "Les modèles ne répondent pas."}, "Les modèles ne répondent pas.", true},
	} {
		go func() { replies <- b.exchangeMessage(t, key, ask) }()
		id := b.answerNext(t, c.outcome)
		r := <-replies
		if got := decode[protocol](t, r); got.Result.IsError != c.refused || len(got.Result.Content) != 1 || !strings.Contains(got.Result.Content[0].Text, c.want) {
			t.Errorf("%d %s", r.status, r.body)
		}
		_, err := b.DB.Answer(t.Context(), b.user.ID, id)
		ok(t, err)
	}
}

// A question whose client leaves is stopped.
func TestProgramsLeave(t *testing.T) {
	b := slowToStop(t)
	key := b.newKey(t, `"mcp"`, "").Key
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	ok(t, err)
	body := message("tools/call", `{"name":"ask","arguments":{"question":"Combien ?"}}`)
	_, err = fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", key, len(body), body)
	ok(t, err)
	id := <-b.hints
	ok(t, conn.Close())
	b.awaitCancel(t, id)
}

// slowToStop is setup with a store that takes longer to stop an answer than a stream waits for a row.
func slowToStop(t *testing.T) *bundle {
	t.Helper()
	t.Parallel()
	url := pgtest.NewURL(t)
	pgtest.Exec(t, url, fmt.Sprintf(`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(%f); RETURN new; END $$;
		CREATE TRIGGER slow BEFORE UPDATE OF cancel_requested ON messages FOR EACH ROW EXECUTE FUNCTION slow()`, (transport.RowTimeout+time.Second/2).Seconds()))
	db, err := postgres.Open(t.Context(), url)
	ok(t, err)
	t.Cleanup(db.Close)
	return start(t, db, sharedRedis.URL())
}

// awaitCancel waits until an answer is to be stopped, or was while nobody wrote it.
func (b *bundle) awaitCancel(t *testing.T, id uuid.UUID) {
	t.Helper()
	for {
		w, err := b.DB.StartAnswer(t.Context(), id)
		if errs.Is(err, errs.LeaseLost) {
			m, err := b.DB.Answer(t.Context(), b.user.ID, id)
			ok(t, err)
			if m.State == chat.Cancelled {
				return
			}
			continue // whoever stops it holds the row at this moment
		}
		ok(t, err)
		if w.Cancel {
			return
		}
		ok(t, b.DB.ReleaseAnswer(t.Context(), w.ID, w.Attempt))
	}
}
