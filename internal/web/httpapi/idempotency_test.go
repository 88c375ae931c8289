package httpapi

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/respond"
)

func (b *bundle) conversationsOf(t *testing.T) int {
	t.Helper()
	return len(decode[respond.Listing[conversations.ConversationBody]](t, b.get(t, conversationsPath)).Items)
}

// A repeated question gets the same answer, while it is written and afterwards.
func TestAQuestionIsAskedOnce(t *testing.T) {
	b := setup(t)
	ask := func(body string, headers ...string) *listener {
		t.Helper()
		return b.listen(t, "POST", askPath, body, headers...)
	}
	const name = "7f3f5d0c-98a7-4f0b-9d53-1d4b5a4a7c11"
	first := ask(`{"question":"Combien de jours ?","model":"extractif"}`, onceHeader, name)
	id := first.Header.Get("X-Message-Id")
	equal(t, "the first", first.Header.Get(replayedHeader), "")
	// White space, the order of fields and the draft's syntax of the key make no
	// difference.
	second := ask(` {"model":"extractif", "question":"Combien de jours ?"}`, onceHeader, `"`+name+`"`)
	equal(t, "again", []string{second.Header.Get("X-Message-Id"), second.Header.Get(replayedHeader), second.Header.Get("X-Conversation-Id")},
		[]string{id, "true", first.Header.Get("X-Conversation-Id")})
	work := b.takeUp(t, uuid.MustParse(id))
	work.finish(chat.Done, "Dix jours [1].", []int{14})
	third := ask(`{"question":"Combien de jours ?","model":"extractif"}`, onceHeader, name)
	equal(t, "after its end", third.Header.Get("X-Message-Id"), id)
	for _, l := range []*listener{first, second, third} {
		if _, last := l.rest(t); last.kind != "final" {
			t.Errorf("a stream ends with %+v", last)
		}
	}
	equal(t, "another question", found(t, b.do(t, "POST", askPath, `{"question":"Combien de mois ?"}`, onceHeader, name)), []string{"value_error header.Idempotency-Key"})
	equal(t, "conversations", b.conversationsOf(t), 1)
	// Another user's request with the same key is another request.
	other := b.tokenOf(t, b.addUser(t, "eve@example.org"))
	foreign := ask(`{"question":"Combien de jours ?","model":"extractif"}`, onceHeader, name, "Authorization", "Bearer "+other)
	if foreign.Header.Get("X-Message-Id") == id || foreign.Header.Get(replayedHeader) != "" {
		t.Error("somebody was given another's answer")
	}
	// The question of a deleted conversation is not asked again.
	equal(t, "delete", b.do(t, "DELETE", conversationsPath+"/"+first.Header.Get("X-Conversation-Id"), "").status, http.StatusNoContent)
	wantDetail(t, b.do(t, "POST", askPath, `{"question":"Combien de jours ?","model":"extractif"}`, onceHeader, name), http.StatusNotFound)
	equal(t, "conversations left", b.conversationsOf(t), 0)
}

// If many copies of a request are sent concurrently, one is executed, and all get its
// result.
func TestACrowdOfTheSameQuestion(t *testing.T) {
	b := setup(t)
	second := start(t, b.DB, sharedRedis.URL())
	var mu sync.Mutex
	ids := map[string]int{}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			r := []*bundle{b, second}[i%2].send(t, "POST", askPath, `{"question":"Combien ?"}`, onceHeader, "une-fois")
			defer r.Body.Close()
			mu.Lock()
			defer mu.Unlock()
			ids[r.Header.Get("X-Message-Id")]++
		})
	}
	all.Wait()
	if len(ids) != 1 || ids[""] > 0 {
		t.Errorf("answers: %v", ids)
	}
	equal(t, "conversations", b.conversationsOf(t), 1)
}

// A rejected request leaves nothing behind: it may be repeated.
func TestARefusedQuestionLeavesNoTrace(t *testing.T) {
	b := setup(t, func(s *Server) { s.Backlog = postgres.Backlog{Rows: 1} })
	running := b.listen(t, "POST", askPath, `{"question":"La première ?"}`)
	once := []string{onceHeader, "deuxieme"}
	body := `{"question":"Et ensuite ?","conversation_id":"` + running.Header.Get("X-Conversation-Id") + `"}`
	refused := b.do(t, "POST", askPath, body, once...)
	if refused.status != http.StatusServiceUnavailable && refused.status != http.StatusConflict {
		t.Fatalf("%d %s", refused.status, refused.body)
	}
	b.takeUp(t, uuid.MustParse(running.Header.Get("X-Message-Id"))).finish(chat.Done, "Oui.", []int{4})
	running.rest(t)
	l := b.listen(t, "POST", askPath, body, once...)
	equal(t, "it is new", l.Header.Get(replayedHeader), "")
	equal(t, "faults leave none either", found(t, b.do(t, "POST", askPath, `{}`, onceHeader, "troisieme")), []string{"missing body.question"})
}

func TestAnInquiryIsTakenOnce(t *testing.T) {
	b := setup(t)
	send := func(source, name, body string) reply {
		return b.do(t, "POST", inquiryPath, body, "Authorization", "", "X-Forwarded-For", source, onceHeader, name)
	}
	first := send("203.0.113.7", "a", inquiry(nil))
	equal(t, "taken", []any{first.status, quotaOf(first)}, []any{201, [3]string{"5", "4", "3600"}})
	for range 6 { // more than the limit of inquiries
		again := send("203.0.113.7", "a", inquiry(nil))
		equal(t, "again", []any{again.status, string(again.body), again.header.Get(replayedHeader), again.header.Get("RateLimit-Remaining")}, []any{201, string(first.body), "true", "4"})
	}
	equal(t, "another", found(t, send("203.0.113.7", "a", inquiry(map[string]any{"company": "Autre"}))), []string{"value_error header.Idempotency-Key"})
	if elsewhere := send("203.0.113.8", "a", inquiry(nil)); elsewhere.status != 201 || bytes.Equal(elsewhere.body, first.body) {
		t.Errorf("from another network: %d %s", elsewhere.status, elsewhere.body)
	}
	for _, name := range []string{"b", "c", "d", "e"} {
		equal(t, name, send("203.0.113.7", name, inquiry(nil)).status, 201)
	}
	wantDetail(t, send("203.0.113.7", "f", inquiry(nil)), http.StatusTooManyRequests)
	again := send("203.0.113.7", "a", inquiry(nil))
	equal(t, "beyond the limit", []any{again.status, string(again.body), again.header.Get("RateLimit-Remaining")}, []any{201, string(first.body), "0"})
	equal(t, "the one refused is not known", send("203.0.113.9", "f", inquiry(nil)).header.Get(replayedHeader), "")
}

func TestAFileIsTakenOnce(t *testing.T) {
	b := setup(t)
	send := func(name string, file []byte, fields ...string) reply {
		body, kind := makeForm(t, file, "jo.pdf", fields...)
		return b.do(t, "POST", uploadRoute, body, append(b.as(t, "editor"), "Content-Type", kind, onceHeader, name)...)
	}
	first := send("a", pdf, "title", "Loi")
	equal(t, "taken", first.status, http.StatusAccepted)
	again := send("a", pdf, "title", " Loi ")
	equal(t, "again", []any{again.status, string(again.body), again.header.Get(replayedHeader)}, []any{202, string(first.body), "true"})
	equal(t, "said otherwise", found(t, send("a", pdf, "title", "Décret")), []string{"value_error header.Idempotency-Key"})
	equal(t, "other bytes", found(t, send("a", append(bytes.Clone(pdf), '\n'), "title", "Loi")), []string{"value_error header.Idempotency-Key"})
	equal(t, "another name", send("b", pdf, "title", "Loi").status, http.StatusConflict)
	equal(t, "which is not known by it", send("b", pdf, "title", "Loi").status, http.StatusConflict)
	asAdmin := b.as(t, "admin")
	body, kind := makeForm(t, pdf, "jo.pdf", "title", "Loi")
	equal(t, "another's", b.do(t, "POST", uploadRoute, body, append(asAdmin, "Content-Type", kind, onceHeader, "a")...).status, http.StatusConflict)
}

// Many concurrent copies of an upload add one row, and all get its id.
func TestACrowdOfTheSameFile(t *testing.T) {
	b := setup(t)
	body, kind := makeForm(t, pdf, "jo.pdf")
	headers := append(b.as(t, "editor"), "Content-Type", kind, onceHeader, "une-fois")
	var mu sync.Mutex
	seen := map[string]int{}
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			r := b.do(t, "POST", uploadRoute, body, headers...)
			mu.Lock()
			defer mu.Unlock()
			seen[string(r.body)]++
			if r.status != http.StatusAccepted {
				t.Errorf("%d %s", r.status, r.body)
			}
		})
	}
	all.Wait()
	equal(t, "answers", len(seen), 1)
}

func TestNamesThatARequestCannotHave(t *testing.T) {
	b := setup(t)
	good := inquiry(nil)
	send := func(lines string) reply {
		t.Helper()
		return b.raw(t, fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s", inquiryPath, len(good), lines, good))
	}
	for _, name := range []string{" ", "a b", `"a`, `a"`, `""`, `"a\"b"`, `"é"`, "é", strings.Repeat("a", 256), `"` + strings.Repeat("a", 256) + `"`, "a,b", "\xff"} {
		wantDetail(t, send("Idempotency-Key: "+name+"\r\n"), http.StatusBadRequest)
	}
	wantDetail(t, send("Idempotency-Key: a\r\nIdempotency-Key: b\r\n"), http.StatusBadRequest)
	for i, name := range []string{"a", strings.Repeat("a", 255), `"a b ; c"`, uuid.NewString(), "YWJj+/=="} {
		r := b.do(t, "POST", inquiryPath, good, "Authorization", "", onceHeader, name, "X-Forwarded-For", fmt.Sprintf("198.51.100.%d", i))
		equal(t, name, []any{r.status, r.header.Get(replayedHeader)}, []any{201, ""})
	}
}
