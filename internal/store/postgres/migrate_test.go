package postgres_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

func TestASchemaThatIsBehindIsTold(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	if err := db.CheckUpToDate(t.Context()); err != nil {
		t.Errorf("a schema that was just made: %v", err)
	}
	if err := db.Exec(t.Context(), `DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`); err != nil {
		t.Fatal(err)
	}
	if err := db.CheckUpToDate(t.Context()); !errs.Is(err, errs.Unavailable) {
		t.Errorf("a schema that lacks its last step: %v", err)
	}
	if err := db.Exec(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)`); err != nil {
		t.Fatal(err)
	}
	if err := db.CheckUpToDate(t.Context()); err != nil {
		t.Errorf("a schema that is ahead: %v", err)
	}
}

// A database of a program from before the baseline is refused, and is left as it is.
func TestDatabasesFromBeforeTheBaselineAreRefused(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	pgtest.Exec(t, url, `UPDATE goose_db_version SET version_id = 291 WHERE version_id > 0`)
	if done, err := postgres.Migrate(t.Context(), url, nil); !errs.Is(err, errs.Conflict) || len(done) > 0 {
		t.Errorf("%v, %v", done, err)
	}
}

// Migrate reports the progress of the preparation from the first text to the last.
func TestMigrateTellsOfTheTextsItPrepares(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	pgtest.Exec(t, url, `INSERT INTO ingestions (id, sha256, filename, size, state, lease_until) VALUES ('`+uuid.Nil.String()+`', repeat('a', 64), 'a.pdf', 1, 'done', now())`)
	pgtest.Exec(t, url, `INSERT INTO documents (id, ingestion_id, position, title, doc_type, domaine, numero_officiel, promulgated_on, in_force_on, first_page, last_page, passages_count)
		SELECT md5(n::text)::uuid, '`+uuid.Nil.String()+`', n, 'Loi ' || n, 'loi', 'autre', '', '2021-01-01', '2021-01-01', 1, 1, 1 FROM generate_series(1, 1200) n`)
	told := make(map[string][]int)
	tell := func(p postgres.Migrating) {
		if p.Of != 1200 {
			t.Errorf("%+v, want of 1200", p)
		}
		told[p.Step] = append(told[p.Step], p.Number)
	}
	_, err := postgres.Migrate(t.Context(), url, tell)
	ok(t, err)
	for step, times := range map[string]int{postgres.PreparesSearch: 1201, postgres.PreparesNames: 4} { // names are made 500 at a time
		numbers := told[step]
		if len(numbers) != times || numbers[0] != 0 || numbers[len(numbers)-1] != 1200 {
			t.Errorf("%s is told of %d times, want %d", step, len(numbers), times)
		}
	}
	_, err = postgres.Migrate(t.Context(), url, func(p postgres.Migrating) { t.Errorf("nothing to do, told of %+v", p) })
	ok(t, err)
}

// When a row is deleted, PostgreSQL looks for references to it in other tables. Without an
// index it reads these tables completely.
func TestEveryReferenceHasAnIndex(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), pgtest.NewURL(t))
	ok(t, err)
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), `SELECT c.conrelid::regclass || '.' || a.attname FROM pg_constraint c
		JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
		WHERE c.contype = 'f' AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1])`)
	ok(t, err)
	missing, err := pgx.CollectRows(rows, pgx.RowTo[string])
	ok(t, err)
	if len(missing) > 0 {
		t.Errorf("references without an index: %v", missing)
	}
}

// A pooler that refuses the settings of a session is told for what it is.
func TestAPoolerThatRefusesSettings(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	defer ln.Close()
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			server := pgproto3.NewBackend(conn, conn)
			_, _ = server.ReceiveStartupMessage() // what a client that leaves sends does not matter
			server.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "08P01", Message: "unsupported startup parameter: statement_timeout"})
			_ = server.Flush()
			_ = conn.Close()
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err = postgres.Open(ctx, "postgres://vigueur@"+ln.Addr().String()+"/vigueur?sslmode=disable")
	wantKind(t, err, errs.Unavailable)
	if said := errs.Public(err); !strings.Contains(said, "PgBouncer") || !strings.Contains(said, "statement_timeout") {
		t.Errorf("told: %s", said)
	}
}

func TestAProgramWaitsUntilTheServerHasAConnectionForIt(t *testing.T) {
	t.Parallel()
	url, allow := pgtest.NewFullURL(t)
	var log strings.Builder
	say := postgres.LogWaiting(slog.New(slog.NewTextHandler(&log, nil)))
	db, err := postgres.OpenFor(t.Context(), url, postgres.Program{Name: "worker", Leases: true, Waiting: func(waited time.Duration, err error) {
		say(waited, err)
		allow(-1)
	}})
	ok(t, err)
	t.Cleanup(db.Close)
	if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "all connections of PostgreSQL are in use: waiting for a free one") {
		t.Errorf("logged %q, want one line that says what is waited for", got)
	}
}

func TestAProgramStopsWaitingForAFullServer(t *testing.T) {
	t.Parallel()
	url, _ := pgtest.NewFullURL(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := postgres.OpenFor(ctx, url, postgres.Program{Waiting: func(time.Duration, error) { cancel() }})
	if !errors.Is(err, context.Canceled) || !errs.Is(err, errs.Cancelled) {
		t.Errorf("a program that was told to end: %v", err)
	}
	told := 0
	_, err = postgres.OpenFor(t.Context(), url, postgres.Program{Wait: 200 * time.Millisecond, Waiting: func(time.Duration, error) { told++ }})
	wantKind(t, err, errs.Unavailable)
	if got := errs.Public(err); told != 1 || !strings.Contains(got, "plus de connexion libre") || !strings.Contains(got, "VIGUEUR_DATABASE_CONNECTIONS") {
		t.Errorf("after its time, told %d times: %q", told, got)
	}
}

// When other clients take all remaining connections, connected programs still renew leases
// and work.
func TestAServerThatFillsUpHurtsNobodyWhoIsConnected(t *testing.T) {
	t.Parallel()
	url, allow := pgtest.NewFullURL(t)
	allow(-1)
	db, err := postgres.OpenFor(t.Context(), url, postgres.Program{Name: "worker", Leases: true})
	ok(t, err)
	t.Cleanup(db.Close)
	allow(0)
	_, err = db.KeepAnswer(t.Context(), postgres.NewID(), 1)
	wantKind(t, err, errs.LeaseLost) // the server answered that there is no such answer
	ok(t, db.Ping(t.Context()))
	release, err := db.Acquire(t.Context())
	ok(t, err)
	defer release()
	// A call that needs a further connection fails with an error that allows a retry.
	_, err = db.Processes(t.Context())
	wantKind(t, err, errs.Unavailable)
	if !postgres.Full(err) {
		t.Errorf("refused with %v", err)
	}
}
