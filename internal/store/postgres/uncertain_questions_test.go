package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

// TestUncertainQuestions counts questions by their words, and shows those of three accounts and
// those whose asker rated the answer.
func TestUncertainQuestions(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	answer := func(user uuid.UUID, question string, grade chat.Grade) uuid.UUID {
		t.Helper()
		_, message, err := b.CreateTurn(ctx, postgres.Turn{UserID: user, Question: question})
		ok(t, err)
		w, err := b.StartAnswer(ctx, message)
		ok(t, err)
		_, err = b.FinishAnswer(ctx, message, w.Attempt, postgres.Outcome{State: chat.Done, Content: "…", Certainty: &chat.Certainty{Grade: grade, Probability: .2}})
		ok(t, err)
		return message
	}
	eve, noe := b.addUser(t, "eve@exemple.org", "user"), b.addUser(t, "noe@exemple.org", "user")
	answer(b.user.ID, "Quel est l’âge de la retraite ?", chat.Refused)
	answer(eve.ID, "quel est l'age de la retraite", chat.Refused)
	answer(noe.ID, "Quel est l’âge de la retraite ?!", chat.Unsure)
	answer(noe.ID, "Quel est l’âge de la retraite ?", chat.Sure) // was answered once
	for range 4 {                                                // one person's own affair
		answer(eve.ID, "Mon voisin Zylberman peut-il couper mon arbre ?", chat.Refused)
	}
	rated := answer(noe.ID, "Combien coûte un permis ?", chat.Unsure)
	ok(t, b.SetFeedback(ctx, noe.ID, rated, postgres.Feedback{Rating: "down"}))

	today := time.Now().UTC().Truncate(24 * time.Hour)
	list, err := b.UncertainQuestions(ctx, today.AddDate(0, 0, -1), today, 3, 10)
	ok(t, err)
	if list.Unsure != 2 || list.Refused != 6 || list.Hidden != 4 || len(list.Items) != 2 {
		t.Fatalf("%+v", list)
	}
	if q := list.Items[0]; q.Text != "Quel est l’âge de la retraite ?!" || q.Asked != 3 || q.Refused != 2 || q.People != 3 || q.Answer != nil {
		t.Errorf("%+v", q)
	}
	if q := list.Items[1]; q.Text != "Combien coûte un permis ?" || q.Asked != 1 || q.People != 1 || q.Answer == nil || *q.Answer != rated {
		t.Errorf("%+v", q)
	}
	if list, err = b.UncertainQuestions(ctx, today.AddDate(0, 0, -1), today, 1, 10); err != nil || list.Hidden != 0 || len(list.Items) < 3 {
		t.Errorf("from one account on: %+v, %v", list, err)
	}
	if list, err = b.UncertainQuestions(ctx, today.AddDate(0, 0, -9), today.AddDate(0, 0, -8), 3, 10); err != nil || len(list.Items) != 0 || list.Hidden != 0 {
		t.Errorf("other days: %+v, %v", list, err)
	}
}
