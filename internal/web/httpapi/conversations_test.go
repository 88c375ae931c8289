package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/transport"
)

// conversationsPath is the path of conversations.
const conversationsPath = transport.Prefix + "/conversations"

// answered adds a conversation of one question with its stored answer.
func (b *bundle) answered(t *testing.T, question, answer string) (conversation, message uuid.UUID) {
	t.Helper()
	conversation, message, err := b.DB.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user.ID, Question: question, Model: "extractif"})
	ok(t, err)
	b.takeUp(t, message).finish(chat.Done, answer, []int{len(answer)})
	return conversation, message
}

func TestConversationsAreSearched(t *testing.T) {
	b := setup(t)
	b.answered(t, "Quel préavis ?", "Un mois, à 100% [1].")
	b.answered(t, "Quels congés ?", "Dix jours.")
	for q, want := range map[string][]string{
		"PREAVIS": {"Quel préavis ?"}, "jours": {"Quels congés ?"}, "%": {"Quel préavis ?"}, "_": {}, "quel": {"Quels congés ?", "Quel préavis ?"},
		" ": {"Quels congés ?", "Quel préavis ?"}, "＼": {}, strings.Repeat("a", 5000): {},
	} {
		body := decode[struct {
			Items []conversations.ConversationBody
		}](t, b.get(t, conversationsPath+"?q="+url.QueryEscape(q)))
		titles := []string{}
		for _, c := range body.Items {
			titles = append(titles, c.Title)
		}
		equal(t, q, titles, want)
	}
	first := decode[struct {
		Items []conversations.ConversationBody
		Next  *string `json:"next_before"`
	}](t, b.get(t, conversationsPath+"?q=quel&limit=1"))
	if first.Next == nil {
		t.Fatal("no cursor to the second page of a search")
	}
	equal(t, "the second page", strings.Count(string(b.get(t, conversationsPath+"?q=quel&limit=1&before="+url.QueryEscape(*first.Next)).body), `"Quel préavis ?"`), 1)
	for q, want := range map[string]string{"%00": "value_error query.q", "%ff": "value_error query.q", "a%ed%a0%80": "value_error query.q"} {
		equal(t, q, found(t, b.get(t, conversationsPath+"?q="+q)), []string{want})
	}
	equal(t, "all faults", found(t, b.get(t, conversationsPath+"?q=%00&limit=0")), []string{"greater_than_equal query.limit", "value_error query.q"})
	equal(t, "a wrong escape is a text", b.get(t, conversationsPath+"?q=%25zz").status, http.StatusOK)
}

func TestAConversationIsRenamed(t *testing.T) {
	b := setup(t)
	id, _ := b.answered(t, "Un ?", "Oui.")
	path := conversationsPath + "/" + id.String()
	rename := func(body string) reply { t.Helper(); return b.do(t, "PATCH", path, body) }
	for title, want := range map[string]string{
		"x": "x", "  deux  mots\n": "deux  mots", strings.Repeat("é", 255): strings.Repeat("é", 255),
		strings.Repeat("👩", 255): strings.Repeat("👩", 255), strings.Repeat("e\u0301", 127): strings.Repeat("e\u0301", 127),
		" " + strings.Repeat("a", 255) + " ": strings.Repeat("a", 255),
	} {
		raw, err := json.Marshal(map[string]string{"title": title})
		ok(t, err)
		r := rename(string(raw))
		equal(t, "title", decode[conversations.ConversationBody](t, r).Title, want)
		equal(t, "status", r.status, http.StatusOK)
		if !equalKeys(keys(t, r.body), set("id", "title", "domaine", "domain", "model", "message_count", "last_message_at", "created_at")) {
			t.Errorf("conversation %s", r.body)
		}
	}
	equal(t, "stored", decode[conversations.WholeBody](t, b.get(t, path)).Conversation.MessageCount, 2)
	equal(t, "of a field twice the last", decode[conversations.ConversationBody](t, rename(`{"title":"un","title":"deux","other":1e400}`)).Title, "deux")
	long := strings.Repeat("x", 256)
	for body, want := range map[string]string{
		`{}`: "missing body.title", `{"title":null}`: "string_type body.title", `{"title":""}`: "string_too_short body.title",
		`{"title":" \u00a0 "}`: "string_too_short body.title", `{"title":"` + long + `"}`: "string_too_long body.title",
		`{"title":"` + strings.Repeat("👩", 256) + `"}`: "string_too_long body.title", `{"title":"` + strings.Repeat("e\u0301", 128) + `"}`: "string_too_long body.title",
		`{"title":["a"]}`: "string_type body.title", `{"title":1e400}`: "string_type body.title", `{"title":"a\u0000b"}`: "value_error body.title",
		`{"title":"\ud83d"}`: "value_error body.title", "{\"title\":\"\xff\"}": "json_invalid body.10", `[]`: "dict_type body", `null`: "missing body", `"x"`: "dict_type body",
		`{"title":"a"`: "json_invalid body.11", `{"title":` + strings.Repeat("[", 10_001): "json_invalid body.10009",
	} {
		got := found(t, rename(body))
		if len(got) != 1 || got[0] != want && !strings.HasPrefix(want, "json_invalid") || !strings.HasPrefix(got[0], strings.Fields(want)[0]) {
			t.Errorf("%.40q: %v, want %s", body, got, want)
		}
	}
	equal(t, "faults of address and body", found(t, b.do(t, "PATCH", conversationsPath+"/x", `{}`)), []string{"uuid_parsing path.id", "missing body.title"})
	wantDetail(t, b.do(t, "PATCH", path, `{"title":"a"}`, "Content-Type", "text/plain"), http.StatusUnsupportedMediaType)
	wantDetail(t, b.do(t, "PATCH", path, `{"title":"`+strings.Repeat("a", transport.BodyLimit)+`"}`), http.StatusRequestEntityTooLarge)
	wantDetail(t, b.do(t, "PATCH", conversationsPath+"/"+uuid.NewString(), `{"title":"a"}`), http.StatusNotFound)
}

// If the conversation of a running answer is deleted, its reader gets one event at once,
// and its worker is stopped.
func TestAConversationIsDeletedWithItsRunningAnswer(t *testing.T) {
	b := setup(t)
	other := start(t, b.DB, sharedRedis.URL()) // another process
	l := b.listen(t, "POST", askPath, `{"question":"Combien ?"}`)
	id := b.hinted(t)
	path := conversationsPath + "/" + l.Header.Get("X-Conversation-Id")
	w := b.takeUp(t, id)
	p := b.Relay.Publisher(t.Context(), id, w.Attempt)
	p.Text(t.Context(), "Dix")
	p.Flush(t.Context())
	_, err := l.next()
	ok(t, err)
	stopped := make(chan struct{})
	go b.Relay.WatchCancel(t.Context(), id, func() { close(stopped) })

	r := other.do(t, "DELETE", path, "")
	if r.status != http.StatusNoContent || len(r.body) != 0 {
		t.Errorf("%d %s", r.status, r.body)
	}
	<-stopped
	p.Text(t.Context(), " jours") // written before the worker notices
	p.Flush(t.Context())
	events, last := l.rest(t)
	ends := 0
	for _, e := range events {
		if strings.HasSuffix(e, " error") || strings.HasSuffix(e, " final") {
			ends++
		}
	}
	if ends != 1 || last.kind != "error" || last.data != `{"detail":"`+deletedText+`"}` {
		t.Errorf("events %v, last %+v", events, last)
	}
	for _, gone := range []reply{
		b.do(t, "DELETE", path, ""), b.get(t, path), b.get(t, path+"/export"), b.get(t, askPath+"/"+id.String()),
		b.do(t, "POST", askPath+"/"+id.String()+"/cancel", ""), b.do(t, "POST", transport.Prefix+"/messages/"+id.String()+"/feedback", `{"rating":"up"}`),
		b.do(t, "PATCH", path, `{"title":"a"}`),
		b.do(t, "POST", askPath, fmt.Sprintf(`{"question":"Et ?","conversation_id":%q}`, l.Header.Get("X-Conversation-Id"))),
	} {
		wantDetail(t, gone, http.StatusNotFound)
	}
	equal(t, "id", found(t, b.do(t, "DELETE", conversationsPath+"/x", "")), []string{"uuid_parsing path.id"})
}

func TestAQuestionNobodyTookUpIsDeleted(t *testing.T) {
	b := setup(t)
	l := b.listen(t, "POST", askPath, `{"question":"Combien ?"}`)
	equal(t, "deleted", b.do(t, "DELETE", conversationsPath+"/"+l.Header.Get("X-Conversation-Id"), "").status, http.StatusNoContent)
	events, _ := l.rest(t)
	equal(t, "events", events, []string{"1 error"})
}

// The end, a cancellation and a deletion run concurrently: the reader gets one end.
func TestDeletingCancellingAndFinishingAtOnce(t *testing.T) {
	b := setup(t)
	for range 8 {
		l := b.listen(t, "POST", askPath, `{"question":"Combien ?"}`)
		id := b.hinted(t)
		w := b.takeUp(t, id)
		var together sync.WaitGroup
		together.Go(func() {
			p := b.Relay.Publisher(t.Context(), id, w.Attempt)
			p.Text(t.Context(), "Dix")
			ends := p.ChunkEnds(t.Context())
			m, err := b.DB.FinishAnswer(t.Context(), id, w.Attempt, postgres.Outcome{State: chat.Done, Content: "Dix", ChunkEnds: ends})
			if err == nil {
				kind, data := chat.End(m)
				p.End(t.Context(), kind, data)
			}
		})
		together.Go(func() {
			if r := b.do(t, "POST", askPath+"/"+id.String()+"/cancel", ""); r.status != http.StatusAccepted && r.status != http.StatusNotFound {
				t.Errorf("cancel: %d %s", r.status, r.body)
			}
		})
		together.Go(func() {
			equal(t, "delete", b.do(t, "DELETE", conversationsPath+"/"+l.Header.Get("X-Conversation-Id"), "").status, http.StatusNoContent)
		})
		together.Wait()
		events, last := l.rest(t)
		all := strings.Join(events, ",") + ","
		if n := strings.Count(all, " final,") + strings.Count(all, " error,"); n != 1 || last.kind != "final" && last.kind != "error" {
			t.Fatalf("events %v", events)
		}
		wantDetail(t, b.get(t, askPath+"/"+id.String()), http.StatusNotFound)
	}
}

func TestAConversationIsExported(t *testing.T) {
	b := setup(t)
	id, _ := b.answered(t, `Combien de "jours"/an, à l’été ?`, "Dix [1].")
	path := conversationsPath + "/" + id.String() + "/export"
	for query, want := range map[string][3]string{
		"":             {"md", "text/markdown; charset=utf-8", "# Combien de"},
		"?format=md":   {"md", "text/markdown; charset=utf-8", `- \[1\] Code, article 12, page 3`},
		"?format=json": {"json", "application/json", `"citations": [`},
	} {
		r := b.get(t, path+query)
		equal(t, "status", r.status, http.StatusOK)
		equal(t, "type", r.header.Get("Content-Type"), want[1])
		equal(t, "name", r.header.Get("Content-Disposition"), fmt.Sprintf(
			`attachment; filename="Combien de -jours--an, _ l__t_ -.%[1]s"; filename*=UTF-8''Combien%%20de%%20-jours--an%%2C%%20%%C3%%A0%%20l%%E2%%80%%99%%C3%%A9t%%C3%%A9%%20-.%[1]s`, want[0]))
		if !strings.Contains(string(r.body), want[2]) {
			t.Errorf("%s: %s", query, r.body)
		}
	}
	exported, shown := decode[conversations.WholeBody](t, b.get(t, path+"?format=json")), decode[conversations.WholeBody](t, b.get(t, conversationsPath+"/"+id.String()))
	equal(t, "the file and the detail", exported, shown)
	equal(t, "citations", len(exported.Messages[1].Citations), 1)
	equal(t, "HEAD", b.do(t, "HEAD", path, "").status, http.StatusOK)

	equal(t, "format", found(t, b.get(t, path+"?format=odt")), []string{"enum query.format"})
	equal(t, "no format", found(t, b.get(t, path+"?format=")), []string{"enum query.format"})
	equal(t, "both", found(t, b.get(t, conversationsPath+"/x/export?format=odt")), []string{"uuid_parsing path.id", "enum query.format"})
	wantDetail(t, b.get(t, conversationsPath+"/"+uuid.NewString()+"/export"), http.StatusNotFound)
	_, err := b.DB.RenameConversation(t.Context(), b.user.ID, id, "../\u202ea\r\nX: \"b\"")
	ok(t, err)
	equal(t, "a name that means harm", b.get(t, path).header.Get("Content-Disposition"), `attachment; filename="-a X- -b-.md"; filename*=UTF-8''-a%20X-%20-b-.md`)
}

func TestFeedback(t *testing.T) {
	b := setup(t)
	conversation, id := b.answered(t, "Combien ?", "Dix.")
	path := transport.Prefix + "/messages/" + id.String() + "/feedback"
	give := func(body string) reply { t.Helper(); return b.do(t, "POST", path, body) }
	for _, body := range []string{
		`{"rating":"up"}`, `{"rating":"down","comment":null}`, `{"rating":"up","comment":""}`, `{"rating":"up","comment":" ` + strings.Repeat("👩", 2000) + ` "}`,
		`{"rating":"down","rating":"up","x":[]}`,
	} {
		if r := give(body); r.status != http.StatusNoContent || len(r.body) != 0 {
			t.Errorf("%.40s: %d %s", body, r.status, r.body)
		}
	}
	for body, want := range map[string][]string{
		`{}`: {"missing body.rating"}, `{"rating":null}`: {"enum body.rating"}, `{"rating":"UP"}`: {"enum body.rating"}, `{"rating":["up"]}`: {"enum body.rating"}, `{"rating":1e400}`: {"enum body.rating"},
		`{"rating":"up","comment":"` + strings.Repeat("👩", 2001) + `"}`: {"string_too_long body.comment"}, `{"rating":"up","comment":5}`: {"string_type body.comment"},
		`{"rating":"","comment":"\u0000"}`: {"enum body.rating", "value_error body.comment"}, `{"rating":"up","comment":"\udc00"}`: {"value_error body.comment"},
		`[]`: {"dict_type body"}, `null`: {"missing body"}, ``: nil,
	} {
		if want == nil {
			wantDetail(t, give(body), http.StatusUnsupportedMediaType)
			continue
		}
		equal(t, body[:min(len(body), 40)], found(t, give(body)), want)
	}
	_, messages, err := b.DB.Conversation(t.Context(), b.user.ID, conversation)
	ok(t, err)
	for _, other := range []uuid.UUID{messages[0].ID, conversation, uuid.New()} {
		wantDetail(t, b.do(t, "POST", transport.Prefix+"/messages/"+other.String()+"/feedback", `{"rating":"up"}`), http.StatusNotFound)
	}
	equal(t, "faults of address and body", found(t, b.do(t, "POST", transport.Prefix+"/messages/x/feedback", `{}`)), []string{"uuid_parsing path.id", "missing body.rating"})
}
