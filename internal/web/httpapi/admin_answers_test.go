package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/answer/refer"
	"vigueur/internal/answer/why"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/question"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/transport"
)

// explained adds an answer with a stored explanation.
func (b *bundle) explained(t *testing.T, asked string) uuid.UUID {
	t.Helper()
	_, message, err := b.DB.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user.ID, Question: asked, Model: "extractif"})
	ok(t, err)
	w, err := b.DB.StartAnswer(t.Context(), message)
	ok(t, err)
	kept := why.Why{Question: refer.ReadingOf(question.Read(asked, question.Conversation{}), time.Unix(0, 0)), Search: why.Search{Took: 3.2, Semantic: true},
		Candidates: []why.Candidate{{Document: uuid.New(), Article: uuid.New(), Number: "12", Mode: retrieve.ByWords, Probability: 0.4, Cited: 1, Features: map[string]float64{"words": 1}}},
		Gate:       &why.Gate{Verdict: decide.Unsure.String(), Probability: 0.4, Sure: 0.9, Evidence: map[string]float64{"margin": 2}}, Writer: why.Writer{Model: "extractif"}}
	warning := "Une phrase ne cite aucune source : « Monsieur Diallo … »."
	_, err = b.DB.FinishAnswer(t.Context(), message, w.Attempt, postgres.Outcome{State: chat.Done, Content: "Un mois [1].", ChunkEnds: []int{13},
		Model: "extractif", Validation: chat.Validation{Warning: &warning}, Why: kept.Pack()})
	ok(t, err)
	return message
}

// An editor sees how an answer was made, and the user's words only if the user has rated
// it; each access is recorded in the audit log.
func TestWhyAnAnswerIsWhatItIs(t *testing.T) {
	b := setup(t)
	id := b.explained(t, "Que dit la loi n° 2010-05 de mon cas, je suis Awa Diallo ?")
	path := transport.Prefix + "/admin/answers/" + id.String() + "/why"
	editor := b.as(t, "editor")
	r := b.do(t, "GET", path, "", editor...)
	equal(t, "status", r.status, http.StatusOK)
	body := decode[admin.ExplanationBody](t, r)
	equal(t, "candidates", len(body.Why.Candidates), 1)
	equal(t, "verdict", body.Why.Gate.Verdict, "unsure")
	equal(t, "words", body.Question == nil && body.Answer == nil, true)
	if text := string(r.body); strings.Contains(text, "Diallo") || strings.Contains(text, "2010-05") {
		t.Errorf("words of a person are shown: %s", text)
	}
	ok(t, b.DB.SetFeedback(t.Context(), b.user.ID, id, postgres.Feedback{Rating: "down"}))
	body = decode[admin.ExplanationBody](t, b.do(t, "GET", path, "", editor...))
	if body.Question == nil || !strings.Contains(*body.Question, "Diallo") || *body.Answer != "Un mois [1]." || *body.Rating != "down" || len(body.Why.Question.References) != 1 {
		t.Errorf("rated: %+v", body)
	}
	seen := b.logged(t, postgres.AnswerExplained)
	equal(t, "looks in the log", len(seen), 2)
	equal(t, "at", seen[0].Object, id.String())

	_, plain := b.answered(t, "Quel préavis ?", "Un mois [1].")
	for _, other := range []string{plain.String(), uuid.NewString()} {
		wantDetail(t, b.do(t, "GET", transport.Prefix+"/admin/answers/"+other+"/why", "", editor...), http.StatusNotFound)
	}
	equal(t, "the asker", b.get(t, path).status, http.StatusForbidden)
	equal(t, "no id", found(t, b.do(t, "GET", transport.Prefix+"/admin/answers/x/why", "", editor...)), []string{"uuid_parsing path.id"})
}
