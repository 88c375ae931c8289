package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// CatalogueTexts calls yield with each given text of the catalogue, or with every text if
// ids is nil. It stops at the first error of yield.
func (db *DB) CatalogueTexts(ctx context.Context, ids []uuid.UUID, yield func(law.Document) error) error {
	rows, err := db.pool.Query(ctx, `SELECT `+documentColumns+` FROM documents d
		WHERE NOT d.in_review AND ($1::uuid[] IS NULL OR d.id = ANY($1))`, ids)
	if err != nil {
		return classify("catalogue texts", err)
	}
	defer rows.Close()
	for rows.Next() {
		var d law.Document
		if err := rows.Scan(documentFields(&d)...); err != nil {
			return classify("catalogue texts", err)
		}
		if err := yield(d); err != nil {
			return err
		}
	}
	return classify("catalogue texts", rows.Err())
}

// Nearest returns the ids of texts whose titles are similar to q.Title and that match the
// other filters of q.
type Nearest func(ctx context.Context, q DocumentQuery) ([]uuid.UUID, error)

// UseNearest makes searches by title call near if no title contains the search text; if
// near fails, PostgreSQL finds similar titles instead. It must be called before the first
// search.
func (db *DB) UseNearest(near Nearest) { db.near = near }

// nearest asks the title index. ok is false if the index does not respond. The index may
// lack changes of the catalogue, so the texts are read from the catalogue afterwards.
func (db *DB) nearest(ctx context.Context, tx pgx.Tx, key titleKey) (ids []uuid.UUID, ok bool, err error) {
	if db.near == nil {
		return nil, false, nil
	}
	hits, err := db.near(ctx, DocumentQuery{Title: key.title, Domain: key.domain, Type: key.docType, Status: key.status})
	if err != nil {
		return nil, false, nil //nolint:nilerr // near has logged the error
	}
	ids, err = listAlike(ctx, tx, key, `d.id = ANY($4)`, hits) // the index also completes words that have an error
	return ids, err == nil, err
}
