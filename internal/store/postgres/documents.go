package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

const documentColumns = `d.id, d.ingestion_id, d.title, d.doc_type, d.nature, d.domaine, d.numero_officiel, d.promulgated_on,
	d.in_force_on, d.statut, d.repealed_by, d.first_page, d.last_page, d.passages_count, d.superseded_by, d.as_of,
	(SELECT g.gazette FROM ingestions g WHERE g.id = d.ingestion_id)`

// documentFields are the scan targets of documentColumns.
func documentFields(d *law.Document) []any {
	return []any{&d.ID, &d.IngestionID, &d.Title, &d.Type, &d.Nature, &d.Domain, &d.OfficialNumber, &d.Promulgated,
		&d.EntersInForce, &d.Status, &d.RepealedBy, &d.FirstPage, &d.LastPage, &d.Passages, &d.SupersededBy, &d.AsOf, &d.Gazette}
}

// DocumentQuery filters the catalogue; zero values do not filter.
type DocumentQuery struct {
	Domain   string
	Type     law.DocType
	Status   law.Status
	Title    string // contained in the title, regardless of case and accents
	Page     int    // from 1
	PageSize int

	From, To *time.Time // range of promulgation days, both ends included
	Sort     string     // SortNewest, SortOldest, SortTitle
}

// offset returns the number of texts on the pages before the query's page.
func (q DocumentQuery) offset() int64 { return (int64(q.Page) - 1) * int64(q.PageSize) }

// PageQuery selects a page of the catalogue and the total number of texts. The number of
// texts of each month comes from document_counts; it shows on which months the page lies,
// so that only texts of those months are read. All is one statement, so counts and texts
// are consistent. Its arguments are domain, type, status, page length and the number of
// texts before the page.
const PageQuery = `WITH cells AS MATERIALIZED (
		SELECT month, n, sum(n) OVER (ORDER BY month DESC) - n AS before FROM (
			SELECT month, sum(n)::integer AS n FROM document_counts WHERE domaine = $1 AND doc_type = $2 AND statut = $3
			GROUP BY month HAVING sum(n) > 0) counted),
	page AS (
		SELECT p.id FROM cells c CROSS JOIN LATERAL (
			SELECT d.id FROM documents d WHERE NOT d.in_review
				AND d.promulgated_on >= c.month AND d.promulgated_on < (c.month + interval '1 month')::date
				AND ($1 = '' OR d.domaine = $1) AND ($2 = '' OR d.doc_type = $2) AND ($3 = '' OR d.statut = $3)
			ORDER BY d.promulgated_on DESC, d.id
			OFFSET greatest($5 - c.before, 0) LIMIT $5 + $4 - greatest(c.before, $5)) p
		WHERE c.before < $5 + $4 AND c.before + c.n > $5)
	SELECT t.total, ` + documentColumns + ` FROM (SELECT coalesce(sum(n), 0)::bigint AS total FROM cells) t
	LEFT JOIN (page JOIN documents d ON d.id = page.id) ON true ORDER BY d.promulgated_on DESC, d.id`

// Documents returns one page of the catalogue, newest promulgation first unless Sort is
// set, and the number of all matching texts. If q.Title is set and no title contains it,
// texts with similar titles are returned.
func (db *DB) Documents(ctx context.Context, q DocumentQuery) (items []law.Document, total int, err error) {
	if !q.plain() {
		return db.documentsSorted(ctx, q)
	}
	if q.Title != "" {
		return db.documentsByTitle(ctx, q)
	}
	rows, err := db.pool.Query(ctx, PageQuery, q.Domain, string(q.Type), string(q.Status), int64(q.PageSize), q.offset())
	if err != nil {
		return nil, 0, classify("documents", err)
	}
	items, err = collectDocuments(rows, &total)
	return items, total, classify("documents", err)
}

// collectDocuments reads the texts of rows. The first column has the same value in all
// rows, such as the total of a search, and is scanned into the parameter of. The other
// columns are documentColumns. If there are no texts, rows has one row whose document
// columns are NULL, and collectDocuments returns no texts.
func collectDocuments(rows pgx.Rows, of any) (items []law.Document, err error) {
	defer rows.Close()
	for items = []law.Document{}; rows.Next(); {
		if rows.RawValues()[1] == nil {
			return items, rows.Scan(append([]any{of}, make([]any, len(documentFields(&law.Document{})))...)...)
		}
		var d law.Document
		if err := rows.Scan(append([]any{of}, documentFields(&d)...)...); err != nil {
			return nil, err
		}
		items = append(items, d)
	}
	return items, rows.Err()
}

// Document returns one text of the catalogue, or a text that a better edition has
// superseded. A text in review is NotFound.
func (db *DB) Document(ctx context.Context, id uuid.UUID) (d law.Document, err error) {
	err = db.pool.QueryRow(ctx, `SELECT `+documentColumns+` FROM documents d WHERE d.id = $1 AND `+readableByID, id).
		Scan(documentFields(&d)...)
	return d, classify("document "+id.String(), err)
}

// File is the stored PDF file that contains a text.
type File struct {
	Ingestion uuid.UUID
	SHA256    string
	Filename  string
	Size      int64
	Title     string // title of the text
}

// DocumentFile returns the PDF of a text of the catalogue.
func (db *DB) DocumentFile(ctx context.Context, id uuid.UUID) (f File, err error) {
	err = db.pool.QueryRow(ctx, `SELECT i.id, i.sha256, i.filename, i.size, d.title
		FROM documents d JOIN ingestions i ON i.id = d.ingestion_id WHERE d.id = $1 AND `+readableByID, id).
		Scan(&f.Ingestion, &f.SHA256, &f.Filename, &f.Size, &f.Title)
	return f, classify("file of document "+id.String(), err)
}
