package postgres_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

// askAs asks questions as a user, each in its own conversation.
func (b bundle) askAs(t *testing.T, user uuid.UUID, n int) (ids []uuid.UUID) {
	t.Helper()
	for range n {
		_, id, err := b.CreateTurn(t.Context(), postgres.Turn{UserID: user, Question: "Combien ?"})
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
		_, id, err := b.CreateTurn(ctx, postgres.Turn{UserID: b.user.ID, Question: "Et ensuite ?", Earlier: []postgres.EarlierTurn{{Question: "Combien ?", Answer: "Dix jours."}}})
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
