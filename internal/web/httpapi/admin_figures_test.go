package httpapi

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

func TestQueues(t *testing.T) {
	b := setup(t, func(s *Server) {
		s.Workers = func(class string) (int, error) {
			if class == "answers" {
				return 2, nil
			}
			return 0, errors.New("no Redis")
		}
	})
	b.addFile(t, "a1")
	b.endFile(t, b.addFile(t, "b2"), "failed", "Abîmé.")
	_, _, err := b.DB.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user.ID, Question: "Q ?", Model: "extractif"})
	ok(t, err)
	items := decode[respond.Listing[admin.QueueStateBody]](t, b.do(t, "GET", transport.Prefix+"/admin/queues", "", b.as(t, "editor")...)).Items
	equal(t, "classes", len(items), 8)
	of := map[string]admin.QueueStateBody{}
	for _, q := range items {
		of[q.Name] = q
	}
	answers, files, mails, titles := of["answers"], of["ingestions"], of["notifications"], of["titles"]
	equal(t, "answers", []any{answers.Name, answers.Label, answers.Queued, answers.Running, answers.Failed, *answers.Workers}, []any{"answers", "questions", 1, 0, 0, 2})
	equal(t, "ingestions", []any{files.Name, files.Queued, files.Running, files.Failed, files.Workers == nil}, []any{"ingestions", 0, 1, 1, true})
	equal(t, "notifications", []any{mails.Name, mails.Queued, mails.Running, mails.Failed}, []any{"notifications", 0, 0, 0})
	equal(t, "titles", []any{titles.Name, titles.Queued, titles.Running, titles.Failed}, []any{"titles", 0, 0, 0})
	if answers.Oldest == nil || *answers.Oldest < 0 || *answers.Oldest > 60 {
		t.Errorf("oldest %v", answers.Oldest)
	}
}

func TestStats(t *testing.T) {
	b := setup(t)
	left := time.Now().UTC().Format(time.DateOnly)
	editor := b.as(t, "editor")
	_, id, err := b.DB.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user.ID, Question: "Q ?", Model: "extractif"})
	ok(t, err)
	work, err := b.DB.StartAnswer(t.Context(), id)
	ok(t, err)
	_, err = b.DB.FinishAnswer(t.Context(), id, work.Attempt, postgres.Outcome{State: chat.Done, Content: "R.", LatencyMS: 120})
	ok(t, err)
	ok(t, b.DB.AddUsage(t.Context(), id, work.Asker, work.Attempt, []postgres.Usage{{Server: "gpu", Model: "grand", Requests: 1, In: 900, Out: 80, Cost: 0.5}}))
	path := transport.Prefix + "/admin/stats"
	items := decode[respond.Listing[admin.DayStatsBody]](t, b.do(t, "GET", path, "", editor...)).Items
	equal(t, "days", len(items), statsDays)
	if left != time.Now().UTC().Format(time.DateOnly) {
		t.Skip("midnight passed: what was counted is of two days")
	}
	today := items[len(items)-1]
	equal(t, "today", []any{today.Day, today.Questions, today.Failed, today.Feedback}, []any{left, 1, 0, admin.FeedbackBody{}})
	equal(t, "models", today.Models, []admin.UsageBody{{Model: "grand", Server: "gpu", Requests: 1, In: 900, Out: 80, Cost: 0.5}})
	if today.Latency.P50 == nil || *today.Latency.P50 != 120 || *today.Latency.P95 != 120 {
		t.Errorf("latency %+v", today.Latency)
	}
	past := decode[respond.Listing[admin.DayStatsBody]](t, b.do(t, "GET", path+"?from=2020-02-28&to=2020-03-01", "", editor...)).Items
	equal(t, "a span", len(past), 3)
	equal(t, "an empty day", past[1], admin.DayStatsBody{Day: "2020-02-29", Models: []admin.UsageBody{}})
	for query, want := range map[string]string{
		"?from=hier": "date_from_datetime_parsing query.from", "?from=2020-01-02&to=2020-01-01": "value_error query.from",
		"?from=2010-01-01&to=2020-01-01": "value_error query.from",
	} {
		equal(t, query, found(t, b.do(t, "GET", path+query, "", editor...)), []string{want})
	}
}

// TestQuestionsWithoutASureAnswer lists what an asker rated, counts the rest, and notes the reading.
func TestQuestionsWithoutASureAnswer(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	ask := func(question string) uuid.UUID {
		t.Helper()
		_, message, err := b.DB.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user.ID, Question: question})
		ok(t, err)
		w := b.takeUp(t, message)
		_, err = b.DB.FinishAnswer(t.Context(), message, w.Attempt, postgres.Outcome{State: chat.Done, Content: "Rien.", Certainty: &chat.Certainty{Grade: chat.Refused, Probability: .1}})
		ok(t, err)
		return message
	}
	ask("Mon secret ?")
	rated := ask("Combien coûte un permis ?")
	equal(t, "rated", b.do(t, "POST", messagesPath(rated)+"/feedback", `{"rating":"down"}`).status, http.StatusNoContent)
	r := b.do(t, "GET", transport.Prefix+"/admin/questions", "", editor...)
	found := decode[struct {
		Items                   []admin.UncertainQuestionBody
		Refused, Hidden, Askers int
	}](t, r)
	if len(found.Items) != 1 || found.Items[0].Question != "Combien coûte un permis ?" || *found.Items[0].Answer != rated || found.Refused != 2 || found.Hidden != 1 || found.Askers != 3 || strings.Contains(string(r.body), "secret") {
		t.Errorf("%s", r.body)
	}
	equal(t, "wrong days", b.do(t, "GET", transport.Prefix+"/admin/questions?from=2024-02-01&to=2024-01-01", "", editor...).status, http.StatusUnprocessableEntity)
	lines := decode[respond.Listing[admin.AuditEntryBody]](t, b.do(t, "GET", transport.Prefix+"/admin/audit?action=question.read", "", b.as(t, "admin")...)).Items
	equal(t, "noted", len(lines) > 0, true)
}
