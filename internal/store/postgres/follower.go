package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Follower accesses the row of an index that follows the catalogue. The row is a job whenever the index lacks changes of
// the catalogue. The service retries that job without limit.
type Follower struct {
	db   *DB
	name string // the key of its row
}

// TitleIndex is the row of the title index in Meilisearch.
func (db *DB) TitleIndex() Follower { return Follower{db, "titles"} }

// PassageIndex is the row of the passage index in Milvus.
func (db *DB) PassageIndex() Follower { return Follower{db, "passages"} }

// VersionIndex is the row of the versions of articles, which are stored in PostgreSQL itself.
func (db *DB) VersionIndex() Follower { return Follower{db, "versions"} }

// followerJobs are the rows of all followers.
var followerJobs = &jobs{table: "followers", wake: `rebuild OR version < (SELECT coalesce(max(version), 0) FROM catalogue_changes)`}

// Following is the state of an index that follows the catalogue. Its methods act on the attempt that holds the row.
type Following struct {
	Leased
	Version int64 // version of the catalogue that the index contains
	Rebuild bool  // whether the index must be rebuilt
	State   string
	Error   string
}

// Now returns the state of the index.
func (f Follower) Now(ctx context.Context) (row Following, err error) {
	row.db, row.jobs = f.db, followerJobs
	err = f.db.pool.QueryRow(ctx, `SELECT id, attempt, failures, version, rebuild, state, error FROM followers WHERE name = $1`, f.name).
		Scan(&row.ID, &row.Attempt, &row.Failures, &row.Version, &row.Rebuild, &row.State, &row.Error)
	return row, classify(f.name, err)
}

// Due returns the id of the index if it lacks changes of the catalogue and no worker holds it.
func (f Follower) Due(ctx context.Context, limit int) ([]uuid.UUID, error) {
	return followerJobs.due(ctx, f.db, limit, `name = '`+f.name+`'`)
}

// Lease leases the index and counts an attempt. LeaseLost if another worker holds the index, or if it is up to date.
func (f Follower) Lease(ctx context.Context, id uuid.UUID) (row Following, err error) {
	err = f.db.inTx(ctx, "lease "+f.name, func(tx pgx.Tx) error {
		l, err := followerJobs.lease(ctx, f.db, tx, id)
		if err != nil {
			return err
		}
		row = Following{Leased: l, State: "running"}
		return tx.QueryRow(ctx, `SELECT version, rebuild, error FROM followers WHERE id = $1`, id).Scan(&row.Version, &row.Rebuild, &row.Error)
	})
	return row, err
}

// Advance records that the index contains the catalogue at version. It is the checkpoint of an attempt.
func (f Following) Advance(ctx context.Context, version int64) error {
	return f.advance(ctx, f.db.pool, version)
}

func (f Following) advance(ctx context.Context, q querier, version int64) error {
	return f.set(ctx, q, `version = $3, rebuild = false, failures = 0, error = '', attempt_floor = attempt`, version)
}

// Remake requests a rebuild of the index.
func (f Follower) Remake(ctx context.Context) error {
	_, err := f.db.pool.Exec(ctx, `UPDATE followers SET rebuild = true, not_before = '-infinity', updated_at = now(),
		lease_until = CASE WHEN state = 'running' THEN lease_until ELSE now() END WHERE name = $1`, f.name)
	return classify("remake "+f.name, err)
}

// Miss requests a rebuild because a search found no index on the server, unless an attempt
// is running.
func (f Follower) Miss(ctx context.Context) error {
	_, err := f.db.pool.Exec(ctx, `UPDATE followers SET rebuild = true, updated_at = now() WHERE name = $1 AND state = 'done' AND NOT rebuild`, f.name)
	return classify("miss "+f.name, err)
}

// Behind counts the changed texts of the catalogue that the index lacks, and stops at
// limit.
func (f Follower) Behind(ctx context.Context, limit int) (texts int, err error) {
	err = f.db.pool.QueryRow(ctx, `SELECT count(*) FROM (SELECT DISTINCT c.document_id FROM catalogue_changes c, followers t
		WHERE t.name = $2 AND c.version > t.version LIMIT $1) behind`, limit, f.name).Scan(&texts)
	return texts, classify("behind "+f.name, err)
}
