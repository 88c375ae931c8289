package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

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
