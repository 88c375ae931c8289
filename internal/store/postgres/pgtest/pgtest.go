// Package pgtest gives each test its own PostgreSQL database. It clones the database in some tens of milliseconds
// from a template, which is migrated once for each version of the schema. The package needs VIGUEUR_TEST_DATABASE_URL
// or the private server of scripts/services; without a server it skips the test and says why.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"vigueur/internal/kit/errs"
	"vigueur/internal/ops/config"
	"vigueur/internal/store/postgres"
)

// New returns an empty, migrated database that is dropped when the test ends.
func New(t testing.TB) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), NewURL(t))
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(db.Close)
	return db
}

// AddFile adds a file to ingest. Its check of the bytes always succeeds.
func AddFile(ctx context.Context, db *postgres.DB, i postgres.Ingestion) error {
	return db.AddFile(ctx, i, func(context.Context) error { return nil })
}

// SetActive opens or closes an account.
func SetActive(ctx context.Context, db *postgres.DB, id uuid.UUID, active bool) error {
	_, err := db.ChangeUser(ctx, id, postgres.UserChange{Active: &active})
	return err
}

// Inquiry returns the inquiry with the given id, which must be among the newest hundred.
func Inquiry(ctx context.Context, db *postgres.DB, id uuid.UUID) (postgres.Inquiry, error) {
	list, _, err := db.Inquiries(ctx, "", nil, 100)
	if err != nil {
		return postgres.Inquiry{}, err
	}
	for _, i := range list {
		if i.ID == id {
			return i, nil
		}
	}
	return postgres.Inquiry{}, errs.New(errs.NotFound, "")
}

// NewURL is like New, for tests that open the connection themselves.
func NewURL(t testing.TB) string {
	t.Helper()
	server := serverURL(t)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	template, err := prepare(ctx, server)
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	// For a template this small, FILE_COPY is twice as fast as WAL_LOG.
	return create(ctx, t, server, fmt.Sprintf("TEMPLATE %s STRATEGY FILE_COPY", template))
}

// NewEmptyURL returns the address of a database without tables, which is dropped when the test ends.
func NewEmptyURL(t testing.TB) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	return create(ctx, t, serverURL(t), "TEMPLATE template0")
}

// NewFullURL is like NewURL, but the database refuses connections, with the error of a server whose connections are
// all in use. allow sets how many connections the database accepts from then on; -1: any number.
func NewFullURL(t testing.TB) (url string, allow func(connections int)) {
	t.Helper()
	url = NewURL(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	allow = func(connections int) {
		t.Helper()
		if connections > 0 {
			connections++ // the connection of conn counts, too
		}
		if _, err := conn.Exec(t.Context(), fmt.Sprintf(`ALTER DATABASE %s CONNECTION LIMIT %d`, conn.Config().Database, connections)); err != nil {
			t.Fatalf("pgtest: %v", err)
		}
	}
	allow(0)
	return url, allow
}

// create creates a database with a new name and drops it when the test ends.
func create(ctx context.Context, t testing.TB, server, how string) string {
	t.Helper()
	name := "vigueur_test_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	if err := execute(ctx, server, fmt.Sprintf(`CREATE DATABASE %s %s`, name, how), inMemory); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		defer cancel()
		if err := drop(ctx, server, name); err != nil {
			t.Errorf("pgtest: %v", err)
		}
	})
	return withDatabase(server, name)
}

func serverURL(t testing.TB) string {
	environ := config.Environ()
	for _, name := range []string{"VIGUEUR_TEST_DATABASE_URL", "VIGUEUR_DATABASE_URL"} {
		if environ[name] != "" {
			return environ[name]
		}
	}
	t.Skip("no PostgreSQL: start one with scripts/services start, or set VIGUEUR_TEST_DATABASE_URL")
	return ""
}

// prepared serializes the preparation of the template within the process.
var prepared sync.Mutex

// prepare creates the template database for this schema unless it exists, and returns its name. An advisory lock
// keeps the processes of one test run from creating it twice.
func prepare(ctx context.Context, server string) (string, error) {
	prepared.Lock()
	defer prepared.Unlock()
	name := "vigueur_template_" + postgres.MigrationsHash()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(hashtext('vigueur_template'))`); err != nil {
		return "", err
	}
	var exists bool
	if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, name).Scan(&exists); err != nil || exists {
		return name, err
	}
	// The template gets its final name only when it is complete, so that a killed run leaves no partial template.
	unfinished := name + "_unfinished"
	if err := drop(ctx, server, unfinished); err != nil {
		return "", err
	}
	if _, err := conn.Exec(ctx, `CREATE DATABASE `+unfinished); err != nil {
		return "", err
	}
	if _, err := postgres.Migrate(ctx, withDatabase(server, unfinished), nil); err != nil {
		return "", err
	}
	_, err = conn.Exec(ctx, `ALTER DATABASE `+unfinished+` RENAME TO `+name)
	return name, err
}

// execute runs a statement. Each function in more returns a clause for that server, which is appended to the
// statement.
func execute(ctx context.Context, server, sql string, more ...func(context.Context, *pgx.Conn) (string, error)) error {
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, clause := range more {
		added, err := clause(ctx, conn)
		if err != nil {
			return err
		}
		sql += added
	}
	_, err = conn.Exec(ctx, sql)
	return err
}

// inMemory returns the clause of CREATE DATABASE that puts the database into the machine's memory, if scripts/test
// has created a tablespace there; else "".
func inMemory(ctx context.Context, conn *pgx.Conn) (clause string, err error) {
	var has bool
	err = conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_tablespace WHERE spcname = 'vigueur_tests')`).Scan(&has)
	if has {
		clause = " TABLESPACE vigueur_tests"
	}
	return clause, err
}

// drop drops a database. A worker of autovacuum in it belongs to the superuser, and FORCE may not end it (42501), so
// drop retries: such a worker ends within moments.
func drop(ctx context.Context, server, name string) error {
	pause := time.NewTicker(200 * time.Millisecond)
	defer pause.Stop()
	for {
		err := execute(ctx, server, fmt.Sprintf(`DROP DATABASE IF EXISTS %s WITH (FORCE)`, name))
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != "42501" {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-pause.C:
		}
	}
}

// withDatabase returns the address of a database of the server. It sets a long connection timeout, because a server
// may respond slowly while other tests use the whole machine.
func withDatabase(server, name string) string {
	u, err := url.Parse(server)
	if err != nil {
		return server
	}
	u.Path = "/" + name
	given := u.Query()
	if !given.Has("connect_timeout") {
		given.Set("connect_timeout", "60")
	}
	u.RawQuery = given.Encode()
	return u.String()
}
