package httpapi

import (
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/queue/redistest"
)

// A second Redis is added while answers run: the API is already configured for it, the
// worker not yet. Answers that both assign to the same Redis are streamed; others are sent
// from their rows, complete and with the same numbers, without any action by the client.
func TestASecondRedisIsAddedWhileAnswersRun(t *testing.T) {
	first, second := sharedRedis.URL()+"?patience=1m", redistest.New(t)
	b := setup(t, func(s *Server) { s.Relay = openRelay(t, first+" "+second.URL()) })
	before := openRelay(t, first) // the relay of the worker
	// b's own user asks until each Redis had an answer.
	seen := map[bool]bool{}
	for len(seen) < 2 {
		l := b.listen(t, "POST", askPath, `{"question":"Combien ?"}`)
		id := b.hinted(t)
		w := b.takeUp(t, id)
		p := before.Publisher(t.Context(), id, w.Attempt)
		for _, part := range []string{"dix ", "jours"} {
			p.Text(t.Context(), part)
			p.Flush(t.Context())
		}
		w.finish(chat.Done, "dix jours", p.ChunkEnds(t.Context()))
		m, err := b.DB.Answer(t.Context(), b.user.ID, id)
		ok(t, err)
		kind, data := chat.End(m)
		p.End(t.Context(), kind, data)
		events, _ := l.rest(t)
		equal(t, "events", events, []string{"1 chunk", "2 chunk", "3 final"})
		seen[moved(t, b, id)] = true
	}
}

// moved reports whether an answer is assigned to the second Redis, where nothing is
// published for it.
func moved(t *testing.T, b *bundle, id uuid.UUID) bool {
	t.Helper()
	sub, err := b.Relay.Subscribe(t.Context(), id, 0)
	ok(t, err)
	defer sub.Close()
	<-sub.Ready()
	events, _ := sub.Take(t.Context())
	return len(events) == 0
}

// One of two Redis servers is down: questions are answered over the other one.
func TestQuestionsAreAnsweredWithOneOfTwoRedis(t *testing.T) {
	gone := redistest.New(t)
	b := setup(t, func(s *Server) { s.Relay = openRelay(t, sharedRedis.URL()+"?patience=1m "+gone.URL()) })
	gone.Stop()
	for range 4 {
		l := b.listen(t, "POST", askPath, `{"question":"Combien ?"}`)
		b.takeUp(t, b.hinted(t)).write(chat.Done, "dix")
		events, _ := l.rest(t)
		equal(t, "events", events, []string{"1 chunk", "2 final"})
	}
	// An answer began on the Redis that is down: its worker writes drafts, and they are
	// read from the row.
	down, id := b.Relay.DownServers(t.Context()), postgres.NewID()
	for !down(id) {
		id = postgres.NewID()
	}
	_, _, err := b.DB.CreateTurn(t.Context(), postgres.Turn{UserID: b.user.ID, MessageID: id, Question: "Combien ?"})
	ok(t, err)
	w := b.takeUp(t, id)
	w.keep()
	l := b.listen(t, "GET", askPath+"/"+id.String(), "")
	w.finish(chat.Done, "dix", []int{3})
	events, _ := l.rest(t)
	equal(t, "events", events, []string{"1 chunk", "2 final"})
}
