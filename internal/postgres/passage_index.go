package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// PassageIndex is how far the passage index in Milvus follows the catalogue.
type PassageIndex struct {
	ID       uuid.UUID
	Version  int64 // of the catalogue, as far as it is indexed
	Rebuild  bool  // it is to be made anew
	State    string
	Attempt  int
	Failures int // since it last went well
	Error    string
}

const passageIndexColumns = `id, version, rebuild, state, attempt, failures, error` //nolint:gosec // no secret

func scanPassageIndex(row pgx.Row) (p PassageIndex, err error) {
	err = row.Scan(&p.ID, &p.Version, &p.Rebuild, &p.State, &p.Attempt, &p.Failures, &p.Error)
	return p, err
}

// PassageIndex tells how far the passage index is.
func (db *DB) PassageIndex(ctx context.Context) (PassageIndex, error) {
	p, err := scanPassageIndex(db.pool.QueryRow(ctx, `SELECT `+passageIndexColumns+` FROM passage_index`))
	return p, classify("passage index", err)
}

// DuePassages is DueTitles for the passage index.
func (db *DB) DuePassages(ctx context.Context, _ int) ([]uuid.UUID, error) {
	rows, err := db.pool.Query(ctx, `WITH due AS (SELECT id FROM passage_index
			WHERE lease_until < now() AND not_before <= now() AND (state <> 'done' OR rebuild
				OR version < (SELECT coalesce(max(version), 0) FROM catalogue_changes))
			FOR UPDATE SKIP LOCKED)
		UPDATE passage_index p SET state = 'queued', lease_until = now() + $1::interval FROM due WHERE p.id = due.id RETURNING p.id`, Grace)
	if err != nil {
		return nil, classify("due passages", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	return ids, classify("due passages", err)
}

// StartPassages takes the passage index up: attempt+1 and a lease. LeaseLost when
// another worker holds it or nothing is to be done.
func (db *DB) StartPassages(ctx context.Context, id uuid.UUID) (PassageIndex, error) {
	p, err := scanPassageIndex(db.pool.QueryRow(ctx, `UPDATE passage_index SET state = 'running', attempt = attempt + 1,
			lease_until = now() + $2::interval, updated_at = now()
		WHERE id = $1 AND (state = 'queued' OR (state = 'running' AND lease_until < now())) RETURNING `+passageIndexColumns, id, Lease))
	return p, leaseError("start passages", err)
}

// KeepPassages renews the lease of an attempt.
func (db *DB) KeepPassages(ctx context.Context, id uuid.UUID, attempt int) error {
	return db.fenced(ctx, "keep passages", `UPDATE passage_index SET lease_until = now() + $3::interval
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, Lease)
}

// AdvancePassages is the checkpoint of an attempt: the index has what the
// catalogue had at version.
func (db *DB) AdvancePassages(ctx context.Context, id uuid.UUID, attempt int, version int64) error {
	return db.fenced(ctx, "advance passages", `UPDATE passage_index SET version = $3, rebuild = false, failures = 0, error = '', updated_at = now()
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, version)
}

// FinishPassages ends an attempt that went well.
func (db *DB) FinishPassages(ctx context.Context, id uuid.UUID, attempt int) error {
	return db.fenced(ctx, "finish passages", `UPDATE passage_index SET state = 'done', lease_until = now(), updated_at = now()
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt)
}

// PutBackPassages ends an attempt that failed, with a reason; the next follows
// after a while.
func (db *DB) PutBackPassages(ctx context.Context, id uuid.UUID, attempt int, reason string, after time.Duration) error {
	return db.fenced(ctx, "put back passages", `UPDATE passage_index SET state = 'queued', failures = failures + 1, error = $3,
			lease_until = now(), not_before = now() + $4::interval, updated_at = now()
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, reason, after)
}

// ReleasePassages gives an attempt back unfinished, to be taken up at once.
func (db *DB) ReleasePassages(ctx context.Context, id uuid.UUID, attempt int) error {
	return db.fenced(ctx, "release passages", `UPDATE passage_index SET state = 'queued', lease_until = now(), updated_at = now()
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt)
}

// RebuildPassages asks for the passage index to be made anew.
func (db *DB) RebuildPassages(ctx context.Context) error {
	_, err := db.pool.Exec(ctx, `UPDATE passage_index SET rebuild = true, not_before = '-infinity', updated_at = now()`)
	return classify("rebuild passages", err)
}

// MissPassages asks for it because a search has missed the collection; one that
// is being made already is left to itself.
func (db *DB) MissPassages(ctx context.Context) error {
	_, err := db.pool.Exec(ctx, `UPDATE passage_index SET rebuild = true, updated_at = now() WHERE state = 'done' AND NOT rebuild`)
	return classify("miss passages", err)
}
