package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"vigueur/internal/store/postgres"
)

// queued returns once n entries are queued.
func (b bundle) queued(t *testing.T, lines int) {
	t.Helper()
	for ctx := soon(t); b.NotesWaiting() < lines; time.Sleep(time.Millisecond) {
		ok(t, ctx.Err())
	}
}

// Concurrent entries share transactions: each is committed, linked and complete when its
// writer returns.
func TestNotesShareTransactions(t *testing.T) {
	b := setup(t)
	release := b.hold(t, "audit") // until all writers wait
	first := later(func() error { return b.Note(t.Context(), postgres.KeyCalled, "first", nil) })
	b.waiting(t, 1)
	const writers = 60
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			object := fmt.Sprint("n", i)
			if err := b.Note(postgres.By(t.Context(), b.user.ID), postgres.KeyCalled, object, map[string]any{"i": i}); err != nil {
				t.Errorf("%s: %v", object, err)
				return
			}
			var own int
			if err := b.QueryRow(t.Context(), `SELECT count(*) FROM audit WHERE object = $1 AND user_id = $2 AND details = jsonb_build_object('i', $3::int)`,
				object, b.user.ID, i).Scan(&own); err != nil || own != 1 {
				t.Errorf("%s was told of, and stands there %d times (%v)", object, own, err)
			}
		})
	}
	b.queued(t, writers)
	release()
	ok(t, <-first)
	all.Wait()
	var transactions int
	ok(t, b.QueryRow(t.Context(), `SELECT count(DISTINCT xmin::text) FROM audit WHERE action = 'key.call'`).Scan(&transactions))
	if transactions != 2 {
		t.Errorf("%d lines in %d transactions", writers, transactions)
	}
	if _, faults := b.verified(t, nil); len(faults) > 0 {
		t.Errorf("the chain: %v", faults)
	}
}

// An entry that cannot be written fails alone.
func TestANoteFailsAlone(t *testing.T) {
	b := setup(t)
	release := b.hold(t, "audit")
	results := map[string]<-chan error{}
	for _, object := range []string{"first", "good", "bad\x00", "another"} {
		results[object] = later(func() error { return b.Note(t.Context(), postgres.KeyCalled, object, nil) })
		b.waiting(t, 1) // so that the first is being written while the others wait
	}
	b.queued(t, 3)
	release()
	for object, result := range results {
		if err := <-result; (err != nil) != (object == "bad\x00") {
			t.Errorf("%q: %v", object, err)
		}
	}
}

// If a writer's context ends, the writer does not wait for the transaction, and the other
// writers' entries are still written.
func TestAWriterOfANoteMayLeave(t *testing.T) {
	b := setup(t)
	release := b.hold(t, "audit")
	ctx, leave := context.WithCancel(t.Context())
	gone := later(func() error { return b.Note(ctx, postgres.KeyCalled, "gone", nil) })
	b.waiting(t, 1)
	stays := later(func() error { return b.Note(t.Context(), postgres.KeyCalled, "stays", nil) })
	leave()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("who left: %v", err)
	}
	release()
	ok(t, <-stays)
}
