package postgres_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

func withParam(url, param string) string {
	if strings.Contains(url, "?") {
		return url + "&" + param
	}
	return url + "?" + param
}

func TestSessionsAreLimited(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	for _, c := range []struct{ url, name, want string }{
		{url, "statement_timeout", "10min"}, {url, "lock_timeout", "1min"}, {url, "idle_in_transaction_session_timeout", "15s"},
		{withParam(url, "lock_timeout=7000"), "lock_timeout", "7s"},
	} {
		db, err := postgres.Open(t.Context(), c.url)
		ok(t, err)
		var got string
		ok(t, db.QueryRow(t.Context(), `SELECT current_setting($1)`, c.name).Scan(&got))
		if got != c.want {
			t.Errorf("%s is %s, want %s", c.name, got, c.want)
		}
		db.Close()
	}
	for _, c := range []struct {
		url     string
		program postgres.Program
		want    int32
	}{
		{url, postgres.Program{}, 4},
		{url, postgres.Program{Connections: 50}, 50},
		{url, postgres.Program{Connections: 8, Leases: true}, 5},
		{withParam(url, "pool_max_conns=3"), postgres.Program{Connections: 50, Leases: true}, 3},
	} {
		db, err := postgres.OpenFor(t.Context(), c.url, c.program)
		ok(t, err)
		if pool, renewals := db.Sizes(); pool != c.want || renewals < 1 {
			t.Errorf("%d connections and %d for renewals, want %d", pool, renewals, c.want)
		}
		db.Close()
	}
}

// An address with pool_max_conns also works for connections outside the pool.
func TestTheSizeOfThePoolIsNoParameterOfTheServer(t *testing.T) {
	t.Parallel()
	url := withParam(pgtest.NewURL(t), "pool_max_conns=2")
	_, err := postgres.Migrate(t.Context(), url, nil)
	ok(t, err)
	_, err = postgres.Examine(t.Context(), url)
	ok(t, err)
	db, err := postgres.Open(t.Context(), url)
	ok(t, err)
	t.Cleanup(db.Close)
	ctx, listening := context.WithCancel(t.Context())
	if err := db.Listen(ctx, listening); !errors.Is(err, context.Canceled) {
		t.Errorf("listened until %v", err)
	}
}

// A process that stops in the middle of announce blocks others for at most the idle limit
// of its session.
func TestAStoppedWriterBlocksNobodyForLong(t *testing.T) {
	t.Parallel()
	db, err := postgres.Open(t.Context(), pgtest.NewURL(t))
	ok(t, err)
	defer db.Close()
	const lock = `SELECT pg_advisory_xact_lock(8532464722941145649)` // the lock of announce
	stopped, err := db.Begin(t.Context())
	ok(t, err)
	_, err = stopped.Exec(t.Context(), lock)
	ok(t, err)
	// The session is idle from here on. The limit is set only now, because it would also end
	// the session during the test's own pauses.
	_, err = stopped.Exec(t.Context(), `SET LOCAL idle_in_transaction_session_timeout = 300`)
	ok(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	ok(t, db.Exec(ctx, lock))
	_, err = stopped.Exec(t.Context(), `SELECT 1`)
	if err == nil {
		t.Error("the transaction that stood still goes on")
	}
	_ = stopped.Rollback(t.Context()) // its connection is closed
}

// A lease is renewed even if all connections of the pool are busy.
func TestALeaseIsRenewedWhileThePoolIsBusy(t *testing.T) {
	b := setup(t)
	_, id := b.ask(t, nil, "Combien de jours ?")
	_, err := b.StartAnswer(t.Context(), id)
	ok(t, err)
	most, _ := b.Sizes()
	for range most {
		release, err := b.Acquire(t.Context())
		ok(t, err)
		t.Cleanup(release)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	_, err = b.KeepAnswer(ctx, id, 1)
	ok(t, err)
}

// If bytes are deleted while they are added again, either the bytes exist in the end or no
// row is added.
func TestBytesThatAreDroppedWhileTheyAreAdded(t *testing.T) {
	b := setup(t)
	var kept atomic.Bool
	var row postgres.Ingestion
	interleave(t, b, func() (first, second func(ctx context.Context, db *postgres.DB) error) {
		kept.Store(true) // the upload has stored them
		row = postgres.Ingestion{ID: postgres.NewID(), SHA256: strings.ReplaceAll(postgres.NewID().String()+postgres.NewID().String(), "-", ""), Filename: "a.pdf", Size: 1}
		own := row
		return func(ctx context.Context, db *postgres.DB) error {
				return db.AddFile(ctx, own, func(context.Context) error {
					if !kept.Load() {
						return errs.New(errs.NotFound, "")
					}
					return nil
				})
			}, func(ctx context.Context, db *postgres.DB) error {
				_, err := db.DropBytes(ctx, own.SHA256, func(context.Context) error { kept.Store(false); return nil })
				return err
			}
	}, func(t *testing.T, added, dropped error) {
		ok(t, dropped)
		_, err := b.IngestionBySHA(t.Context(), row.SHA256)
		if there := err == nil; there != kept.Load() || there != (added == nil) {
			t.Errorf("the row is there: %v, its bytes: %v, added: %v", there, kept.Load(), added)
		}
	})
}
