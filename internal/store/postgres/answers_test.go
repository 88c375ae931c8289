package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

func (b bundle) ask(t *testing.T, conversation *uuid.UUID, question string) (uuid.UUID, uuid.UUID) {
	t.Helper()
	c, m, err := b.CreateTurn(t.Context(), postgres.Turn{UserID: b.user.ID, ConversationID: conversation, Question: question})
	ok(t, err)
	return c, m
}

// expire makes a row's lease expire.
func (b bundle) expire(t *testing.T, table string, id uuid.UUID) {
	t.Helper()
	ok(t, b.Exec(t.Context(), `UPDATE `+pgx.Identifier{table}.Sanitize()+` SET lease_until = now() - interval '1 second' WHERE id = $1`, id))
}

func TestAnswerFromStartToFinish(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	conversation, first := b.ask(t, nil, "Combien ?")
	w, err := b.StartAnswer(ctx, first)
	ok(t, err)
	if w.Attempt != 1 || w.Question != "Combien ?" || len(w.History) != 0 || w.Cancel {
		t.Errorf("work %+v", w)
	}
	warning := "Rien trouvé."
	number := "14"
	m, err := b.FinishAnswer(ctx, first, 1, postgres.Outcome{State: chat.Done, Content: "Dix jours [1].", ChunkEnds: []int{3, 14},
		Citations:  []law.Citation{{Index: 1, Title: "Code", Article: &number, Regions: []law.Region{}, Relations: []law.RelationRef{}}},
		Validation: chat.Validation{Warning: &warning}, Certainty: &chat.Certainty{Grade: chat.Unsure, Probability: 0.25}, LatencyMS: 12, Model: "extractif"})
	ok(t, err)
	if m.Content != "Dix jours [1]." || *m.Validation.Warning != warning || len(m.Citations) != 1 || *m.Citations[0].Article != "14" || *m.LatencyMS != 12 {
		t.Errorf("message %+v", m)
	}
	stored, err := b.Answer(ctx, b.user.ID, first)
	ok(t, err)
	if stored.State != chat.Done || len(stored.ChunkEnds) != 2 || len(stored.Citations) != 1 || *stored.Certainty != (chat.Certainty{Grade: chat.Unsure, Probability: 0.25}) {
		t.Errorf("stored %+v", stored)
	}

	_, second := b.ask(t, &conversation, "Et ensuite ?")
	w, err = b.StartAnswer(ctx, second)
	ok(t, err)
	if len(w.History) != 2 || w.History[0].Content != "Combien ?" || w.History[1].Role != chat.Assistant || w.Question != "Et ensuite ?" {
		t.Errorf("history %+v", w.History)
	}
}

func TestOnlyTheAttemptThatHoldsTheLeaseWrites(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	_, id := b.ask(t, nil, "Combien ?")
	_, err := b.StartAnswer(ctx, id)
	ok(t, err)
	_, err = b.StartAnswer(ctx, id)
	wantKind(t, err, errs.LeaseLost) // another attempt holds the lease
	if due, err := b.DueAnswers(ctx, 10); err != nil || len(due) != 0 {
		t.Fatalf("due %v, %v while the lease runs", due, err)
	}
	b.expire(t, "messages", id)
	due, err := b.DueAnswers(ctx, 10)
	ok(t, err)
	if len(due) != 1 || due[0] != id {
		t.Fatalf("due %v, want %v", due, id)
	}
	if again, err := b.DueAnswers(ctx, 10); err != nil || len(again) != 0 {
		t.Fatalf("the same row twice: %v, %v", again, err)
	}
	w, err := b.StartAnswer(ctx, id)
	ok(t, err)
	if w.Attempt != 2 {
		t.Fatalf("attempt %d, want 2", w.Attempt)
	}
	// The first worker resumes, and all its calls fail.
	_, err = b.KeepAnswer(ctx, id, 1)
	wantKind(t, err, errs.LeaseLost)
	_, err = b.FinishAnswer(ctx, id, 1, postgres.Outcome{State: chat.Done, Content: "faux"})
	wantKind(t, err, errs.LeaseLost)
	wantKind(t, b.ReleaseAnswer(ctx, id, 1), errs.LeaseLost)
	_, err = b.FinishAnswer(ctx, id, 2, postgres.Outcome{State: chat.Done, Content: "vrai"})
	ok(t, err)
	_, err = b.FinishAnswer(ctx, id, 2, postgres.Outcome{State: chat.Done, Content: "deux fois"})
	wantKind(t, err, errs.LeaseLost)
	_, err = b.StartAnswer(ctx, id)
	wantKind(t, err, errs.LeaseLost)
	m, err := b.Answer(ctx, b.user.ID, id)
	ok(t, err)
	if m.Content != "vrai" || m.Attempt != 2 {
		t.Errorf("stored %+v", m)
	}
}

func TestReleasedAnswerIsDueAtOnce(t *testing.T) {
	b := setup(t)
	_, id := b.ask(t, nil, "Combien ?")
	_, err := b.StartAnswer(t.Context(), id)
	ok(t, err)
	ok(t, b.ReleaseAnswer(t.Context(), id, 1))
	due, err := b.DueAnswers(t.Context(), 10)
	ok(t, err)
	if len(due) != 1 {
		t.Errorf("due %v", due)
	}
}

func TestCancelIsSeenByTheLease(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	_, id := b.ask(t, nil, "Combien ?")
	running, err := b.RequestCancel(ctx, b.user.ID, id)
	ok(t, err)
	w, err := b.StartAnswer(ctx, id)
	ok(t, err)
	if !running || !w.Cancel {
		t.Errorf("running %v, cancel seen at the start %v", running, w.Cancel)
	}
	if cancel, err := b.KeepAnswer(ctx, id, 1); err != nil || !cancel {
		t.Errorf("cancel at renewal %v, %v", cancel, err)
	}
	_, err = b.FinishAnswer(ctx, id, 1, postgres.Outcome{State: chat.Cancelled})
	ok(t, err)
	if running, err = b.RequestCancel(ctx, b.user.ID, id); err != nil || running {
		t.Errorf("cancel of an ended answer: running %v, %v", running, err)
	}
}

func TestHopelessAnswersAreGivenUp(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	_, id := b.ask(t, nil, "Combien ?")
	for attempt := range postgres.MaxAttempts {
		w, err := b.StartAnswer(ctx, id)
		ok(t, err)
		if w.Attempt != attempt+1 {
			t.Fatalf("attempt %d", w.Attempt)
		}
		b.expire(t, "messages", id)
	}
	if due, err := b.DueAnswers(ctx, 10); err != nil || len(due) != 0 {
		t.Fatalf("due %v, %v: tried more than %d times", due, err, postgres.MaxAttempts)
	}
	failed, err := b.FailHopeless(ctx)
	ok(t, err)
	m, err := b.Answer(ctx, b.user.ID, id)
	ok(t, err)
	if len(failed) != 1 || m.State != chat.Failed || m.Error == "" {
		t.Errorf("failed %v, message %+v", failed, m)
	}
}

func TestHintsComeEverLater(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	_, id := b.ask(t, nil, "Combien ?")
	for _, want := range []float64{4, 8, 16, 32, 60, 60} {
		b.expire(t, "messages", id)
		var before time.Time
		ok(t, b.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&before))
		_, err := b.DueAnswers(ctx, 10)
		ok(t, err)
		// The wait began between the two questions to the clock, however long a busy machine takes.
		var most, least float64
		ok(t, b.QueryRow(ctx, `SELECT extract(epoch FROM lease_until - $2), extract(epoch FROM lease_until - clock_timestamp()) FROM messages WHERE id = $1`,
			id, before).Scan(&most, &least))
		if want < least || 0.9*want > most {
			t.Errorf("a wait of %.2f to %.2f s, want %v less a tenth at most: 4 s doubled up to a minute", least, most, want)
		}
	}
}

// A conversation takes a bounded number of questions.
func TestAConversationIsBounded(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	c, m := b.ask(t, nil, "Première ?")
	ok(t, b.Exec(ctx, `UPDATE messages SET state = 'done' WHERE id = $1`, m))
	ok(t, b.Exec(ctx, `UPDATE conversations SET message_count = $2 WHERE id = $1`, c, 2*postgres.MaxTurns-2))
	_, m = b.ask(t, &c, "La dernière ?")
	ok(t, b.Exec(ctx, `UPDATE messages SET state = 'done' WHERE id = $1`, m))
	_, _, err := b.CreateTurn(ctx, postgres.Turn{UserID: b.user.ID, ConversationID: &c, Question: "Encore ?"})
	wantKind(t, err, errs.Conflict)
	found, _, err := b.Conversation(ctx, b.user.ID, c)
	ok(t, err)
	if found.MessageCount != 2*postgres.MaxTurns {
		t.Errorf("%d messages are counted", found.MessageCount)
	}
	b.ask(t, nil, "Dans une autre ?")
}
