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
	"log/slog"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"vigueur/internal/kit/errs"
)

// DB is the store. Its methods are safe for use by many goroutines.
type DB struct {
	NameSource

	pool *pgxpool.Pool
	url  string
	// renewals is a separate pool for renewing leases, so that renewals never wait for other work of the process.
	renewals *pgxpool.Pool

	cells    kept[[]cell]
	examples kept[[]Example] // by country
	refined  kept[time.Duration]
	near     Nearest // searches for similar titles; nil: PostgreSQL does
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
	db := &DB{NameSource: NameSource{pool, &keptShares{}}, pool: pool, renewals: renewals, url: url}
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

// one runs a query of one row and returns it, by the order of the fields.
func one[T any](ctx context.Context, q querier, sql string, args ...any) (v T, err error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return v, err
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[T])
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

// Pool holds statistics of the connections of this process.
type Pool struct {
	Used, Idle, Most int
	Waits            int64         // number of times that a caller waited for a connection, since the process started
	Waited           time.Duration // total time that callers waited for connections, since the process started
}

// Pool returns the current statistics of the connections.
func (db *DB) Pool() Pool {
	s := db.pool.Stat()
	return Pool{Used: int(s.AcquiredConns()), Idle: int(s.IdleConns()), Most: int(s.MaxConns()), Waits: s.EmptyAcquireCount(), Waited: s.EmptyAcquireWaitTime()}
}

// Named is a table whose rows a person may select by the beginning of their id.
type Named string

// The tables in which people select rows by id.
const (
	NamedIngestions Named = "ingestions"
	NamedDocuments  Named = "documents" // in the catalogue, in review or superseded
	NamedUsers      Named = "users"
	NamedRelations  Named = "relations"
	NamedKeys       Named = "api_keys"
	NamedFollows    Named = "follows"
	NamedShared     Named = "conversations" // whose words are told to nobody
	NamedEdits      Named = "ingestion_edits"
	NamedDecisions  Named = "amendment_settlements"
	NamedAmendments Named = "amendment_waiting" // operations that wait for a person or a text
)

// labels are the SQL expressions that describe a row of each table.
var labels = map[Named]string{
	NamedIngestions: "filename",
	NamedDocuments:  "title",
	NamedUsers:      "email",
	NamedRelations:  "kind || ' ' || target_type || ' ' || target_number",
	NamedKeys:       "name",
	NamedFollows:    "label",
	NamedShared:     "(SELECT email FROM users u WHERE u.id = user_id)",
	NamedEdits:      "kind",
	NamedDecisions:  "article || ' ' || decision",
	NamedAmendments: "article || ' ' || reason",
}

// Label is the id of a row with a description that distinguishes the row from others.
type Label struct {
	ID    uuid.UUID `json:"id"`
	Label string    `json:"label"`
}

// Between returns the rows whose ids are from first to last, both included, in descending
// order, at most limit rows.
func (db *DB) Between(ctx context.Context, table Named, first, last uuid.UUID, limit int) ([]Label, error) {
	found, err := collect(ctx, db.pool, pgx.RowToStructByPos[Label], `SELECT id, `+labels[table]+` FROM `+string(table)+` WHERE id BETWEEN $1 AND $2 ORDER BY id DESC LIMIT $3`, first, last, limit)
	return found, classify("ids of "+string(table), err)
}

// A transaction that writes much for an attempt may take longer than a lease. It must not
// lock its attempt's row all that time, because the renewal of the lease updates the row
// and would wait for the transaction, and so the worker would lose its own lease. Therefore
// the transaction calls enter at the start, and fence as its very last step.
//
// enter locks the row FOR KEY SHARE. Renewals, cancellations and the start of another
// attempt do not conflict with that lock. Transactions that lock a file FOR UPDATE to
// change its texts do: they wait for it, or enter waits for them before the attempt's
// transaction locks anything else. So no transaction that holds the row when fence is
// called can wait for the locks that the attempt's transaction holds by then, such as the
// lock of the catalogue.

// enter waits until no other attempt at the row is in such a transaction. It returns
// LeaseLost if the attempt has already lost the row.
func enter(ctx context.Context, tx pgx.Tx, table string, id uuid.UUID, attempt int) error {
	// Wait without limit: other transactions that write much may hold the row for long.
	if _, err := tx.Exec(ctx, `SET LOCAL lock_timeout = 0`); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, id.String()); err != nil {
		return err
	}
	return holdAttempt(ctx, tx, table, id, attempt, "FOR KEY SHARE")
}

// fence locks the attempt's row against all other writers until the transaction ends. It
// returns LeaseLost if the attempt has lost the row: then the transaction must be rolled
// back.
func fence(ctx context.Context, tx pgx.Tx, table string, id uuid.UUID, attempt int) error {
	return holdAttempt(ctx, tx, table, id, attempt, "FOR NO KEY UPDATE")
}

func holdAttempt(ctx context.Context, tx pgx.Tx, table string, id uuid.UUID, attempt int, strength string) error {
	err := tx.QueryRow(ctx, `SELECT id FROM `+table+` WHERE id = $1 AND attempt = $2 AND state = 'running' `+strength,
		id, attempt).Scan(new(uuid.UUID))
	if errs.Is(classify("", err), errs.NotFound) {
		return errs.New(errs.LeaseLost, "")
	}
	return err
}

// excuse records that an attempt failed although its worker did not crash: the attempt no
// longer counts as a crash. It records nothing if no crash is counted up to this attempt,
// or if the job has ended. Another attempt may be running by now. A repeated call, as after
// a lost reply, may also excuse an earlier attempt.
func (db *DB) excuse(ctx context.Context, table string, id uuid.UUID, attempt int) error {
	_, err := db.pool.Exec(ctx, `UPDATE `+table+` SET attempt_floor = least(attempt, attempt_floor + 1), failures = failures + 1
		WHERE id = $1 AND attempt >= $2 AND attempt_floor < $2 AND state IN ('queued', 'running')`, id, attempt)
	return classify("excuse an attempt of "+table+" "+id.String(), err)
}

// The codes with which a running server refuses a role.
const (
	wrongPassword   = "28P01" // also for a role that does not exist, so that nobody learns which exist
	notAdmitted     = "28000" // a rule of pg_hba.conf, or a role that may not log in
	unknownDatabase = "3D000"
	noRight         = "42501"
	protocolFault   = "08P01" // of a pooler too, for settings of a session
)

// unsupported reports whether a pooler refused a setting of the session: PostgreSQL itself knows
// them all.
func unsupported(pg *pgconn.PgError) bool {
	return pg.Code == protocolFault && strings.Contains(pg.Message, "unsupported startup parameter")
}

// Rejected reports whether the server answered but refused the role: a wrong password, an
// unknown role or database, or a rule of pg_hba.conf.
func Rejected(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (strings.HasPrefix(pg.Code, "28") || pg.Code == unknownDatabase || pg.Code == noRight)
}

// refusalText explains in French why the server refuses the role, with the server's own
// words, and what to do about it; "" if err is no refusal.
func refusalText(err error, role, database string) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && unsupported(pg) {
		return "un répartiteur de connexions (PgBouncer) est devant lui, et refuse les réglages de session : mettez ignore_startup_parameters dans sa configuration et ces réglages au rôle, ou VIGUEUR_DATABASE_URL sur PostgreSQL lui-même (docs/operating/scale.md, « A pooler of connections »). Sa réponse : " + pg.Message
	}
	if !errors.As(err, &pg) || !Rejected(err) {
		return ""
	}
	var text string
	switch pg.Code {
	case wrongPassword:
		text = fmt.Sprintf("refuse le mot de passe du compte « %s », ou ne connaît pas ce compte : corrigez VIGUEUR_DATABASE_URL, ou donnez au compte ce mot de passe (ALTER ROLE)", role)
	case unknownDatabase:
		text = fmt.Sprintf("n’a pas de base « %s » : créez-la (createdb -O %s %s), puis ingest migrate up, ou corrigez VIGUEUR_DATABASE_URL", database, role, database)
	case noRight:
		text = fmt.Sprintf("ne laisse pas le compte « %s » ouvrir la base « %s » : donnez-lui ce droit (GRANT CONNECT ON DATABASE)", role, database)
	default:
		text = fmt.Sprintf("n’admet pas le compte « %s » dans la base « %s » : vérifiez pg_hba.conf, et que le compte existe et peut se connecter", role, database)
	}
	return text + ". Réponse du serveur : " + pg.Message
}

// CommandWait is how long a command waits for a server that is Busy.
const CommandWait = 10 * time.Second

// The codes with which a running server refuses every connection for a while.
const (
	tooManyConnections = "53300" // all connections of the server, of the role or of the database are in use
	cannotConnectNow   = "57P03" // the server starts, recovers or stops
)

// Busy reports whether the server runs but accepts no connection at the moment, because all are in use, or because it
// starts or stops.
func Busy(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == tooManyConnections || pg.Code == cannotConnectNow)
}

// Full reports whether all connections of the server are in use.
func Full(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == tooManyConnections
}

// busyText explains in French why a Busy server refuses a connection, and what to do about it.
func busyText(err error) string {
	if Full(err) {
		return "n’a plus de connexion libre : arrêtez un processus, donnez-leur moins de connexions (VIGUEUR_DATABASE_CONNECTIONS) ou augmentez max_connections"
	}
	return "démarre ou s’arrête, et ne prend encore aucune connexion : réessayez dans quelques instants"
}

// The pause between two attempts to connect to a Busy server grows from firstPause to longestPause. Program.Waiting
// is called at most once per waitingInterval.
const (
	firstPause      = 50 * time.Millisecond
	longestPause    = 2 * time.Second
	waitingInterval = time.Minute
)

// LogWaiting returns a function for Program.Waiting that logs why the program waits.
func LogWaiting(log *slog.Logger) func(waited time.Duration, err error) {
	return func(waited time.Duration, err error) {
		message := "PostgreSQL is starting or stopping: waiting until it takes connections"
		if Full(err) {
			message = "all connections of PostgreSQL are in use: waiting for a free one"
		}
		log.Warn(message, "waited", waited.Round(time.Second), "error", err)
	}
}

// await calls connect until the server is not Busy or p.Wait is over, and returns the last error of connect;
// Cancelled if ctx ends first.
func (p Program) await(ctx context.Context, connect func() error) error {
	var began, reported time.Time
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := connect()
		if !Busy(err) {
			return err
		}
		if began.IsZero() { // the wait counts from the first refusal
			began = time.Now()
		}
		waited := time.Since(began)
		if p.Wait > 0 && waited >= p.Wait {
			return fmt.Errorf("after %v: %w", waited.Round(time.Second), err)
		}
		if p.Waiting != nil && time.Since(reported) >= waitingInterval {
			p.Waiting(waited, err)
			reported = time.Now()
		}
		select {
		case <-ctx.Done():
			return errs.Wrap(errs.Cancelled, "", ctx.Err())
		case <-time.After(pause):
		}
	}
}

// catalogueChannel is the PostgreSQL channel on which every change to the searchable texts
// is announced.
const catalogueChannel = "vigueur_catalogue"

// listenPause is the longest silence before Listen calls wake anyway: no notification arrives through a pooler that
// assigns a connection to each transaction.
const listenPause = 30 * time.Second

// Listen calls wake once it listens, after each change to the catalogue, after each
// reconnection, since it may have missed changes while it was disconnected, and if nothing was
// heard for listenPause. It reconnects
// when the connection is lost, and returns when ctx ends.
func (db *DB) Listen(ctx context.Context, wake func()) error {
	for {
		err := db.listenOnce(ctx, wake)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !errs.Describe(kindOf(err)).Retry {
			return classify("listen", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// listenOnce listens on a new connection outside the pool until the connection is lost or
// ctx ends.
func (db *DB) listenOnce(ctx context.Context, wake func()) error {
	conn, err := pgx.ConnectConfig(ctx, db.pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer func() {
		// The server must learn of the end even if ctx has ended.
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(closing) // a failed close has no consequence
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+catalogueChannel); err != nil {
		return err
	}
	for {
		wake()
		waiting, cancel := context.WithTimeout(ctx, listenPause)
		_, err := conn.WaitForNotification(waiting)
		silent := waiting.Err() != nil && ctx.Err() == nil
		cancel()
		if err != nil && !silent {
			return err
		}
	}
}

// The bytes of a file are stored first, outside the database, and their row is added afterwards. Adding a row and
// deleting bytes without a row take the same lock, so that no row is left without its bytes. If two uploads of the
// same bytes run at once, one adds the row and the other fails with Conflict, because the hash is unique.

// lockBytes locks the bytes with the given hash until the transaction ends.
func lockBytes(ctx context.Context, tx pgx.Tx, sha string) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('bytes:' || $1, 0))`, sha)
	return err
}

// AddFile adds a file to ingest, by its ID, SHA256, Filename, Size and Metadata. Another process may delete the bytes
// until AddFile has locked them; AddFile then calls there, which must return an error if the bytes no longer exist.
// In that case AddFile returns that error and adds no row. Conflict if a file with the same bytes was added before.
func (db *DB) AddFile(ctx context.Context, i Ingestion, there func(ctx context.Context) error) error {
	return db.inTx(ctx, "create ingestion of "+i.SHA256, func(tx pgx.Tx) error {
		if err := claim(ctx, tx, i.ID); err != nil {
			return err
		}
		if err := lockBytes(ctx, tx, i.SHA256); err != nil {
			return err
		}
		if err := insertIngestion(ctx, tx, i); err != nil {
			return err
		}
		return there(ctx)
	})
}

// DropBytes calls drop, which deletes the bytes with the given hash, unless a row refers to them. No row can be added
// meanwhile. It reports whether it called drop with success.
func (db *DB) DropBytes(ctx context.Context, sha string, drop func(ctx context.Context) error) (dropped bool, err error) {
	err = db.inTx(ctx, "drop the bytes of "+sha, func(tx pgx.Tx) error {
		if err := lockBytes(ctx, tx, sha); err != nil {
			return err
		}
		var needed bool
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM ingestions WHERE sha256 = $1)`, sha).Scan(&needed); err != nil || needed {
			return err
		}
		dropped = true
		return drop(ctx)
	})
	return dropped && err == nil, err
}
