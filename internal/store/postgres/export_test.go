package postgres

import (
	"context"
	"encoding/json"

	"vigueur/internal/law"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pressly/goose/v3"
)

// IndexAll calls IndexRows for all texts with the given batch size.
func (db *DB) IndexAll(ctx context.Context, atOnce int, yield func(IndexRow) error) error {
	return db.indexAll(ctx, atOnce, yield)
}

// Exec runs a statement that sets a row to a state that otherwise only time would bring
// about.
func (db *DB) Exec(ctx context.Context, sql string, args ...any) error {
	_, err := db.pool.Exec(ctx, sql, args...)
	return err
}

// QueryRow reads data that no method returns.
func (db *DB) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return db.pool.QueryRow(ctx, sql, args...)
}

// Begin begins a transaction that holds locks.
func (db *DB) Begin(ctx context.Context) (pgx.Tx, error) { return db.pool.Begin(ctx) }

// stepKey is the context key of Stepping's function.
type stepKey struct{}

// Stepping calls f before each statement that is executed with the context, on a DB from
// Stepped.
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

// Stepped opens the same database with support for Stepping.
func (db *DB) Stepped(ctx context.Context) (*DB, error) {
	cfg, err := pgxpool.ParseConfig(db.url)
	if err != nil {
		return nil, err
	}
	cfg.ConnConfig.Tracer = stepTracer{}
	limitSession(cfg.ConnConfig)
	cfg.AfterConnect = prepareConnection
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	return &DB{NameSource: NameSource{pool, &keptShares{}}, pool: pool, url: db.url, renewals: db.renewals}, err
}

// Sizes returns the sizes of the pools.
func (db *DB) Sizes() (pool, renewals int32) {
	return db.pool.Config().MaxConns, db.renewals.Config().MaxConns
}

// Acquire takes a connection from the pool.
func (db *DB) Acquire(ctx context.Context) (release func(), err error) {
	c, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	return c.Release, nil
}

// MigrateTo migrates the schema at url up to a version.
func MigrateTo(ctx context.Context, url string, step int64) error {
	return withProvider(url, func(p *goose.Provider) error {
		_, err := p.UpTo(ctx, step)
		return err
	})
}

// KeyShare returns the share of texts with a key, as the statistics give it.
func (db *DB) KeyShare(ctx context.Context, key string) (float64, error) {
	shares, err := db.keyShares(ctx)
	return shares.Of[key], err
}

// Article returns one article of a text of the catalogue with its text. Its days are those
// of Articles.
func (db *DB) Article(ctx context.Context, document, id uuid.UUID) (a law.Article, err error) {
	var spans []byte
	var w *wordingRow
	err = db.pool.QueryRow(ctx, `SELECT a.id, a.document_id, a.position, a.number, a.path, a.heading, a.page, a.body,
			a.spans, `+inForce+`, `+wordingColumn+`
		FROM articles a JOIN documents d ON d.id = a.document_id`+wordingJoin+`
		WHERE a.id = $1 AND a.document_id = $2 AND `+readableByID, id, document).
		Scan(&a.ID, &a.DocumentID, &a.Position, &a.Number, &a.Path, &a.Heading, &a.Page, &a.Text, &spans, &a.ValidFrom, &a.ValidTo, &w)
	if err == nil {
		a.Wording = w.wording()
		err = json.Unmarshal(spans, &a.Spans)
	}
	return a, classify("article "+id.String(), err)
}

// Backlogged is backlogged outside a transaction.
func (db *DB) Backlogged(ctx context.Context, user uuid.UUID, limit Backlog) (full bool, err error) {
	return isBacklogged(ctx, db.pool, user, limit)
}

// Belonging returns the tables with rows that belong to an account.
func (db *DB) Belonging(ctx context.Context) (tables []string, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		parts, err := belongings(ctx, tx, "users", "id = $1", "documents")
		for _, p := range parts {
			tables = append(tables, p.table)
		}
		return err
	})
	return tables, err
}
