package postgres_test

import (
	"testing"
	"time"

	"vigueur/internal/store/postgres"
)

// Leased jobs and jobs that are not due yet do not count as waiting for a worker.
func TestOnlyWhatAWorkerMightTakeWaits(t *testing.T) {
	db := setup(t)
	answers := func() postgres.Waiting {
		t.Helper()
		classes, err := db.Waiting(t.Context())
		if err != nil || len(classes) != 8 || classes[1].Class != "answers" {
			t.Fatalf("classes %+v, %v", classes, err)
		}
		return classes[1]
	}
	if w := answers(); w.Waits != nil || w.Oldest != nil {
		t.Errorf("without work: %+v", w)
	}
	_, id, err := db.CreateTurn(t.Context(), postgres.Turn{UserID: db.user.ID, Question: "Q ?", Model: "extractif"})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(t.Context(), `UPDATE messages SET created_at = created_at - interval '1 hour' WHERE id = $1`, id); err != nil {
		t.Fatal(err)
	}
	if w := answers(); w.Waits == nil || *w.Waits < time.Hour || *w.Waits > 2*time.Hour {
		t.Errorf("a question of an hour ago waits for %v", w.Waits)
	}
	if err := db.Exec(t.Context(), `UPDATE messages SET not_before = now() + interval '1 hour' WHERE id = $1`, id); err != nil {
		t.Fatal(err)
	}
	if w := answers(); w.Waits != nil || w.Queued != 1 {
		t.Errorf("what must not be taken yet waits for %v", w.Waits)
	}
	if err := db.Exec(t.Context(), `UPDATE messages SET not_before = now() - interval '1 minute' WHERE id = $1`, id); err != nil {
		t.Fatal(err)
	}
	if w := answers(); w.Waits == nil || *w.Waits < time.Minute || *w.Waits > 30*time.Minute {
		t.Errorf("what might be taken for a minute waits for %v", w.Waits)
	}
	if _, err := db.StartAnswer(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if w := answers(); w.Waits != nil || w.Running != 1 || w.Oldest == nil || *w.Oldest < time.Hour {
		t.Errorf("taken: %+v", w)
	}
}
