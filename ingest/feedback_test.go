package main

import (
	"encoding/json"
	"strings"
	"testing"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

// A question that was rated « down » becomes a case, and the case contains nothing that
// identifies its author.
func TestFeedbackIsExported(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	db := d.db(t)
	user := postgres.User{ID: postgres.NewID(), Email: "awa@exemple.org", FullName: "Awa", Role: "user", Active: true, PasswordHash: "x"}
	must(t, db.CreateUser(t.Context(), user))
	ask := func(question, rating string, conversation *postgres.NewTurn) {
		t.Helper()
		turn := postgres.NewTurn{UserID: user.ID, Question: question, MessageID: postgres.NewID()}
		if conversation != nil {
			turn.ConversationID = conversation.ConversationID
		}
		c, message, err := db.CreateTurn(t.Context(), turn)
		must(t, err)
		if conversation != nil {
			conversation.ConversationID = &c
		}
		w, err := db.StartAnswer(t.Context(), message)
		must(t, err)
		o := found()
		o.State = chat.Done
		_, err = db.FinishAnswer(t.Context(), message, w.Attempt, o)
		must(t, err)
		if rating != "" {
			must(t, db.SetFeedback(t.Context(), user.ID, message, postgres.Feedback{Rating: rating, Comment: "Awa Diallo, 77 123 45 67"}))
		}
	}
	var same postgres.NewTurn
	ask("Mon patron Ousmane Fall peut-il me renvoyer ?", "", &same)
	ask("Et pour un CDD ? Écrivez à awa@exemple.org", "down", &same)
	ask("Merci bien ?", "up", nil)

	out := d.run(t, "feedback", "export").out
	var one struct {
		ratedQuestion
		Before []string `json:"before"`
		Cited  []struct{ Title string }
	}
	if err := json.Unmarshal([]byte(out), &one); err != nil || strings.Count(out, "\n") != 1 {
		t.Fatalf("%v: %s", err, out)
	}
	if one.Question != "Et pour un CDD ? Écrivez à [adresse]" || len(one.Before) != 1 || one.Before[0] != "Mon patron [nom] peut-il me renvoyer ?" || !one.Undecided || len(one.Cited) != 2 {
		t.Errorf("%+v", one)
	}
	for _, secret := range []string{"awa", "Ousmane", "Fall", "77 123", user.ID.String()} {
		t.Run(secret, func(t *testing.T) {
			if strings.Contains(out, secret) {
				t.Errorf("%s is told: %s", secret, out)
			}
		})
	}
	if out := d.run(t, "feedback", "export", "--since", "2999-01-01").out; out != "" {
		t.Errorf("of the future: %s", out)
	}
	d.run(t, "feedback", "export", "--rating", "mal").want(t, exitUsage, "--rating : ")
	d.run(t, "feedback", "export", "--since", "hier").want(t, exitUsage, "--since : ")
	lines, _, err := db.Audit(t.Context(), postgres.AuditQuery{Action: postgres.FeedbackExported, Limit: 10})
	if err != nil || len(lines) != 2 || !strings.Contains(string(lines[1].Details), `"cases": 1`) {
		t.Errorf("log %+v, %v", lines, err)
	}
}

// ratedQuestion holds the fields of a case that the evaluation reads.
type ratedQuestion struct {
	Question  string `json:"question"`
	Undecided bool   `json:"undecided"`
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
