// Package postgres contains every SQL statement of the service, one file per table, as
// methods on *DB.
//
// The rows are the truth: each long job (an answer, an ingestion) is a row with the columns state,
// attempt and lease_until. A worker leases it by incrementing attempt and renews the lease
// while it works. Every write names its attempt, so that a worker that lost its lease
// cannot change anything (LeaseLost). Times are the database's, never a worker's clock.
//
// A public method is a transaction or a single statement. Errors have a kind: NotFound for
// no row, Conflict for a unique violation, Unavailable if the server is down or closes the
// connection; anything else is Internal.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/singleflight"

	"vigueur/internal/kit/errs"
)

// DB is the store. Its methods are safe for use by many goroutines.
type DB struct {
	NameSource

	pool *pgxpool.Pool
	url  string
	// renewals is a separate pool for renewing leases, so that renewals never wait for other work of the process.
	renewals *pgxpool.Pool

	titles    titleResults
	searching singleflight.Group
	cells     keptCells
	near      Nearest // searches for similar titles; nil: PostgreSQL does
}

// Limits of a session on the server, unless the address sets others. A process that stops in the middle of a
// transaction keeps its locks, such as that of the catalogue, for at most idleLimit.
const (
	statementLimit = 10 * time.Minute
	lockLimit      = time.Minute
	idleLimit      = 15 * time.Second
)

// commandConnections is the maximum number of connections of a program that sets no Connections: a command, which
// does one thing at a time.
const commandConnections = 4

// Program describes how a program uses the database.
type Program struct {
	// Name is the program's name in the list of Processes while it is connected, unless the address sets
	// application_name. "": the program is not listed.
	Name string
	// Connections is the maximum number of connections that the process opens. 0 means commandConnections, plus
	// leaseConnections if Leases is set. The address may set pool_max_conns instead, to which leaseConnections are
	// added.
	Connections int
	// Leases: the process renews leases and listens to the catalogue, and reserves leaseConnections of its
	// connections for that.
	Leases bool
	// Wait is how long OpenFor waits for a server that accepts no connection at the moment (see Busy). 0: until the
	// context ends.
	Wait time.Duration
	// Waiting is called when the server refuses the first connection, and about once a minute while it goes on
	// refusing. It may be nil.
	Waiting func(waited time.Duration, err error)
}

// size returns the maximum number of connections in the pool for the program's work.
func (p Program) size() int32 {
	switch {
	case p.Connections == 0:
		return commandConnections
	case p.Leases:
		return int32(max(p.Connections-leaseConnections, 1))
	}
	return int32(p.Connections)
}

// maxConnections returns the maximum number of connections that the process opens if the pool for its work has the given size.
func (p Program) maxConnections(size int32) int {
	if p.Leases {
		return int(size) + leaseConnections
	}
	return int(size)
}

// A program with Leases uses renewalConnections of its connections to renew leases, and one to listen. A single
// connection for renewals would not be enough: a renewal may wait for the row of an attempt that a transaction is
// about to end, and other renewals must not wait with it.
const (
	renewalConnections = 2
	leaseConnections   = renewalConnections + 1
)

// Open connects to the database at url for a command, which waits at most CommandWait for a server that is Busy. The
// error is Unavailable if no server responds, and never contains the password.
func Open(ctx context.Context, url string) (*DB, error) {
	return OpenFor(ctx, url, Program{Wait: CommandWait})
}

// OpenFor connects to the database at url and pings it. The address may set a connection timeout (connect_timeout, in
// seconds; default 5). The errors are those of Open.
func OpenFor(ctx context.Context, url string, program Program) (*DB, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errs.Newf(errs.Invalid, "VIGUEUR_DATABASE_URL n’est pas une adresse PostgreSQL valide")
	}
	if !strings.Contains(url, "pool_max_conns") {
		cfg.MaxConns = program.size()
	}
	limitSession(cfg.ConnConfig)
	nameSession(cfg.ConnConfig, program.Name, program.maxConnections(cfg.MaxConns))
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
	renewals, err := pgxpool.NewWithConfig(ctx, renewing) // connects when it is first used
	if err != nil {
		pool.Close()
		return nil, classify("open", err)
	}
	db := &DB{NameSource: NameSource{pool, &knownShares{}}, pool: pool, renewals: renewals, url: url}
	if err := db.connect(ctx, program); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// connect opens the first connection of each pool, and waits for a Busy server as program says.
func (db *DB) connect(ctx context.Context, program Program) error {
	return program.await(ctx, func() error {
		if err := db.Ping(ctx); err != nil {
			return err
		}
		if !program.Leases {
			return nil
		}
		// A process that leases a row must be able to renew the lease, even if the server is full by then.
		return db.away(db.renewals.Ping(ctx))
	})
}

// parseConn returns the configuration of a single connection to the database at url. It leaves out parameters of
// pools, such as pool_max_conns, because the server would refuse them.
func parseConn(url string) (*pgx.ConnConfig, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	return cfg.ConnConfig, nil
}

// limitSession sets the limits of a session, except those that the address sets.
func limitSession(cfg *pgx.ConnConfig) {
	for name, limit := range map[string]time.Duration{
		"statement_timeout": statementLimit, "lock_timeout": lockLimit, "idle_in_transaction_session_timeout": idleLimit,
	} {
		if _, given := cfg.RuntimeParams[name]; !given {
			cfg.RuntimeParams[name] = strconv.FormatInt(limit.Milliseconds(), 10)
		}
	}
}

// nameSession sets the session's application_name from the program's name and its maximum number of connections,
// unless the address sets application_name.
func nameSession(cfg *pgx.ConnConfig, program string, connections int) {
	if _, given := cfg.RuntimeParams["application_name"]; given || program == "" {
		return
	}
	p := ThisProcess(program)
	p.Connections = connections
	cfg.RuntimeParams["application_name"] = p.name()
}

// prepareConnection configures how a new connection encodes values.
func prepareConnection(_ context.Context, conn *pgx.Conn) error {
	sendIDsAsBytes(conn.TypeMap())
	return nil
}

// Close closes all connections after waiting for those in use.
func (db *DB) Close() {
	db.pool.Close()
	db.renewals.Close()
}

// Ping checks that the server responds.
func (db *DB) Ping(ctx context.Context) error {
	return db.away(db.pool.Ping(ctx))
}

// away adds to err a description for an operator why the server does not respond; nil if err is nil.
func (db *DB) away(err error) error {
	cfg := db.pool.Config().ConnConfig
	address := net.JoinHostPort(cfg.Host, fmt.Sprint(cfg.Port))
	if Busy(err) {
		return errs.Wrap(errs.Unavailable, fmt.Sprintf("PostgreSQL (%s) %s.", address, busyText(err)), err)
	}
	if refusal := refusalText(err, cfg.User, cfg.Database); refusal != "" {
		return errs.Wrap(errs.Unavailable, fmt.Sprintf("PostgreSQL (%s) tourne, mais %s", address, refusal), err)
	}
	return errs.Away("PostgreSQL", address, "VIGUEUR_DATABASE_URL", err)
}

// NewID returns an id for a new row. It is a UUIDv7, so ids sort by the time of creation.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// querier is the common interface of a pool and a transaction.
type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// collect runs a query and returns its rows as values that scan makes of them.
func collect[T any](ctx context.Context, q querier, scan pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}

// execOne runs a statement that changes a row, and returns none if it changes no row.
func execOne(ctx context.Context, q querier, none error, sql string, args ...any) error {
	tag, err := q.Exec(ctx, sql, args...)
	if err == nil && tag.RowsAffected() == 0 {
		return none
	}
	return err
}

// inTx runs f in a transaction. what describes the work in errors.
func (db *DB) inTx(ctx context.Context, what string, f func(tx pgx.Tx) error) error {
	err := pgx.BeginFunc(ctx, db.pool, f)
	return classify(what, err)
}

// classify wraps err with what and gives it a kind, unless it already has one.
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
	case errors.As(err, &connect): // also if the server refused the connection
		return errs.Unavailable
	case errors.As(err, &pg):
		return kindOfCode(pg.Code)
	case errors.As(err, &network), errors.Is(err, context.DeadlineExceeded),
		pgconn.SafeToRetry(err), strings.Contains(err.Error(), "conn closed"),
		strings.Contains(err.Error(), "unexpected EOF"):
		return errs.Unavailable
	}
	return errs.Internal
}

// kindOfCode maps PostgreSQL's error codes (appendix A of its manual) to kinds. Temporary errors are Unavailable:
// class 08 connection, 53 resources (disk full, too many connections), 57 shutdown and restart, 40 serialization and
// deadlock, 55P03 lock timeout, 25P03 idle transaction timeout.
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
