package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

	near bool // Title is looked for with slips of the pen
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
	switch {
	case q.near:
		add("fold(d.title) %%> fold($%d)", q.Title)
	case q.Title != "":
		add("fold(d.title) LIKE "+containing, q.Title)
	}
	return strings.Join(conditions, " AND "), args
}

// containing is the pattern of what contains an argument, for a format. LIKE's
// wildcards are made ordinary characters after folding, not before: folding makes
// plain ones of their wide forms.
const containing = `'%%' || regexp_replace(fold($%d), '([\\%%_])', '\\\1', 'g') || '%%'`

// Documents gives one page of the catalogue, newest promulgation first, and how
// many texts match in all. When no title of the whole catalogue contains the one
// asked for, titles that resemble it answer instead.
func (db *DB) Documents(ctx context.Context, q DocumentQuery) (items []law.Document, total int, err error) {
	items, total, err = pageOfDocuments(ctx, db.pool, q)
	if err != nil || total > 0 || !forgiven(q.Title) {
		return items, total, err
	}
	err = pgx.BeginTxFunc(ctx, db.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		items, total, err = nearTitles(ctx, tx, q)
		return err
	})
	return items, total, classify("documents by similar title", err)
}

// nearness is the least word similarity, of 0 to 1, of a title to what is asked
// for: the share of common groups of three letters (pg_trgm). A word of five
// letters with one wrong has 0.5; PostgreSQL's own 0.6 would miss it.
const nearness = "0.5"

// forgivenLength is how many letters a word has, at least, in which a slip of
// the pen is expected: a shorter one resembles too much.
const forgivenLength = 5

// forgiven tells whether a title may be looked for with slips of the pen.
func forgiven(title string) bool {
	words := strings.FieldsFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) })
	return slices.ContainsFunc(words, func(w string) bool { return utf8.RuneCountInString(w) >= forgivenLength })
}

func nearTitles(ctx context.Context, tx pgx.Tx, q DocumentQuery) ([]law.Document, int, error) {
	var contained bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM documents d WHERE NOT d.in_review AND fold(d.title) LIKE `+
		fmt.Sprintf(containing, 1)+`)`, q.Title).Scan(&contained)
	if err != nil || contained {
		return []law.Document{}, 0, err
	}
	if _, err := tx.Exec(ctx, `SELECT set_config('pg_trgm.word_similarity_threshold', $1, true)`, nearness); err != nil {
		return nil, 0, err
	}
	q.near = true
	return pageOfDocuments(ctx, tx, q)
}

func pageOfDocuments(ctx context.Context, db querier, q DocumentQuery) (items []law.Document, total int, err error) {
	where, args := q.where()
	if err := db.QueryRow(ctx, `SELECT count(*) FROM documents d WHERE `+where, args...).Scan(&total); err != nil {
		return nil, 0, classify("count documents", err)
	}
	offset := (int64(q.Page) - 1) * int64(q.PageSize)
	if offset >= int64(total) {
		return []law.Document{}, total, nil
	}
	args = append(args, q.PageSize, offset)
	rows, err := db.Query(ctx, `SELECT `+documentColumns+` FROM documents d WHERE `+where+
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
