package httpapi

import (
	"net/http"
	"testing"
	"time"

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
	equal(t, "detail", wantDetail(t, r, http.StatusServiceUnavailable), backloggedText)
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
