package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Exec lets a test put a row into a state that only time would.
func (db *DB) Exec(ctx context.Context, sql string, args ...any) error {
	_, err := db.pool.Exec(ctx, sql, args...)
	return err
}

// QueryRow lets a test read what no method tells.
func (db *DB) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return db.pool.QueryRow(ctx, sql, args...)
}

// Begin lets a test hold what a method needs.
func (db *DB) Begin(ctx context.Context) (pgx.Tx, error) { return db.pool.Begin(ctx) }
