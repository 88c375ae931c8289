package httpapi

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/work/queue/redistest"
)

// streamed is one event; a comment or a retry is in line.
type streamed struct {
	id, kind, data, line string
}

// listener reads an event stream.
type listener struct {
	*http.Response
	lines *bufio.Reader
}

func (b *bundle) listen(t *testing.T, method, path, body string, headers ...string) *listener {
	t.Helper()
	r := b.send(t, method, path, body, headers...)
	t.Cleanup(func() { _ = r.Body.Close() })
	if r.StatusCode != http.StatusOK {
		read, _ := io.ReadAll(r.Body)
		t.Fatalf("%s %s: %d %s", method, path, r.StatusCode, read)
	}
	return &listener{r, bufio.NewReader(r.Body)}
}

// next reads one event; io.EOF at the end of the stream.
func (l *listener) next() (e streamed, err error) {
	for {
		line, err := l.lines.ReadString('\n')
		if err != nil {
			return e, err
		}
		switch name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); name {
		case "id":
			e.id = value
		case "event":
			e.kind = value
		case "data":
			e.data = value
		case "":
			if e != (streamed{}) {
				return e, nil
			}
		default:
			e.line = line
		}
	}
}

// rest reads to the end of the stream and returns "id kind" of each event.
func (l *listener) rest(t *testing.T) (list []string, last streamed) {
	t.Helper()
	list = []string{}
	for {
		e, err := l.next()
		if errors.Is(err, io.EOF) {
			return list, last
		}
		ok(t, err)
		list = append(list, e.id+" "+e.kind)
		last = e
	}
}

// worker writes an answer in these tests.
type worker struct {
	t  *testing.T
	b  *bundle
	id uuid.UUID
	postgres.Work
}

func (b *bundle) takeUp(t *testing.T, id uuid.UUID) *worker {
	t.Helper()
	w, err := b.DB.StartAnswer(t.Context(), id)
	ok(t, err)
	return &worker{t, b, id, w}
}

// write streams the parts as one chunk each and stores the answer.
func (w *worker) write(state chat.State, parts ...string) {
	w.t.Helper()
	p := w.b.Relay.Publisher(w.t.Context(), w.id, w.Attempt)
	for _, part := range parts {
		p.Text(w.t.Context(), part)
		p.Flush(w.t.Context())
	}
	w.finish(state, strings.Join(parts, ""), p.ChunkEnds(w.t.Context()))
	m, err := w.b.DB.Answer(w.t.Context(), w.b.user.ID, w.id)
	ok(w.t, err)
	kind, data := chat.End(m)
	p.End(w.t.Context(), kind, data)
}

// keep renews the lease, as a worker does periodically.
func (w *worker) keep() {
	w.t.Helper()
	_, err := w.b.DB.KeepAnswer(w.t.Context(), w.id, w.Attempt)
	ok(w.t, err)
}

func (w *worker) finish(state chat.State, content string, ends []int) {
	w.t.Helper()
	page, article := 3, "12"
	warning := "Réponse interrompue."
	o := postgres.Outcome{State: state, Content: content, ChunkEnds: ends, LatencyMS: 7, Model: w.Model,
		Citations:  []law.Citation{{Index: 1, Title: "Code", DocType: law.Code, Status: law.InForce, Article: &article, Page: &page, Regions: []law.Region{}, Relations: []law.RelationRef{}}},
		Validation: chat.Validation{OK: state == chat.Done}}
	if state != chat.Done {
		o.Validation.Warning = &warning
	}
	if state == chat.Failed {
		o.Error = "Panne."
	}
	_, err := w.b.DB.FinishAnswer(w.t.Context(), w.id, w.Attempt, o)
	ok(w.t, err)
}

func (b *bundle) hinted(t *testing.T) uuid.UUID {
	t.Helper()
	select {
	case id := <-b.hints:
		return id
	case <-time.After(hang):
		t.Fatal("the queue was told nothing")
	}
	return uuid.Nil
}

const askPath = "/api/v1/chat-rag/stream"

func TestAQuestionIsStreamed(t *testing.T) {
	b := setup(t)
	l := b.listen(t, "POST", askPath, `{"question":"  Combien de jours ? ","filters":{"domaine":"travail","date":"2024-02-29","doc_type":"code","statut":null},"model":null,"other":[1e400]}`)
	id := b.hinted(t)
	for name, want := range map[string]string{
		"Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store, no-transform",
		"X-Accel-Buffering": "no", "X-Message-Id": id.String(), "Content-Encoding": "",
	} {
		equal(t, name, l.Header.Get(name), want)
	}
	w := b.takeUp(t, id)
	equal(t, "question", w.Question, "Combien de jours ?")
	equal(t, "model", w.Model, "extractif")
	if w.Filters.Domain != "travail" || w.Filters.Type != law.Code || w.Filters.Date.Format(time.DateOnly) != "2024-02-29" || w.Filters.Status != "" {
		t.Errorf("filters %+v", w.Filters)
	}
	w.write(chat.Done, "Dix ", "jours\n\n« [1] »", ".")
	events, last := l.rest(t)
	equal(t, "events", events, []string{"1 chunk", "2 chunk", "3 chunk", "4 final"})
	if got := keys(t, []byte(last.data)); !equalKeys(got, set("conversation_id", "message_id", "citations", "validation", "certainty", "probability", "latency_ms", "model")) {
		t.Errorf("final has %v", got)
	}
	var final struct {
		ConversationID string           `json:"conversation_id"`
		MessageID      string           `json:"message_id"`
		Citations      []map[string]any `json:"citations"`
	}
	ok(t, json.Unmarshal([]byte(last.data), &final))
	equal(t, "message", final.MessageID, id.String())
	equal(t, "conversation", final.ConversationID, l.Header.Get("X-Conversation-Id"))
	if len(final.Citations) != 1 || len(final.Citations[0]) != 16 {
		t.Errorf("citations %v", final.Citations)
	}
	b.log.await(t, `"outcome":"ended"`, `"events":4`, `"first_ms":`, id.String(), `"route":"`+askPath+`"`, `"status":200`)
	if again := b.listen(t, "GET", askPath+"/"+id.String(), "", "Last-Event-ID", "4"); again != nil {
		events, _ := again.rest(t)
		equal(t, "after the end", events, []string{})
	}
}

func equalKeys(a, b map[string]bool) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if !b[k] {
			return false
		}
	}
	return true
}

// First the missed events, then live ones; after the end the stored answer with the same
// ids.
func TestAnAnswerIsResumed(t *testing.T) {
	b := setup(t)
	other := start(t, b.DB, sharedRedis.URL()) // another process
	l := b.listen(t, "POST", askPath, `{"question":"Combien ?"}`)
	id := b.hinted(t)
	w := b.takeUp(t, id)
	p := b.Relay.Publisher(t.Context(), id, 1)
	for _, part := range []string{"a", "b"} {
		p.Text(t.Context(), part)
		p.Flush(t.Context())
	}
	for _, want := range []string{"1", "2"} {
		e, err := l.next()
		ok(t, err)
		equal(t, "id", e.id, want)
	}
	ok(t, l.Body.Close())
	resumed := other.listen(t, "GET", askPath+"/"+id.String(), "", "Last-Event-ID", "1")
	e, err := resumed.next()
	ok(t, err)
	equal(t, "missed", e, streamed{id: "2", kind: "chunk", data: `{"text":"b"}`})
	p.Text(t.Context(), "c")
	w.finish(chat.Done, "abc", p.ChunkEnds(t.Context()))
	p.End(t.Context(), chat.Final, chat.FinalData(chat.Message{ID: id}))
	live, _ := resumed.rest(t)
	equal(t, "live", live, []string{"3 chunk", "4 final"})

	for right, want := range map[string][]string{
		"": {"1 chunk", "2 chunk", "3 chunk", "4 final"}, "2": {"3 chunk", "4 final"}, "4": {}, "garbage": {"1 chunk", "2 chunk", "3 chunk", "4 final"},
	} {
		stored, _ := b.listen(t, "GET", askPath+"/"+id.String(), "", "Last-Event-ID", right).rest(t)
		equal(t, "stored after "+right, stored, want)
	}
}

func TestOthersAnswersAreNotThere(t *testing.T) {
	b := setup(t)
	conversation, id, err := b.DB.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.addUser(t, "eve@example.org").ID, Question: "?"})
	ok(t, err)
	for _, path := range []string{id.String(), uuid.NewString(), conversation.String()} {
		wantDetail(t, b.get(t, askPath+"/"+path), http.StatusNotFound)
		wantDetail(t, b.do(t, "POST", askPath+"/"+path+"/cancel", ""), http.StatusNotFound)
	}
	equal(t, "no UUID", found(t, b.get(t, askPath+"/x")), []string{"uuid_parsing path.message_id"})
	equal(t, "no UUID", found(t, b.do(t, "POST", askPath+"/x/cancel", "")), []string{"uuid_parsing path.message_id"})
	r := b.do(t, "POST", askPath, fmt.Sprintf(`{"question":"?","conversation_id":%q}`, conversation))
	wantDetail(t, r, http.StatusNotFound)
	if strings.Contains(r.header.Get("Content-Type"), "event-stream") {
		t.Error("an error came as a stream")
	}
}

func TestOneAnswerAtATime(t *testing.T) {
	b := setup(t)
	l := b.listen(t, "POST", askPath, `{"question":"Un ?"}`)
	conversation := l.Header.Get("X-Conversation-Id")
	again := fmt.Sprintf(`{"question":"Deux ?","conversation_id":%q}`, conversation)
	wantDetail(t, b.do(t, "POST", askPath, again), http.StatusConflict)
	b.takeUp(t, b.hinted(t)).write(chat.Done, "Oui.")
	l.rest(t)
	second := b.listen(t, "POST", askPath, again)
	equal(t, "conversation", second.Header.Get("X-Conversation-Id"), conversation)
	b.takeUp(t, b.hinted(t)).write(chat.Failed)
	events, last := second.rest(t)
	equal(t, "events", events, []string{"1 error"})
	equal(t, "error", last.data, `{"detail":"Panne."}`)
}

func TestAnAnswerIsCancelled(t *testing.T) {
	b := setup(t)
	l := b.listen(t, "POST", askPath, `{"question":"Combien ?"}`)
	id := b.hinted(t)
	w := b.takeUp(t, id)
	stopped := make(chan struct{})
	go b.Relay.WatchCancel(t.Context(), id, func() { close(stopped) })
	cancel := func() {
		t.Helper()
		if r := b.do(t, "POST", askPath+"/"+id.String()+"/cancel", ""); r.status != http.StatusAccepted || len(r.body) != 0 {
			t.Errorf("cancel: %d %s", r.status, r.body)
		}
	}
	cancel()
	<-stopped
	if wanted, err := b.DB.KeepAnswer(t.Context(), id, 1); err != nil || !wanted {
		t.Errorf("the row does not know: %v, %v", wanted, err)
	}
	w.write(chat.Cancelled, "Dix")
	events, last := l.rest(t)
	equal(t, "events", events, []string{"1 chunk", "2 final"})
	if !strings.Contains(last.data, `"validation":{"ok":false,"warning":"Réponse interrompue."}`) {
		t.Errorf("final %s", last.data)
	}
	cancel() // no effect on a finished answer
}

// A client that disconnects is noticed at once, and loses nothing.
func TestAClientLeaves(t *testing.T) {
	b := setup(t)
	l := b.listen(t, "POST", askPath, `{"question":"Combien ?"}`)
	id := b.hinted(t)
	ok(t, l.Body.Close())
	b.log.await(t, `"outcome":"gone"`, id.String())
	b.takeUp(t, id).write(chat.Done, "Dix.")
	events, _ := b.listen(t, "GET", askPath+"/"+id.String(), "").rest(t)
	equal(t, "events", events, []string{"1 chunk", "2 final"})
}

// A client that does not read costs a stream for at most sendLimit.
func TestAClientThatDoesNotRead(t *testing.T) {
	b := setup(t, func(s *Server) { s.limits.Send = time.Second })
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	ok(t, err)
	defer conn.Close()
	body := `{"question":"Combien ?"}`
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		askPath, b.token, len(body), body)
	ok(t, err)
	id := b.hinted(t)
	p := b.Relay.Publisher(t.Context(), id, b.takeUp(t, id).Attempt)
	for range 64 {
		p.Text(t.Context(), strings.Repeat("a", 256<<10))
		p.Flush(t.Context())
	}
	b.log.await(t, `"outcome":"unread"`, id.String())
}

func TestShutdownSendsStreamsElsewhere(t *testing.T) {
	b := setup(t)
	other := start(t, b.DB, sharedRedis.URL())
	l := b.listen(t, "POST", askPath, `{"question":"Combien ?"}`)
	id := b.hinted(t)
	b.stop()
	e, err := l.next()
	ok(t, err)
	if !strings.HasPrefix(e.line, "retry: ") {
		t.Errorf("told %q", e.line)
	}
	resumed := other.listen(t, "GET", askPath+"/"+id.String(), "")
	b.takeUp(t, id).write(chat.Done, "Dix.")
	events, _ := resumed.rest(t)
	equal(t, "events", events, []string{"1 chunk", "2 final"})
}

func TestAQueueThatIsDownCostsNoAnswer(t *testing.T) {
	var told = errors.New("dial")
	b := setup(t, func(s *Server) { s.Queue = &queueFake{err: told} })
	l := b.listen(t, "POST", askPath, `{"question":"Combien ?"}`)
	id := uuid.MustParse(l.Header.Get("X-Message-Id"))
	b.log.await(t, "left to the sweep", id.String())
	b.takeUp(t, id).write(chat.Done, "Dix.")
	events, _ := l.rest(t)
	equal(t, "events", events, []string{"1 chunk", "2 final"})
}

// Redis goes down: questions are rejected and leave no row, a running answer arrives
// whole from its row.
func TestRedisDown(t *testing.T) {
	t.Parallel()
	redis := redistest.New(t)
	b := start(t, pgtest.New(t), redis.URL())
	written := b.listen(t, "POST", askPath, `{"question":"Et qui ?"}`)
	w := b.takeUp(t, b.hinted(t))
	l := b.listen(t, "POST", askPath, `{"question":"Combien ?"}`)
	id := b.hinted(t)
	other := start(t, b.DB, redis.URL()) // another process
	redis.Stop()
	before, _, err := b.DB.Conversations(t.Context(), b.user.ID, nil, 10)
	ok(t, err)
	r := b.do(t, "POST", askPath, `{"question":"Et là ?"}`)
	wantDetail(t, r, http.StatusServiceUnavailable)
	equal(t, "Retry-After", r.header.Get("Retry-After"), "5")
	after, _, err := b.DB.Conversations(t.Context(), b.user.ID, nil, 10)
	ok(t, err)
	equal(t, "conversations", len(after), len(before))
	wantDetail(t, b.do(t, "POST", "/api/v1/auth/login", `{"email":"awa@example.org","password":"x"}`), http.StatusServiceUnavailable)
	equal(t, "readyz", b.get(t, "/readyz").status, http.StatusServiceUnavailable)
	equal(t, "healthz", b.get(t, "/healthz").status, http.StatusOK)
	equal(t, "cancel", b.do(t, "POST", askPath+"/"+id.String()+"/cancel", "").status, http.StatusAccepted)

	// Both answers are written to their ends: each reader gets the rest of the text once, and the end.
	resumed := other.listen(t, "GET", askPath+"/"+w.id.String(), "", "Last-Event-ID", "1")
	w.keep()
	w.finish(chat.Done, "La loi.", []int{3, 6, 7})
	waiting := other.listen(t, "GET", askPath+"/"+id.String(), "")
	b.takeUp(t, id).finish(chat.Cancelled, "Dix.", []int{4})
	for reader, want := range map[*listener][]string{
		written: {"1 chunk", "2 chunk", "3 chunk", "4 final"}, resumed: {"2 chunk", "3 chunk", "4 final"},
		l: {"1 chunk", "2 final"}, waiting: {"1 chunk", "2 final"},
	} {
		events, _ := reader.rest(t)
		equal(t, "events", slices.DeleteFunc(events, func(e string) bool { return e == " " }), want) // without keep-alives
	}
}
