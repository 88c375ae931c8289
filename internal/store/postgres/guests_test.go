package postgres_test

import (
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

// TestGuestsCountAsOnePerson: their questions take turns with those of each account.
func TestGuestsCountAsOnePerson(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	var hints []string
	for range 3 {
		_, id, err := b.CreateTurn(ctx, postgres.Turn{Guest: true, Question: "Combien ?", Model: "extractif", Backlog: postgres.Backlog{Rows: 1000, Wait: 1 << 40}})
		ok(t, err)
		hints = append(hints, id.String())
	}
	_, own := b.ask(t, nil, "Quel préavis ?")
	first, err := b.StartAnswer(ctx, own)
	ok(t, err)
	if first.ID != own {
		t.Errorf("the hint of an account leads to the question of a guest")
	}
	second, err := b.StartAnswer(ctx, own)
	ok(t, err)
	_, again := b.ask(t, nil, "Et pour un cadre ?")
	third, err := b.StartAnswer(ctx, second.ID)
	ok(t, err)
	if second.ID.String() != hints[0] || third.ID != again && third.ID.String() != hints[1] {
		t.Errorf("leased %v, then %v; guests asked %v, the account %v", second.ID, third.ID, hints, again)
	}
	for range 20 { // a tenth of the queue, and at least ten
		_, _, err = b.CreateTurn(ctx, postgres.Turn{Guest: true, Question: "Combien ?", Model: "extractif", Backlog: postgres.Backlog{Rows: 100, Wait: 1 << 40}})
		if err != nil {
			break
		}
	}
	wantKind(t, err, errs.Unavailable)
}

// TestQuestionsOfGuestsAreDeleted an hour after their answers; a running one stays.
func TestQuestionsOfGuestsAreDeleted(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	conversation, id, err := b.CreateTurn(ctx, postgres.Turn{Guest: true, Question: "Combien ?", Model: "extractif"})
	ok(t, err)
	w, err := b.StartAnswer(ctx, id)
	ok(t, err)
	old := func() {
		t.Helper()
		ok(t, b.Exec(ctx, `UPDATE conversations SET last_message_at = now() - interval '61 minutes' WHERE id = '`+conversation.String()+`'`))
		_, err := b.Prune(ctx, 0)
		ok(t, err)
	}
	old()
	_, err = b.FinishAnswer(ctx, id, w.Attempt, postgres.Outcome{State: chat.Done, Content: "Dix.", Why: []byte(`{}`)})
	ok(t, err)
	explained, err := b.ExplainedAnswer(ctx, id)
	ok(t, err)
	if explained.AskedBy != uuid.Nil || explained.Asked != "Combien ?" {
		t.Errorf("explained: %+v", explained)
	}
	if _, err := b.Answer(ctx, b.user.ID, id); !errs.Is(err, errs.NotFound) {
		t.Errorf("an account reads the answer to a guest: %v", err)
	}
	m, err := b.GuestAnswer(ctx, id)
	ok(t, err)
	if m.Content != "Dix." {
		t.Errorf("%+v", m)
	}
	var anonymous bool
	ok(t, b.QueryRow(ctx, `SELECT user_id IS NULL AND (details ->> 'anonymous')::boolean FROM audit WHERE action = 'chat.question' AND object = $1`, id.String()).Scan(&anonymous))
	if !anonymous {
		t.Error("the log takes a guest for the operator")
	}
	_, mine := b.answered(t, "Quel préavis ?", "Un mois.")
	if _, err := b.GuestAnswer(ctx, mine); !errs.Is(err, errs.NotFound) {
		t.Errorf("the answer to an account is read as a guest's: %v", err)
	}
	old()
	if _, err := b.GuestAnswer(ctx, id); !errs.Is(err, errs.NotFound) {
		t.Errorf("the question of a guest is kept: %v", err)
	}
}
