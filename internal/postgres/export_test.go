package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pressly/goose/v3"
)

// IndexAll is IndexRows of all texts, so many by one statement.
func (db *DB) IndexAll(ctx context.Context, atOnce int, yield func(IndexRow) error) error {
	return db.indexAll(ctx, atOnce, yield)
}

// Exec lets a test put a row into a state that only time would.
func (db *DB) Exec(ctx context.Context, sql string, args ...any) error {
	_, err := db.pool.Exec(ctx, sql, args...)
	return err
}

// QueryRow lets a test read what no method tells.
func (db *DB) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return db.pool.QueryRow(ctx, sql, args...)
}

// NotesWaiting tells how many lines wait for those that are being written.
func (db *DB) NotesWaiting() int {
	db.notes.mu.Lock()
	defer db.notes.mu.Unlock()
	return len(db.notes.waiting)
}

// Begin lets a test hold what a method needs.
func (db *DB) Begin(ctx context.Context) (pgx.Tx, error) { return db.pool.Begin(ctx) }

// stepKey is where a test keeps what to do before each statement.
type stepKey struct{}

// Stepping has f called before each statement that is made under the context, on
// a DB of Stepped.
func Stepping(ctx context.Context, f func(pid uint32, sql string)) context.Context {
	return context.WithValue(ctx, stepKey{}, f)
}

type stepTracer struct{}

func (stepTracer) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if f, ok := ctx.Value(stepKey{}).(func(uint32, string)); ok {
		f(conn.PgConn().PID(), data.SQL)
	}
	return ctx
}

func (stepTracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// Stepped is the same database, with statements that tests may hold up.
func (db *DB) Stepped(ctx context.Context) (*DB, error) {
	cfg, err := pgxpool.ParseConfig(db.url)
	if err != nil {
		return nil, err
	}
	cfg.ConnConfig.Tracer = stepTracer{}
	limitSession(cfg.ConnConfig)
	cfg.AfterConnect = prepareConnection
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	return &DB{pool: pool, url: db.url, renewals: db.renewals}, err
}

// Sizes tells how many connections there may be.
func (db *DB) Sizes() (pool, renewals int32) {
	return db.pool.Config().MaxConns, db.renewals.Config().MaxConns
}

// Acquire takes a connection of the pool for the length of a test.
func (db *DB) Acquire(ctx context.Context) (release func(), err error) {
	c, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	return c.Release, nil
}

// MigrateTo brings the schema at url up to a step.
func MigrateTo(ctx context.Context, url string, step int64) error {
	return withProvider(url, func(p *goose.Provider) error {
		_, err := p.UpTo(ctx, step)
		return err
	})
}
