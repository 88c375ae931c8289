package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// CatalogueTexts passes the given texts of the catalogue, or all if ids is nil, to yield,
// and stops at its first error.
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

// Nearest returns the texts whose titles are similar to the one asked for and that match
// the query's filters.
type Nearest func(ctx context.Context, q DocumentQuery) ([]uuid.UUID, error)

// UseNearest makes near search for titles that do not contain the search text; if near
// fails, PostgreSQL searches instead. It must be called before the first search.
func (db *DB) UseNearest(near Nearest) { db.near = near }

// nearest asks the title index. ok is false if it does not respond. Its result may be
// behind the catalogue, so the texts are read again from the catalogue.
func (db *DB) nearest(ctx context.Context, tx pgx.Tx, key titleKey) (ids []uuid.UUID, ok bool, err error) {
	if db.near == nil {
		return nil, false, nil
	}
	hits, err := db.near(ctx, DocumentQuery{Title: key.title, Domain: key.domain, Type: key.docType, Status: key.status})
	if err != nil {
		return nil, false, nil //nolint:nilerr // near logs it
	}
	rows, err := tx.Query(ctx, `SELECT d.id FROM documents d WHERE d.id = ANY($4) AND NOT d.in_review
		AND ($1 = '' OR d.domaine = $1) AND ($2 = '' OR d.doc_type = $2) AND ($3 = '' OR d.statut = $3)
		ORDER BY d.promulgated_on DESC, d.id`, key.domain, string(key.docType), string(key.status), hits)
	if err != nil {
		return nil, false, err
	}
	ids, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	return ids, err == nil, err
}
