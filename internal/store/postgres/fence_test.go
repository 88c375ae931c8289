package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// hold locks a table against writers until release is called.
func (b bundle) hold(t *testing.T, table string) (release func()) {
	t.Helper()
	tx, err := b.Begin(t.Context())
	ok(t, err)
	_, err = tx.Exec(t.Context(), `LOCK TABLE `+pgx.Identifier{table}.Sanitize()+` IN SHARE MODE`)
	ok(t, err)
	// Also if the test fails, because the database can be closed only after the waiting
	// statements have ended.
	t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) })
	return func() {
		t.Helper()
		ok(t, tx.Rollback(t.Context()))
	}
}

// waiting returns once n transactions wait for a lock. It polls, because PostgreSQL has no
// notification for that.
func (b bundle) waiting(t *testing.T, least int) {
	t.Helper()
	ctx := soon(t)
	for n := 0; n < least; time.Sleep(10 * time.Millisecond) {
		ok(t, b.QueryRow(ctx, `SELECT count(DISTINCT l.pid) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
			WHERE NOT l.granted AND a.datname = current_database()`).Scan(&n))
	}
}

// later runs f concurrently and returns its error.
func later(f func() error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	return done
}

// soon returns a context that ends calls that would otherwise wait forever. Its timeout is
// much longer than any call should take.
func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func (b bundle) count(t *testing.T, table string) (n int) {
	t.Helper()
	ok(t, b.QueryRow(t.Context(), `SELECT count(*) FROM `+pgx.Identifier{table}.Sanitize()).Scan(&n))
	return n
}

func TestLeaseIsRenewedWhileTextsAreSaved(t *testing.T) {
	b := setup(t)
	i := b.addGazette(t, "a1")
	release := b.hold(t, "passages")
	saved := later(func() error {
		return b.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: []postgres.Text{text("Loi", "1", day("2024-01-01"), "1er")}})
	})
	b.waiting(t, 1)
	if cancel, err := b.KeepIngestion(soon(t), i.ID, i.Attempt, 0); err != nil || cancel {
		t.Errorf("renewed in mid-save: cancel %v, %v", cancel, err)
	}
	ok(t, b.CancelIngestion(soon(t), i.ID))
	if cancel, err := b.KeepIngestion(soon(t), i.ID, i.Attempt, 0); err != nil || !cancel {
		t.Errorf("canceled in mid-save: cancel %v, %v", cancel, err)
	}
	release()
	ok(t, <-saved)
	if n := b.count(t, "passages"); n != 1 {
		t.Errorf("%d passages saved", n)
	}
}

func TestSaveOfALostAttemptLeavesNothing(t *testing.T) {
	b := setup(t)
	i := b.addGazette(t, "a1")
	release := b.hold(t, "passages")
	old := []postgres.Text{text("Ancienne", "1", day("2024-01-01"), "1er")}
	saved := later(func() error {
		return b.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: old})
	})
	b.waiting(t, 1)
	b.expire(t, "ingestions", i.ID)
	due, err := b.DueIngestions(soon(t), 10)
	if err != nil || len(due) != 1 {
		t.Fatalf("due %v, %v", due, err)
	}
	newer, err := b.StartIngestion(soon(t), i.ID)
	ok(t, err)
	pages := []postgres.StoredPage{{Number: 1, Source: layout.Layer, Content: []byte("1")}}
	ok(t, b.SavePages(soon(t), i.ID, newer.Attempt, pages, 1))
	better := []postgres.Text{text("Nouvelle", "1", day("2024-01-01"), "1er", "2")}
	again := later(func() error {
		return b.SaveSegmentation(t.Context(), i.ID, newer.Attempt, postgres.Segmentation{Texts: better})
	})
	b.waiting(t, 2)
	_, err = b.KeepIngestion(soon(t), i.ID, newer.Attempt, 0)
	ok(t, err)
	release()
	wantKind(t, <-saved, errs.LeaseLost)
	ok(t, <-again)
	if n := b.count(t, "passages"); n != 2 {
		t.Errorf("%d passages, want those of the newer attempt alone", n)
	}
	if n := b.count(t, "catalogue_changes"); n != 1 {
		t.Errorf("%d changes are told: one was saved", n)
	}
	wantKind(t, b.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{}), errs.LeaseLost)
}

// A file that is segmented again has texts in the catalogue, which an editor may change
// while they are saved: one transaction waits for the other, without a deadlock.
func TestSaveAndChangeOfOneFileFollowOneAnother(t *testing.T) {
	b := setup(t)
	i := b.addGazette(t, "a1")
	law := text("Loi", "1", day("2024-01-01"), "1er")
	b.save(t, i, law)
	title := "Loi changée"
	change := func() error {
		_, err := b.ChangeDocument(t.Context(), law.Document.ID, postgres.DocumentChange{Title: &title}, postgres.StatusChange{})
		return err
	}
	release := b.hold(t, "passages")
	saved := later(func() error {
		return b.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: []postgres.Text{law}})
	})
	b.waiting(t, 1)
	changed := later(change)
	b.waiting(t, 2)
	_, err := b.KeepIngestion(soon(t), i.ID, i.Attempt, 0)
	ok(t, err)
	release()
	ok(t, <-saved)
	ok(t, <-changed)

	// In the other order: the change is running when the save begins.
	release = b.hold(t, "relation_targets")
	changed = later(change)
	b.waiting(t, 1)
	saved = later(func() error {
		return b.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: []postgres.Text{law}})
	})
	b.waiting(t, 2)
	release()
	ok(t, <-changed)
	ok(t, <-saved)
	if d, err := b.Document(t.Context(), law.Document.ID); err != nil || d.Title != title {
		t.Errorf("the text is called %q, %v", d.Title, err)
	}
}

func TestLeaseIsRenewedWhileVectorsAreSaved(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	i := b.addGazette(t, "a1")
	law := text("Loi", "1", day("2024-01-01"), "1er")
	b.save(t, i, law)
	vectors := []postgres.PassageVectors{{PassageID: law.Passages[0].ID, Packed: []byte{1}}}
	for _, role := range []string{"current", "next"} {
		g, err := b.EnsureGeneration(ctx, postgres.Generation{ID: postgres.NewID(), Model: role, Dimensions: 1, Probe: []byte{1}},
			func(postgres.Generation) bool { return false })
		ok(t, err)
		l, err := b.LeaseEmbedding(ctx, g.ID)
		ok(t, err)
		writes := []func(l postgres.Leased) error{func(l postgres.Leased) error { return b.SaveVectors(ctx, g.ID, l.Attempt, vectors) }}
		if role == "next" { // then the vectors of the current generation are deleted
			writes = append(writes, func(l postgres.Leased) error {
				_, err := b.FinishEmbedding(ctx, l, 1)
				return err
			})
		}
		for _, write := range writes {
			release := b.hold(t, "vectors")
			done := later(func() error { return write(l) })
			b.waiting(t, 1)
			// Meanwhile, a starting worker looks up its generation.
			started, err := b.EnsureGeneration(soon(t), postgres.Generation{}, func(known postgres.Generation) bool { return known.ID == g.ID })
			if err != nil || started.ID != g.ID {
				t.Fatalf("a worker that starts finds %v, %v", started.ID, err)
			}
			ok(t, b.RenewEmbedding(soon(t), l, 0))
			b.expire(t, "generations", g.ID)
			newer, err := b.LeaseEmbedding(soon(t), g.ID)
			ok(t, err)
			release()
			wantKind(t, <-done, errs.LeaseLost)
			ok(t, write(newer))
			l = newer
		}
	}
	if list, err := b.Generations(ctx); err != nil || len(list) != 1 || list[0].Model != "next" || !list[0].Current {
		t.Errorf("generations %+v, %v", list, err)
	}
}

func TestAttemptThatItsWorkerOutlivesIsNoDeath(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	i := b.addGazette(t, "a1")
	lose := func() (attempt int) {
		b.expire(t, "ingestions", i.ID)
		next, err := b.StartIngestion(ctx, i.ID)
		ok(t, err)
		return next.Attempt - 1
	}
	for range postgres.MaxAttempts + 1 {
		ok(t, b.ExcuseIngestion(ctx, i.ID, lose())) // while the next attempt is running
	}
	b.expire(t, "ingestions", i.ID)
	_, err := b.FailHopeless(ctx)
	ok(t, err)
	row, err := b.Ingestion(ctx, i.ID)
	ok(t, err)
	if excused := postgres.MaxAttempts + 1; row.State != "running" || row.Failures != excused || row.Tries != excused+1 {
		t.Fatalf("%s after %d failures, %d tries", row.State, row.Failures, row.Tries)
	}

	// An attempt that does not count as a crash is not excused instead of another one.
	lost := lose()
	ok(t, b.SavePages(ctx, i.ID, lost+1, []postgres.StoredPage{{Number: 1, Source: layout.Layer, Content: []byte("1")}}, 1))
	ok(t, b.ExcuseIngestion(ctx, i.ID, lost))
	for range postgres.MaxAttempts - 1 {
		lose()
	}
	b.expire(t, "ingestions", i.ID)
	_, err = b.FailHopeless(ctx)
	ok(t, err)
	if row, err = b.Ingestion(ctx, i.ID); err != nil || row.State != "failed" || row.Error != postgres.LostText {
		t.Errorf("%s (%s), %v: %d attempts were lost since a page was read", row.State, row.Error, err, postgres.MaxAttempts)
	}
	ok(t, b.ExcuseIngestion(ctx, i.ID, row.Attempt))
	if again, err := b.Ingestion(ctx, i.ID); err != nil || again.Failures != row.Failures {
		t.Errorf("what has ended is excused: %+v, %v", again, err)
	}
}
