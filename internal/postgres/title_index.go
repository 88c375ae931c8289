package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// TitleIndex is how far the title index follows the catalogue.
type TitleIndex struct {
	ID       uuid.UUID
	Version  int64 // of the catalogue, as far as it is indexed
	Rebuild  bool  // it is to be made anew
	State    string
	Attempt  int
	Failures int // since it last went well
	Error    string
}

const titleIndexColumns = `id, version, rebuild, state, attempt, failures, error`

func scanTitleIndex(row pgx.Row) (t TitleIndex, err error) {
	err = row.Scan(&t.ID, &t.Version, &t.Rebuild, &t.State, &t.Attempt, &t.Failures, &t.Error)
	return t, err
}

// TitleIndex tells how far the title index is.
func (db *DB) TitleIndex(ctx context.Context) (TitleIndex, error) {
	t, err := scanTitleIndex(db.pool.QueryRow(ctx, `SELECT `+titleIndexColumns+` FROM title_index`))
	return t, classify("title index", err)
}

// DueTitles is DueAnswers for the title index: it is due when it is behind the
// catalogue, and then for as long as no worker holds it. It is never given up.
func (db *DB) DueTitles(ctx context.Context, _ int) ([]uuid.UUID, error) {
	rows, err := db.pool.Query(ctx, `WITH due AS (SELECT id FROM title_index
			WHERE lease_until < now() AND not_before <= now() AND (state <> 'done' OR rebuild
				OR version < (SELECT coalesce(max(version), 0) FROM catalogue_changes))
			FOR UPDATE SKIP LOCKED)
		UPDATE title_index t SET state = 'queued', lease_until = now() + $1::interval FROM due WHERE t.id = due.id RETURNING t.id`, Grace)
	if err != nil {
		return nil, classify("due titles", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	return ids, classify("due titles", err)
}

// StartTitles takes the title index up: attempt+1 and a lease. LeaseLost when
// another worker holds it or nothing is to be done.
func (db *DB) StartTitles(ctx context.Context, id uuid.UUID) (TitleIndex, error) {
	t, err := scanTitleIndex(db.pool.QueryRow(ctx, `UPDATE title_index SET state = 'running', attempt = attempt + 1,
			lease_until = now() + $2::interval, updated_at = now()
		WHERE id = $1 AND (state = 'queued' OR (state = 'running' AND lease_until < now())) RETURNING `+titleIndexColumns, id, Lease))
	return t, leaseError("start titles", err)
}

// KeepTitles renews the lease of an attempt.
func (db *DB) KeepTitles(ctx context.Context, id uuid.UUID, attempt int) error {
	return db.fenced(ctx, "keep titles", `UPDATE title_index SET lease_until = now() + $3::interval
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, Lease)
}

// AdvanceTitles is the checkpoint of an attempt: the index has what the catalogue
// had at version.
func (db *DB) AdvanceTitles(ctx context.Context, id uuid.UUID, attempt int, version int64) error {
	return db.fenced(ctx, "advance titles", `UPDATE title_index SET version = $3, rebuild = false, failures = 0, error = '', updated_at = now()
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, version)
}

// FinishTitles ends an attempt that went well.
func (db *DB) FinishTitles(ctx context.Context, id uuid.UUID, attempt int) error {
	return db.fenced(ctx, "finish titles", `UPDATE title_index SET state = 'done', lease_until = now(), updated_at = now()
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt)
}

// PutBackTitles ends an attempt that failed, with a reason; the next follows
// after a while.
func (db *DB) PutBackTitles(ctx context.Context, id uuid.UUID, attempt int, reason string, after time.Duration) error {
	return db.fenced(ctx, "put back titles", `UPDATE title_index SET state = 'queued', failures = failures + 1, error = $3,
			lease_until = now(), not_before = now() + $4::interval, updated_at = now()
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, reason, after)
}

// ReleaseTitles gives an attempt back unfinished, to be taken up at once.
func (db *DB) ReleaseTitles(ctx context.Context, id uuid.UUID, attempt int) error {
	return db.fenced(ctx, "release titles", `UPDATE title_index SET state = 'queued', lease_until = now(), updated_at = now()
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt)
}

// RebuildTitles asks for the title index to be made anew.
func (db *DB) RebuildTitles(ctx context.Context) error {
	_, err := db.pool.Exec(ctx, `UPDATE title_index SET rebuild = true, not_before = '-infinity', updated_at = now()`)
	return classify("rebuild titles", err)
}

// CatalogueTexts hands over the texts of the catalogue, of the given ones or,
// when ids is nil, of all, and stops at the first error of yield.
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

// Nearest gives the texts whose titles are like the one asked for, under the
// query's filters.
type Nearest func(ctx context.Context, q DocumentQuery) ([]uuid.UUID, error)

// UseNearest makes titles that contain nothing asked for be looked for by near;
// where near fails, PostgreSQL looks itself. It is called before the first search.
func (db *DB) UseNearest(near Nearest) { db.near = near }

// nearest asks the title index. ok is false when it does not answer. What it
// gives may be behind the catalogue, and so is read from it again.
func (db *DB) nearest(ctx context.Context, tx pgx.Tx, key titleKey) (ids []uuid.UUID, ok bool, err error) {
	if db.near == nil {
		return nil, false, nil
	}
	hits, err := db.near(ctx, DocumentQuery{Title: key.title, Domain: key.domain, Type: key.docType, Status: key.status})
	if err != nil {
		return nil, false, nil //nolint:nilerr // it is told where it is understood
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
