package postgres_test

import (
	"errors"
	"slices"
	"sync"
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
	c, m, err := b.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user.ID, ConversationID: conversation, Question: question})
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
		var previous time.Time
		ok(t, b.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&previous))
		_, err := b.DueAnswers(ctx, 10)
		ok(t, err)
		// The wait began between the two questions to the clock, however long a busy machine takes.
		var most, least float64
		ok(t, b.QueryRow(ctx, `SELECT extract(epoch FROM lease_until - $2), extract(epoch FROM lease_until - clock_timestamp()) FROM messages WHERE id = $1`,
			id, previous).Scan(&most, &least))
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
	_, _, err := b.CreateTurn(ctx, postgres.NewTurn{UserID: b.user.ID, ConversationID: &c, Question: "Encore ?"})
	wantKind(t, err, errs.Conflict)
	found, _, err := b.Conversation(ctx, b.user.ID, c)
	ok(t, err)
	if found.MessageCount != 2*postgres.MaxTurns {
		t.Errorf("%d messages are counted", found.MessageCount)
	}
	b.ask(t, nil, "Dans une autre ?")
}

// askAs asks questions as a user, each in its own conversation.
func (b bundle) askAs(t *testing.T, user uuid.UUID, n int) (ids []uuid.UUID) {
	t.Helper()
	for range n {
		_, id, err := b.CreateTurn(t.Context(), postgres.NewTurn{UserID: user, Question: "Combien ?"})
		ok(t, err)
		ids = append(ids, id)
	}
	return ids
}

func (b bundle) start(t *testing.T, hint uuid.UUID) uuid.UUID {
	t.Helper()
	w, err := b.StartAnswer(t.Context(), hint)
	ok(t, err)
	return w.ID
}

func TestTenQuestionsOfOneDoNotHoldUpAnothersOne(t *testing.T) {
	b := setup(t)
	other := b.addUser(t, "autre@exemple.org", "user")
	many := b.askAs(t, b.user.ID, 10)
	// The hints arrive in the order of the questions; the selection does not depend on it.
	if got := b.start(t, many[0]); got != many[0] {
		t.Errorf("first %v, want the first question", got)
	}
	one := b.askAs(t, other.ID, 1)[0]
	if got := b.start(t, many[1]); got != one {
		t.Errorf("second %v, want the other's question", got)
	}
	for i, want := range many[1:] {
		if got := b.start(t, many[min(i+2, 9)]); got != want {
			t.Errorf("then %v, want question %d", got, i+1)
		}
	}
	_, err := b.StartAnswer(t.Context(), many[9])
	wantKind(t, err, errs.LeaseLost)
}

// Who was given many seconds of late waits for those who were given few, and not for ever.
func TestSecondsAreSharedNotAnswers(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	other := b.addUser(t, "autre@exemple.org", "user")
	heavy := b.askAs(t, b.user.ID, 3)
	b.start(t, heavy[0])
	ok(t, b.ChargeAnswer(ctx, heavy[0], 2, time.Hour)) // of an attempt that does not hold the row
	ok(t, b.ChargeAnswer(ctx, heavy[0], 1, 8*time.Second))
	_, err := b.FinishAnswer(ctx, heavy[0], 1, postgres.Outcome{State: chat.Done})
	ok(t, err)
	light := b.askAs(t, other.ID, 3)
	for i, want := range light { // all of them, although the first user has no answer running
		if got := b.start(t, heavy[1]); got != want {
			t.Fatalf("pick %d: %v, want %v", i, got, want)
		}
	}
	late := b.askAs(t, other.ID, 1)[0]
	ok(t, b.Exec(ctx, `UPDATE messages SET created_at = created_at - interval '80 seconds' WHERE id = $1`, heavy[1]))
	if got := b.start(t, late); got != heavy[1] {
		t.Errorf("after eighty seconds: %v, want the one that waits", got)
	}
	ok(t, b.Exec(ctx, `UPDATE answer_seconds SET at = at - interval '10 minutes'`))
	if got := b.start(t, late); got != heavy[2] {
		t.Errorf("%v, want the one with one answer running, now that the seconds are forgotten", got)
	}
	ok(t, b.Exec(ctx, `UPDATE answer_seconds SET at = at - interval '1 hour'`))
	_, err = b.Prune(ctx, 0)
	ok(t, err)
	var left int
	ok(t, b.QueryRow(ctx, `SELECT count(*) FROM answer_seconds`).Scan(&left))
	if left != 0 {
		t.Errorf("%d rows are kept", left)
	}
}

// The turns that a client sent before a question are forgotten once it is answered.
func TestEarlierTurnsEndWithTheAnswer(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	for name, end := range map[string]func(id uuid.UUID){
		"answered": func(id uuid.UUID) {
			_, err := b.FinishAnswer(ctx, id, 1, postgres.Outcome{State: chat.Done})
			ok(t, err)
		},
		"lost": func(id uuid.UUID) {
			ok(t, b.Exec(ctx, `UPDATE messages SET attempt = attempt_floor + $2, lease_until = now() - interval '1 second' WHERE id = $1`, id, postgres.MaxAttempts))
			_, err := b.FailHopeless(ctx)
			ok(t, err)
		},
	} {
		_, id, err := b.CreateTurn(ctx, postgres.NewTurn{UserID: b.user.ID, Question: "Et ensuite ?", Earlier: []postgres.EarlierTurn{{Question: "Combien ?", Answer: "Dix jours."}}})
		ok(t, err)
		w, err := b.StartAnswer(ctx, id)
		ok(t, err)
		if len(w.History) != 2 {
			t.Errorf("%s: history %+v", name, w.History)
		}
		end(id)
		var kept *string
		ok(t, b.QueryRow(ctx, `SELECT earlier::text FROM messages WHERE id = $1`, id).Scan(&kept))
		if kept != nil {
			t.Errorf("%s: %s is kept", name, *kept)
		}
	}
}

// Among equally good answers the hinted one is selected, then the oldest one. A user's own
// questions are answered in order.
func TestHintBreaksTies(t *testing.T) {
	b := setup(t)
	second, third := b.addUser(t, "b@exemple.org", "user"), b.addUser(t, "c@exemple.org", "user")
	first := b.askAs(t, b.user.ID, 2)
	x, y := b.askAs(t, second.ID, 1)[0], b.askAs(t, third.ID, 1)[0]
	for i, c := range []struct{ hint, want uuid.UUID }{{y, y}, {uuid.New(), first[0]}, {first[1], x}, {x, first[1]}} {
		if got := b.start(t, c.hint); got != c.want {
			t.Errorf("pick %d: %v, want %v", i, got, c.want)
		}
	}
}

func TestWorkersThatPickAtOnceTakeDifferentRows(t *testing.T) {
	b := setup(t)
	const users, each = 5, 6
	for i := range users {
		b.askAs(t, b.addUser(t, string(rune('f'+i))+"@exemple.org", "user").ID, each)
	}
	var mu sync.Mutex
	taken := map[uuid.UUID]int{}
	var all sync.WaitGroup
	for range users * each {
		all.Go(func() {
			// A call that lost every race for its rows has used a stale hint; each row has a hint of
			// its own.
			for {
				w, err := b.StartAnswer(t.Context(), uuid.New())
				if errs.Is(err, errs.LeaseLost) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				taken[w.ID]++
				mu.Unlock()
				return
			}
		})
	}
	all.Wait()
	if len(taken) != users*each {
		t.Errorf("%d rows taken, want %d", len(taken), users*each)
	}
	for id, n := range taken {
		if n != 1 {
			t.Errorf("%v taken %d times", id, n)
		}
	}
}

// Released attempts do not count as crashes; the lost attempts between them do.
func TestOnlyLossesCountTowardsGivingUp(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	_, id := b.ask(t, nil, "Combien ?")
	lose := func() { b.start(t, id); b.expire(t, "messages", id) }
	giveBack := func() {
		w, err := b.StartAnswer(ctx, id)
		ok(t, err)
		ok(t, b.ReleaseAnswer(ctx, id, w.Attempt))
	}
	for range postgres.MaxAttempts - 1 {
		lose()
		for range 2 * postgres.MaxAttempts {
			giveBack()
		}
	}
	failed, err := b.FailHopeless(ctx)
	ok(t, err)
	if len(failed) != 0 {
		t.Fatalf("given up: %v", failed)
	}
	w, err := b.StartAnswer(ctx, id)
	ok(t, err)
	ok(t, b.PutBackAnswer(ctx, id, w.Attempt, 0))
	if w, err = b.StartAnswer(ctx, id); err != nil || w.Failures != 1 {
		t.Fatalf("failures %d, %v", w.Failures, err)
	}
	b.expire(t, "messages", id)
	if failed, err = b.FailHopeless(ctx); err != nil || len(failed) != 1 || failed[0].Attempt != w.Attempt+1 {
		t.Errorf("given up: %v, %v after attempt %d", failed, err, w.Attempt)
	}
}

func TestAnswerThatFailedWaitsForItsTime(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	_, id := b.ask(t, nil, "Combien ?")
	b.start(t, id)
	ok(t, b.PutBackAnswer(ctx, id, 1, time.Hour))
	wantKind(t, b.PutBackAnswer(ctx, id, 1, 0), errs.LeaseLost)
	_, err := b.StartAnswer(ctx, id)
	wantKind(t, err, errs.LeaseLost)
	if due, err := b.DueAnswers(ctx, 10); err != nil || len(due) != 0 {
		t.Errorf("due %v, %v", due, err)
	}
	ok(t, b.Exec(ctx, `UPDATE messages SET not_before = now() WHERE id = $1`, id))
	b.start(t, id)
	m, err := b.FinishAnswer(ctx, id, 2, postgres.Outcome{State: chat.Done})
	ok(t, err)
	if m.Attempt != 2 {
		t.Errorf("attempt %d", m.Attempt)
	}
}

// A file that makes progress survives several crashes. A file without progress is given up
// and can be retried.
func TestProgressForgivesLostWorkers(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	i := b.addGazette(t, "a1")
	for page := range 3 * postgres.MaxAttempts {
		ok(t, b.SavePages(ctx, i.ID, i.Attempt, []postgres.StoredPage{{Number: page + 1, Source: "layer", Content: []byte("x")}}, 100))
		b.expire(t, "ingestions", i.ID)
		var err error
		i, err = b.StartIngestion(ctx, i.ID)
		ok(t, err)
	}
	for range postgres.MaxAttempts - 2 {
		b.expire(t, "ingestions", i.ID)
		lost, err := b.StartIngestion(ctx, i.ID)
		ok(t, err)
		ok(t, b.CountPages(ctx, i.ID, lost.Attempt, 100, 0)) // opening a file is not progress
	}
	b.expire(t, "ingestions", i.ID)
	_, err := b.FailHopeless(ctx)
	ok(t, err)
	if i, err = b.Ingestion(ctx, i.ID); err != nil || i.State != "failed" || i.Error != postgres.LostText {
		t.Fatalf("%s, %q, %v", i.State, i.Error, err)
	}
	ok(t, b.RetryIngestion(ctx, i.ID, nil))
	again, err := b.StartIngestion(ctx, i.ID)
	ok(t, err)
	if again.Attempt != i.Attempt+1 || again.Tries != 1 || again.PagesDone != 3*postgres.MaxAttempts {
		t.Errorf("taken up again: %+v", again)
	}
}

// A file that crashes every worker after one page is also given up.
func TestProgressDoesNotForgiveForEver(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	i := b.addGazette(t, "a1")
	for n := range 3 * postgres.MaxDeaths {
		ok(t, b.SavePages(ctx, i.ID, i.Attempt, []postgres.StoredPage{{Number: n + 1, Source: "layer", Content: []byte("x")}}, 100))
		b.expire(t, "ingestions", i.ID)
		due, err := b.DueIngestions(ctx, 10)
		ok(t, err)
		_, err = b.FailHopeless(ctx)
		ok(t, err)
		now, err := b.Ingestion(ctx, i.ID)
		ok(t, err)
		if now.State == "failed" {
			if n+1 != postgres.MaxDeaths || len(due) > 0 || now.Error != postgres.DeathsText {
				t.Errorf("given up after %d deaths, due %v: %q", n+1, due, now.Error)
			}
			ok(t, b.RetryIngestion(ctx, i.ID, nil))
			again, err := b.StartIngestion(ctx, i.ID)
			ok(t, err)
			ok(t, b.SavePages(ctx, i.ID, again.Attempt, nil, 100))
			b.expire(t, "ingestions", i.ID)
			if due, err = b.DueIngestions(ctx, 10); err != nil || len(due) != 1 {
				t.Errorf("taken up again by hand: %v, %v", due, err)
			}
			return
		}
		b.expire(t, "ingestions", i.ID)
		i, err = b.StartIngestion(ctx, i.ID)
		ok(t, err)
	}
	t.Errorf("%d deaths and no end", 3*postgres.MaxDeaths)
}

func TestFileThatFailedWaitsForItsTime(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	i := b.addGazette(t, "a1")
	ok(t, b.PutBackIngestion(ctx, i.ID, i.Attempt, "Le disque dort.", time.Hour))
	_, err := b.StartIngestion(ctx, i.ID)
	wantKind(t, err, errs.LeaseLost)
	if due, err := b.DueIngestions(ctx, 10); err != nil || len(due) != 0 {
		t.Errorf("due %v, %v", due, err)
	}
	if i, err = b.Ingestion(ctx, i.ID); err != nil || i.Failures != 1 || i.Error != "Le disque dort." {
		t.Errorf("%+v, %v", i, err)
	}
	ok(t, b.Exec(ctx, `UPDATE ingestions SET not_before = now() WHERE id = $1`, i.ID))
	again, err := b.StartIngestion(ctx, i.ID)
	ok(t, err)
	ok(t, b.ReleaseIngestion(ctx, i.ID, again.Attempt))
	if i, err = b.Ingestion(ctx, i.ID); err != nil || i.Tries != 1 {
		t.Errorf("%d tries after one that failed and one that was given back, %v", i.Tries, err)
	}
}

// An account has so many tokens a day, of which answers that have not ended take some, too.
func TestTokensOfADay(t *testing.T) {
	b := setup(t)
	ask := func(most int) (left int, id uuid.UUID, err error) {
		tokens := &postgres.Tokens{Most: most}
		_, id, err = b.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user.ID, Question: "Q ?", Model: "grand", Tokens: tokens})
		return tokens.Left, id, err
	}
	left, id, err := ask(9000)
	ok(t, err)
	if left != 9000 {
		t.Errorf("%d left at first", left)
	}
	if left, _, err := ask(9000); err != nil || left != 9000-8192 {
		t.Errorf("%d left beside an answer in progress, %v", left, err)
	}
	if _, _, err := ask(9000); !errors.Is(err, postgres.ErrTokensSpent) {
		t.Errorf("beside two: %v", err)
	}
	w, err := b.StartAnswer(t.Context(), id)
	ok(t, err)
	if w.Asker != b.user.ID {
		t.Errorf("asker %v", w.Asker)
	}
	ok(t, b.Exec(t.Context(), `DELETE FROM conversations`)) // what was spent counts all the same
	spent := func(attempt int) {
		t.Helper()
		ok(t, b.AddUsage(t.Context(), id, w.Asker, attempt, []postgres.Usage{{Server: "gpu", Model: "grand", Requests: 1, In: 5000, Out: 1000}}))
	}
	spent(1)
	if left, _, err := ask(9000); err != nil || left != 3000 {
		t.Errorf("%d left after an answer, %v", left, err)
	}
	ok(t, b.Exec(t.Context(), `DELETE FROM conversations`))
	ok(t, b.Exec(t.Context(), `UPDATE model_usage SET spent_at = date_trunc('day', now(), 'UTC') - interval '1 microsecond'`))
	if left, _, err := ask(9000); err != nil || left != 9000 {
		t.Errorf("%d left on another day, %v", left, err)
	}
	spent(2)
	var named int
	if err := b.QueryRow(t.Context(), `SELECT count(user_id) FROM model_usage`).Scan(&named); err != nil || named != 1 {
		t.Errorf("%d rows name an account, %v", named, err)
	}
}

// Usage is summed by day, model and server. Repeated calls count once, and the sums stay
// after the conversation was deleted, without naming its user.
func TestUsageOfModelsIsSummedAndKept(t *testing.T) {
	db := setup(t)
	conversation, first, err := db.CreateTurn(t.Context(), postgres.NewTurn{UserID: db.user.ID, Question: "Q ?", Model: "grand"})
	if err != nil {
		t.Fatal(err)
	}
	own := postgres.Usage{Server: "gpu", Model: "grand", Requests: 1, In: 1000, Out: 50}
	sold := postgres.Usage{Server: "vendeur", Model: "grand", Requests: 2, In: 3000, Out: 100, Estimated: true, Cost: 0.25}
	add := func(attempt int, usage ...postgres.Usage) {
		t.Helper()
		if err := db.AddUsage(t.Context(), first, db.user.ID, attempt, usage); err != nil {
			t.Fatal(err)
		}
	}
	add(1)
	add(1, own, sold)
	add(1, own, sold) // a repetition, because the reply to the first call was lost
	add(2, sold)
	sold.Requests, sold.In, sold.Out, sold.Cost = 4, 6000, 200, 0.5
	today := time.Now().UTC().Truncate(24 * time.Hour)
	held := func(what string, start, to time.Time, want ...[]postgres.Usage) {
		t.Helper()
		days, err := db.Figures(t.Context(), start, to)
		if err != nil || len(days) != len(want) {
			t.Fatalf("%s: %d days, %v", what, len(days), err)
		}
		for i, d := range days {
			if !slices.Equal(d.Usage, want[i]) {
				t.Errorf("%s, %s: %+v, want %+v", what, d.Day.Format(time.DateOnly), d.Usage, want[i])
			}
		}
	}
	if err := db.Exec(t.Context(), `UPDATE model_usage SET spent_at = $1 WHERE server = 'gpu'`, today.AddDate(0, 0, -1).Add(24*time.Hour-time.Microsecond)); err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(t.Context(), `UPDATE model_usage SET spent_at = $1 WHERE server = 'vendeur'`, today); err != nil {
		t.Fatal(err)
	}
	held("of an answer", today.AddDate(0, 0, -2), today, nil, []postgres.Usage{own}, []postgres.Usage{sold})
	held("of the day before", today.AddDate(0, 0, -1), today.AddDate(0, 0, -1), []postgres.Usage{own})

	if err := db.Exec(t.Context(), `DELETE FROM conversations WHERE id = $1`, conversation); err != nil {
		t.Fatal(err)
	}
	var told int
	if err := db.QueryRow(t.Context(), `SELECT count(message_id) FROM model_usage`).Scan(&told); err != nil || told != 0 {
		t.Errorf("%d rows tell whose they were, %v", told, err)
	}
	late := postgres.Usage{Server: "gpu", Model: "petit", Requests: 1, In: 10, Out: 1}
	add(3, late)
	if err := db.Exec(t.Context(), `UPDATE model_usage SET spent_at = $1 WHERE model = 'petit'`, today); err != nil {
		t.Fatal(err)
	}
	held("of one that is gone", today.AddDate(0, 0, -1), today, []postgres.Usage{own}, []postgres.Usage{sold, late})
}

// TestGuestsCountAsOnePerson: their questions take turns with those of each account.
func TestGuestsCountAsOnePerson(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	var hints []string
	for range 3 {
		_, id, err := b.CreateTurn(ctx, postgres.NewTurn{Guest: true, Question: "Combien ?", Model: "extractif", Backlog: postgres.Backlog{Rows: 1000, Wait: 1 << 40}})
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
		_, _, err = b.CreateTurn(ctx, postgres.NewTurn{Guest: true, Question: "Combien ?", Model: "extractif", Backlog: postgres.Backlog{Rows: 100, Wait: 1 << 40}})
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
	conversation, id, err := b.CreateTurn(ctx, postgres.NewTurn{Guest: true, Question: "Combien ?", Model: "extractif"})
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

func TestBacklog(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	other := b.addUser(t, "autre@exemple.org", "user")
	wants := func(moment string, user uuid.UUID, limit postgres.Backlog, want bool) {
		t.Helper()
		if full, err := b.Backlogged(ctx, user, limit); err != nil || full != want {
			t.Errorf("%s: full %v, %v; want %v", moment, full, err, want)
		}
	}
	limit := postgres.Backlog{Wait: time.Minute, Rows: 100}
	wants("nothing waits", b.user.ID, limit, false)

	own := b.askAs(t, b.user.ID, 10)
	wants("ten of one's own wait", b.user.ID, limit, true)
	wants("ten of another's wait", other.ID, limit, false)
	wants("as many as there may be", other.ID, postgres.Backlog{Wait: time.Minute, Rows: 10}, true)

	ok(t, b.Exec(ctx, `UPDATE messages SET created_at = created_at - interval '2 minutes'`))
	wants("the first of another waits for long", other.ID, limit, true)
	taken := b.start(t, own[0])
	wants("the second of another waits for long", other.ID, limit, false)
	wants("one's own second waits for long", b.user.ID, postgres.Backlog{Wait: time.Minute, Rows: 1000}, true)
	wants("it may wait for longer", b.user.ID, postgres.Backlog{Wait: time.Hour, Rows: 1000}, false)
	b.expire(t, "messages", taken)
	wants("the worker of the first is lost", other.ID, limit, true)
}
