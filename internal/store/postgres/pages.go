package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/gazette/layout"
)

// StoredPage is a page that was read. Content is encoded by the caller.
type StoredPage struct {
	Number  int // page number in the file, from 1
	Source  layout.Source
	Content []byte
	Unread  bool // the page could not be read; a retry of the file reads it again
}

// CountPages records how many pages of a file can be read, and how many further pages the
// file declares but cannot deliver.
func (db *DB) CountPages(ctx context.Context, id uuid.UUID, attempt, total, absent int) error {
	return db.execFenced(ctx, "count pages of ingestion "+id.String(), `UPDATE ingestions SET pages_total = greatest(pages_total, $3),
			pages_absent = $4, updated_at = now() WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, total, absent)
}

// SavePages is the checkpoint of an attempt: it adds the given pages and sets the total
// number of pages. The stored progress never decreases, because each page is counted once.
func (db *DB) SavePages(ctx context.Context, id uuid.UUID, attempt int, pages []StoredPage, total int) error {
	return db.inTx(ctx, "save pages of ingestion "+id.String(), func(tx pgx.Tx) error {
		// Lock the row first: the lock orders concurrent checkpoints and stops an attempt that
		// has lost the row.
		if err := fence(ctx, tx, "ingestions", id, attempt); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		for _, p := range pages {
			batch.Queue(`INSERT INTO ingestion_pages (ingestion_id, number, source, content, unread) VALUES ($1, $2, $3, $4, $5)
				ON CONFLICT (ingestion_id, number) DO NOTHING`, id, p.Number, p.Source, p.Content, p.Unread)
		}
		// Pages are progress, so earlier lost attempts no longer count as lost in a row, only in
		// the total.
		batch.Queue(`UPDATE ingestions SET deaths = deaths + attempt - 1 - attempt_floor, attempt_floor = attempt - 1, pages_total = greatest(pages_total, $2), updated_at = now(),
			pages_done = (SELECT count(*) FROM ingestion_pages WHERE ingestion_id = $1) WHERE id = $1`, id, total)
		return tx.SendBatch(ctx, batch).Close()
	})
}

// ReplacePages replaces the words of stored pages after a second reading.
func (db *DB) ReplacePages(ctx context.Context, id uuid.UUID, attempt int, pages []StoredPage) error {
	return db.inTx(ctx, "replace pages of ingestion "+id.String(), func(tx pgx.Tx) error {
		if err := fence(ctx, tx, "ingestions", id, attempt); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		for _, p := range pages {
			batch.Queue(`UPDATE ingestion_pages SET content = $3 WHERE ingestion_id = $1 AND number = $2`, id, p.Number, p.Content)
		}
		return tx.SendBatch(ctx, batch).Close()
	})
}

// PageBytes returns the total size of the stored pages of a file, in bytes.
func (db *DB) PageBytes(ctx context.Context, id uuid.UUID) (bytes int64, err error) {
	err = db.pool.QueryRow(ctx, `SELECT coalesce(sum(octet_length(content)), 0) FROM ingestion_pages WHERE ingestion_id = $1`, id).Scan(&bytes)
	return bytes, classify("bytes of the pages of "+id.String(), err)
}

// DonePages lists the numbers of the stored pages of a file, in order.
func (db *DB) DonePages(ctx context.Context, id uuid.UUID) ([]int, error) {
	numbers, err := collect(ctx, db.pool, pgx.RowTo[int], `SELECT number FROM ingestion_pages WHERE ingestion_id = $1 ORDER BY number`, id)
	return numbers, classify("done pages of "+id.String(), err)
}

// LoadPages returns every stored page of a file, in order.
func (db *DB) LoadPages(ctx context.Context, id uuid.UUID) ([]StoredPage, error) {
	pages, err := collect(ctx, db.pool, func(r pgx.CollectableRow) (p StoredPage, err error) {
		err = r.Scan(&p.Number, &p.Source, &p.Content)
		return p, err
	}, `SELECT number, source, content FROM ingestion_pages WHERE ingestion_id = $1 ORDER BY number`, id)
	return pages, classify("load pages of "+id.String(), err)
}
