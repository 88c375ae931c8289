package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

const documentColumns = `d.id, d.ingestion_id, d.title, d.doc_type, d.domaine, d.numero_officiel, d.promulgated_on,
	d.in_force_on, d.statut, d.repealed_by, d.first_page, d.last_page, d.passages_count`

// documentFields are where documentColumns are scanned to.
func documentFields(d *law.Document) []any {
	return []any{&d.ID, &d.IngestionID, &d.Title, &d.Type, &d.Domain, &d.OfficialNumber, &d.Promulgated,
		&d.EntersInForce, &d.Status, &d.RepealedBy, &d.FirstPage, &d.LastPage, &d.Passages}
}

// DocumentQuery narrows the catalogue; zero values do not narrow.
type DocumentQuery struct {
	Domain   string
	Type     law.DocType
	Status   law.Status
	Title    string // part of the title, without regard to case or accents
	Page     int    // from 1
	PageSize int
}

// where spells the query's conditions and their arguments.
func (q DocumentQuery) where() (string, []any) {
	conditions, args := []string{"NOT d.in_review"}, []any{}
	add := func(condition string, value any) {
		args = append(args, value)
		conditions = append(conditions, fmt.Sprintf(condition, len(args)))
	}
	if q.Domain != "" {
		add("d.domaine = $%d", q.Domain)
	}
	if q.Type != "" {
		add("d.doc_type = $%d", q.Type)
	}
	if q.Status != "" {
		add("d.statut = $%d", q.Status)
	}
	if q.Title != "" {
		add("fold(d.title) LIKE '%%' || fold($%d) || '%%'", escapeLike(q.Title))
	}
	return strings.Join(conditions, " AND "), args
}

// escapeLike makes LIKE's wildcards ordinary characters.
func escapeLike(s string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s)
}

// Documents gives one page of the catalogue, newest promulgation first, and how
// many texts match in all.
func (db *DB) Documents(ctx context.Context, q DocumentQuery) (items []law.Document, total int, err error) {
	where, args := q.where()
	if err := db.pool.QueryRow(ctx, `SELECT count(*) FROM documents d WHERE `+where, args...).Scan(&total); err != nil {
		return nil, 0, classify("count documents", err)
	}
	offset := (int64(q.Page) - 1) * int64(q.PageSize)
	if offset >= int64(total) {
		return []law.Document{}, total, nil
	}
	args = append(args, q.PageSize, offset)
	rows, err := db.pool.Query(ctx, `SELECT `+documentColumns+` FROM documents d WHERE `+where+
		fmt.Sprintf(` ORDER BY d.promulgated_on DESC, d.id LIMIT $%d OFFSET $%d`, len(args)-1, len(args)), args...)
	if err != nil {
		return nil, 0, classify("documents", err)
	}
	items, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (d law.Document, err error) {
		err = r.Scan(documentFields(&d)...)
		return d, err
	})
	return items, total, classify("documents", err)
}

// Document gives one text of the catalogue; a text in review is NotFound.
func (db *DB) Document(ctx context.Context, id uuid.UUID) (d law.Document, err error) {
	err = db.pool.QueryRow(ctx, `SELECT `+documentColumns+` FROM documents d WHERE d.id = $1 AND NOT d.in_review`, id).
		Scan(documentFields(&d)...)
	return d, classify("document "+id.String(), err)
}

// File says which stored PDF a text was cut from.
type File struct {
	SHA256   string
	Filename string
	Size     int64
	Title    string // of the text
}

// DocumentFile gives the PDF of a text of the catalogue.
func (db *DB) DocumentFile(ctx context.Context, id uuid.UUID) (f File, err error) {
	err = db.pool.QueryRow(ctx, `SELECT i.sha256, i.filename, i.size, d.title
		FROM documents d JOIN ingestions i ON i.id = d.ingestion_id WHERE d.id = $1 AND NOT d.in_review`, id).
		Scan(&f.SHA256, &f.Filename, &f.Size, &f.Title)
	return f, classify("file of document "+id.String(), err)
}
