package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Follower accesses the row of an index that follows the catalogue. The
// row is a job whenever the index lacks changes of the catalogue. The service retries that
// job without limit.
type Follower struct {
	db    *DB
	table string // the only difference between the followers
}

// TitleIndex is the row of the title index in Meilisearch.
func (db *DB) TitleIndex() Follower { return Follower{db, "title_index"} }

// PassageIndex is the row of the passage index in Milvus.
func (db *DB) PassageIndex() Follower { return Follower{db, "passage_index"} }

// VersionIndex is the row of the versions of articles, which are stored in PostgreSQL itself.
func (db *DB) VersionIndex() Follower { return Follower{db, "version_index"} }

// Following is the state of an index that follows the catalogue.
type Following struct {
	ID       uuid.UUID
	Version  int64 // version of the catalogue that the index contains
	Rebuild  bool  // whether the index must be rebuilt
	State    string
	Attempt  int
	Failures int // number of failures since the last success
	Error    string
}

const followingColumns = `id, version, rebuild, state, attempt, failures, error`

func scanFollowing(row pgx.Row) (f Following, err error) {
	err = row.Scan(&f.ID, &f.Version, &f.Rebuild, &f.State, &f.Attempt, &f.Failures, &f.Error)
	return f, err
}

// Now returns the state of the index.
func (f Follower) Now(ctx context.Context) (Following, error) {
	row, err := scanFollowing(f.db.pool.QueryRow(ctx, `SELECT `+followingColumns+` FROM `+f.table))
	return row, classify(f.table, err)
}

// Due returns the id of the index if it lacks changes of the catalogue and no worker holds
// it, as DueAnswers does for answers.
func (f Follower) Due(ctx context.Context, _ int) ([]uuid.UUID, error) {
	rows, err := f.db.pool.Query(ctx, `WITH due AS (SELECT id FROM `+f.table+`
			WHERE lease_until < now() AND not_before <= now() AND (state <> 'done' OR rebuild
				OR version < (SELECT coalesce(max(version), 0) FROM catalogue_changes))
			FOR UPDATE SKIP LOCKED)
		UPDATE `+f.table+` t SET state = 'queued', lease_until = now() + $1::interval FROM due WHERE t.id = due.id RETURNING t.id`, Grace)
	if err != nil {
		return nil, classify("due "+f.table, err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	return ids, classify("due "+f.table, err)
}

// Start leases the index and counts an attempt. LeaseLost if another worker holds the
// index, or if the index is up to date.
func (f Follower) Start(ctx context.Context, id uuid.UUID) (Following, error) {
	row, err := scanFollowing(f.db.pool.QueryRow(ctx, `UPDATE `+f.table+` SET state = 'running', attempt = attempt + 1,
			lease_until = now() + $2::interval, updated_at = now()
		WHERE id = $1 AND (state = 'queued' OR (state = 'running' AND lease_until < now())) RETURNING `+followingColumns, id, Lease))
	return row, leaseError("start "+f.table, err)
}

// Keep renews the lease of an attempt.
func (f Follower) Keep(ctx context.Context, id uuid.UUID, attempt int) error {
	return fencedOn(ctx, f.db.renewals, "keep "+f.table, `UPDATE `+f.table+` SET lease_until = now() + $3::interval
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, Lease)
}

// Advance records that the index contains the catalogue at version. It is the checkpoint of
// an attempt.
func (f Follower) Advance(ctx context.Context, id uuid.UUID, attempt int, version int64) error {
	return f.fenced(ctx, "advance", `version = $3, rebuild = false, failures = 0, error = '', updated_at = now()`, id, attempt, version)
}

// Finish ends a successful attempt.
func (f Follower) Finish(ctx context.Context, id uuid.UUID, attempt int) error {
	return f.fenced(ctx, "finish", `state = 'done', lease_until = now(), updated_at = now()`, id, attempt)
}

// PutBack ends an attempt that failed for the given reason, and delays the next one by
// after.
func (f Follower) PutBack(ctx context.Context, id uuid.UUID, attempt int, reason string, after time.Duration) error {
	return f.fenced(ctx, "put back", `state = 'queued', failures = failures + 1, error = $3, lease_until = now(),
		not_before = now() + $4::interval, updated_at = now()`, id, attempt, reason, after)
}

// Release releases an unfinished attempt, so that another attempt can begin at once.
func (f Follower) Release(ctx context.Context, id uuid.UUID, attempt int) error {
	return f.fenced(ctx, "release", `state = 'queued', lease_until = now(), updated_at = now()`, id, attempt)
}

// fenced sets columns of the row if the attempt holds it.
func (f Follower) fenced(ctx context.Context, what, set string, args ...any) error {
	return f.db.fenced(ctx, what+" "+f.table, `UPDATE `+f.table+` SET `+set+` WHERE id = $1 AND attempt = $2 AND state = 'running'`, args...)
}

// Remake requests a rebuild of the index.
func (f Follower) Remake(ctx context.Context) error {
	_, err := f.db.pool.Exec(ctx, `UPDATE `+f.table+` SET rebuild = true, not_before = '-infinity', updated_at = now()`)
	return classify("remake "+f.table, err)
}

// Miss requests a rebuild because a search found no index on the server, unless an attempt
// is running.
func (f Follower) Miss(ctx context.Context) error {
	_, err := f.db.pool.Exec(ctx, `UPDATE `+f.table+` SET rebuild = true, updated_at = now() WHERE state = 'done' AND NOT rebuild`)
	return classify("miss "+f.table, err)
}

// Behind counts the changed texts of the catalogue that the index lacks, and stops at
// limit.
func (f Follower) Behind(ctx context.Context, limit int) (texts int, err error) {
	err = f.db.pool.QueryRow(ctx, `SELECT count(*) FROM (SELECT DISTINCT c.document_id FROM catalogue_changes c, `+f.table+` t
		WHERE c.version > t.version LIMIT $1) behind`, limit).Scan(&texts)
	return texts, classify("behind "+f.table, err)
}
