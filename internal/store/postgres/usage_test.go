package postgres_test

import (
	"slices"
	"testing"
	"time"

	"vigueur/internal/store/postgres"
)

// Usage is summed by day, model and server. Repeated calls count once, and the sums stay
// after the conversation was deleted, without naming its user.
func TestUsageOfModelsIsSummedAndKept(t *testing.T) {
	db := setup(t)
	conversation, first, err := db.CreateTurn(t.Context(), postgres.Turn{UserID: db.user.ID, Question: "Q ?", Model: "grand"})
	if err != nil {
		t.Fatal(err)
	}
	own := postgres.Usage{Server: "gpu", Model: "grand", Requests: 1, In: 1000, Out: 50}
	sold := postgres.Usage{Server: "vendeur", Model: "grand", Requests: 2, In: 3000, Out: 100, Estimated: true, Cost: 0.25}
	add := func(attempt int, usage ...postgres.Usage) {
		t.Helper()
		if err := db.AddUsage(t.Context(), first, attempt, usage); err != nil {
			t.Fatal(err)
		}
	}
	add(1)
	add(1, own, sold)
	add(1, own, sold) // a repetition, because the reply to the first call was lost
	add(2, sold)
	sold.Requests, sold.In, sold.Out, sold.Cost = 4, 6000, 200, 0.5
	today := time.Now().UTC().Truncate(24 * time.Hour)
	held := func(what string, from, to time.Time, want ...[]postgres.Usage) {
		t.Helper()
		days, err := db.Figures(t.Context(), from, to)
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
