// Package postgres holds every SQL statement of the service, one file per
// table, as methods on *DB.
//
// The row is the truth: each piece of slow work (an answer, an ingestion) is a
// row with state, attempt and lease_until. A worker takes it by raising
// attempt, renews the lease while it works, and every write it makes names its
// attempt, so that a worker once thought dead can change nothing (LeaseLost).
// Times are the database's own, never a worker's clock.
//
// A public method is a transaction or a single statement. Errors carry a kind:
// NotFound for no row, Conflict for a unique clash, Unavailable when the server
// is down or ends the connection; anything else is Internal.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/singleflight"

	"vigueur/internal/errs"
)

// Lease is how long a worker holds a row without renewing it; Renew is how
// often it renews; Grace is how long a fresh hint in the queue is trusted before
// the sweep gives another.
const (
	Lease = 6 * time.Second
	Renew = 2 * time.Second
	Grace = 4 * time.Second
)

// DB is the store. Its methods are safe for use by many goroutines.
type DB struct {
	pool *pgxpool.Pool
	url  string
	// renewals are the connections of those who renew leases: they wait for no
	// other work of the process, however much there is.
	renewals *pgxpool.Pool

	notes     notes
	titles    titleResults
	searching singleflight.Group
	cells     keptCells
	near      Nearest // nil: PostgreSQL alone looks for titles
}

// What a session may take of the server, where the address does not say
// otherwise. A process that stops in the middle of a transaction holds its locks,
// that of the catalogue among them, for no longer than idleLimit.
const (
	statementLimit = 10 * time.Minute
	lockLimit      = time.Minute
	idleLimit      = 15 * time.Second
)

// fewestConnections are those of a pool however little a process does at once.
const fewestConnections = 4

// Open connects to the database at url and pings it. The error is Unavailable
// when no server answers there, and never holds the password.
func Open(ctx context.Context, url string) (*DB, error) { return OpenFor(ctx, url, 0) }

// OpenFor is Open for a process that does so much at once; the address may set
// another size of the pool (pool_max_conns) and another patience with a server that
// does not answer (connect_timeout, in seconds; else 5).
func OpenFor(ctx context.Context, url string, atOnce int) (*DB, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errs.Newf(errs.Invalid, "VIGUEUR_DATABASE_URL n’est pas une adresse PostgreSQL valide")
	}
	if !strings.Contains(url, "pool_max_conns") {
		cfg.MaxConns = int32(max(fewestConnections, runtime.GOMAXPROCS(0), atOnce))
	}
	limitSession(cfg.ConnConfig)
	if !strings.Contains(url, "connect_timeout") {
		cfg.ConnConfig.ConnectTimeout = 5 * time.Second
	}
	cfg.MaxConnLifetimeJitter = time.Minute
	cfg.AfterConnect = prepareConnection
	renewing := cfg.Copy()
	renewing.MaxConns, renewing.MinConns, renewing.MinIdleConns = renewalConnections, 0, 0
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, classify("open", err)
	}
	renewals, err := pgxpool.NewWithConfig(ctx, renewing) // connects when it is used
	if err != nil {
		pool.Close()
		return nil, classify("open", err)
	}
	db := &DB{pool: pool, url: url, renewals: renewals}
	if err := db.Ping(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// renewalConnections are enough: one may wait for the row of an attempt that a
// transaction is about to end, and the others' renewals must not.
const renewalConnections = 2

// limitSession sets what a session may take, where the address has not.
func limitSession(cfg *pgx.ConnConfig) {
	for name, limit := range map[string]time.Duration{
		"statement_timeout": statementLimit, "lock_timeout": lockLimit, "idle_in_transaction_session_timeout": idleLimit,
	} {
		if _, given := cfg.RuntimeParams[name]; !given {
			cfg.RuntimeParams[name] = strconv.FormatInt(limit.Milliseconds(), 10)
		}
	}
}

// prepareConnection sets how a new connection sends values.
func prepareConnection(_ context.Context, conn *pgx.Conn) error {
	sendIDsAsBytes(conn.TypeMap())
	return nil
}

// Close ends every connection; it waits for those in use.
func (db *DB) Close() {
	db.pool.Close()
	db.renewals.Close()
}

// Ping tells whether the server answers.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.pool.Ping(ctx); err != nil {
		cfg := db.pool.Config().ConnConfig
		return errs.Away("PostgreSQL", net.JoinHostPort(cfg.Host, fmt.Sprint(cfg.Port)), "VIGUEUR_DATABASE_URL", err)
	}
	return nil
}

// NewID makes an id for a row: UUIDv7, so that rows lie in the order they came.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// querier is what a pool and a transaction have in common.
type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// inTx runs f in a transaction; what names it in errors.
func (db *DB) inTx(ctx context.Context, what string, f func(tx pgx.Tx) error) error {
	err := pgx.BeginFunc(ctx, db.pool, f)
	return classify(what, err)
}

// classify gives err its kind; an error that has one keeps it.
func classify(what string, err error) error {
	if err == nil {
		return nil
	}
	var known *errs.Error
	if errors.As(err, &known) {
		return fmt.Errorf("postgres: %s: %w", what, err)
	}
	wrapped := fmt.Errorf("postgres: %s: %w", what, err)
	switch kind := kindOf(err); kind {
	case errs.Internal, errs.Cancelled:
		return wrapped
	default:
		return errs.Wrap(kind, "", wrapped)
	}
}

func kindOf(err error) errs.Kind {
	var pg *pgconn.PgError
	var connect *pgconn.ConnectError
	var network net.Error
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return errs.NotFound
	case errors.Is(err, context.Canceled):
		return errs.Cancelled
	case errors.As(err, &pg):
		return kindOfCode(pg.Code)
	case errors.As(err, &connect), errors.As(err, &network), errors.Is(err, context.DeadlineExceeded),
		pgconn.SafeToRetry(err), strings.Contains(err.Error(), "conn closed"),
		strings.Contains(err.Error(), "unexpected EOF"):
		return errs.Unavailable
	}
	return errs.Internal
}

// kindOfCode reads PostgreSQL's error codes (appendix A of its manual): class
// 08 connection, 53 resources (disk full, too many connections), 57 shutdown
// and restart, 40 serialization and deadlock, 55P03 a lock that did not come, 25P03
// a transaction that stood still: all pass by waiting.
func kindOfCode(code string) errs.Kind {
	switch {
	case code == "23505":
		return errs.Conflict
	case code == "55P03", code == "25P03", strings.HasPrefix(code, "08"), strings.HasPrefix(code, "53"),
		strings.HasPrefix(code, "57"), strings.HasPrefix(code, "40"):
		return errs.Unavailable
	}
	return errs.Internal
}
