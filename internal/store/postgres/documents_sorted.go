package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// SortTitle orders texts alphabetically by title.
const SortTitle = "titre"

// sorts maps an order of the catalogue to its SQL.
var sorts = map[string]string{
	"": `d.promulgated_on DESC, d.id`, SortNewest: `d.promulgated_on DESC, d.id`, SortOldest: `d.promulgated_on, d.id`,
	SortTitle: `left(d.title_folded, 200) COLLATE "C", d.id`,
}

// plain reports whether PageQuery can answer the query: it filters by no days and has the
// default order.
func (q DocumentQuery) plain() bool {
	return q.From == nil && q.To == nil && (q.Sort == "" || q.Sort == SortNewest)
}

// documentsSorted returns a page of the catalogue in another order, or for a range of days.
func (db *DB) documentsSorted(ctx context.Context, q DocumentQuery) (items []law.Document, total int, err error) {
	var among []uuid.UUID
	if q.Title != "" {
		f, err := db.find(ctx, titleKey{q.Domain, q.Type, q.Status, q.Title})
		if err != nil || len(f.ids) == 0 {
			return []law.Document{}, 0, classify("documents in order", err)
		}
		among = f.ids
	}
	const where = ` FROM documents d WHERE NOT d.in_review AND ($1 = '' OR d.domaine = $1) AND ($2 = '' OR d.doc_type = $2) AND ($3 = '' OR d.statut = $3)
		AND ($4::date IS NULL OR d.promulgated_on >= $4) AND ($5::date IS NULL OR d.promulgated_on <= $5) AND ($6::uuid[] IS NULL OR d.id = ANY ($6))`
	args := []any{pgx.QueryExecModeCacheDescribe, q.Domain, string(q.Type), string(q.Status), q.From, q.To, among}
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT count(*)`+where, args...).Scan(&total); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `SELECT NULL, `+documentColumns+where+` ORDER BY `+sorts[q.Sort]+` LIMIT $7 OFFSET $8`,
			append(args, q.PageSize, q.offset())...)
		if err != nil {
			return err
		}
		var nothing *int
		items, err = collectDocuments(rows, &nothing)
		return err
	})
	return items, total, classify("documents in order", err)
}

// DocumentDetails is a text with details that Document does not return.
type DocumentDetails struct {
	Document   law.Document
	Countries  []string
	Articles   int // number of its own articles: new wordings of other texts' articles are not counted
	RepealedOn *time.Time
	Filename   string
	Size       int64 // size of the file in bytes
	Pages      int   // number of pages of the file; 0: unknown
}

// DocumentDetails returns the details of a text that Document can return.
func (db *DB) DocumentDetails(ctx context.Context, id uuid.UUID) (d DocumentDetails, err error) {
	err = db.pool.QueryRow(ctx, `SELECT d.countries, (SELECT count(*) FROM articles a WHERE a.document_id = d.id AND `+ownArticle+`), d.repealed_on,
			i.filename, i.size, i.pages_total, `+documentColumns+`
		FROM documents d JOIN ingestions i ON i.id = d.ingestion_id WHERE d.id = $1 AND `+readableByID, id).
		Scan(append([]any{&d.Countries, &d.Articles, &d.RepealedOn, &d.Filename, &d.Size, &d.Pages}, documentFields(&d.Document)...)...)
	return d, classify("details of document "+id.String(), err)
}
