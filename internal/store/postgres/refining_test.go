package postgres_test

import "testing"

// TestWhatIsUrgent checks that questions and files are urgent until they have ended.
func TestWhatIsUrgent(t *testing.T) {
	b := setup(t)
	urgent := func(when string, want bool) {
		t.Helper()
		if got, err := b.UrgentWork(t.Context()); err != nil || got != want {
			t.Errorf("%s: urgent %v, %v", when, got, err)
		}
	}
	urgent("nothing waits", false)
	file := b.addGazette(t, "a1")
	urgent("a file is read", true)
	ok(t, b.MarkIngestion(t.Context(), file.ID, file.Attempt, "done", ""))
	urgent("the file is read", false)
	_, m := b.ask(t, nil, "Mon préavis ?")
	urgent("a question waits", true)
	ok(t, b.Exec(t.Context(), `UPDATE messages SET state = 'done' WHERE id = $1`, m))
	urgent("the question is answered", false)
}
