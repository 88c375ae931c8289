package httpapi

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// A full queue rejects questions with a Retry-After, leaves no row behind, and accepts
// questions again when it is shorter.
func TestAFullQueueRefusesQuestions(t *testing.T) {
	b := setup(t, func(s *Server) { s.Backlog = postgres.Backlog{Wait: 20 * time.Second, Rows: 3} })
	const question = `{"question":"Combien de jours ?"}`
	for range 3 {
		b.listen(t, "POST", "/api/v1/chat-rag/stream", question)
		<-b.hints
	}
	r := b.do(t, "POST", "/api/v1/chat-rag/stream", question)
	equal(t, "detail", wantDetail(t, r, http.StatusServiceUnavailable), errs.Public(postgres.ErrBacklogged))
	equal(t, "Retry-After", r.header.Get("Retry-After"), "5")
	waiting, err := b.DB.Waiting(t.Context())
	ok(t, err)
	for _, w := range waiting {
		if w.Class == "answers" && w.Queued != 3 {
			t.Errorf("%d questions wait", w.Queued)
		}
	}
	if _, err := b.DB.StartAnswer(t.Context(), postgres.NewID()); err != nil {
		t.Fatal(err)
	}
	b.listen(t, "POST", "/api/v1/chat-rag/stream", question)
}

// If one account asks many questions at once, no more of them wait than the limit allows.
func TestQuestionsAtOnceKeepTheLimit(t *testing.T) {
	b := setup(t, func(s *Server) { s.Backlog = postgres.Backlog{Wait: time.Hour, Rows: 100} }) // at most ten questions of one account may wait
	const asked = 40
	var accepted, refused atomic.Int64
	var all sync.WaitGroup
	for range asked {
		all.Go(func() {
			r := b.send(t, "POST", askPath, `{"question":"Combien de jours ?"}`)
			defer r.Body.Close()
			switch r.StatusCode {
			case http.StatusOK:
				accepted.Add(1)
			case http.StatusServiceUnavailable:
				refused.Add(1)
			default:
				t.Errorf("status %d", r.StatusCode)
			}
		})
	}
	all.Wait()
	equal(t, "accepted", int(accepted.Load()), 10)
	equal(t, "refused", int(refused.Load()), asked-10)
}
