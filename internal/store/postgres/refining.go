package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// UrgentWork reports whether a question waits for its answer or a file waits to be read, or
// a worker is at it.
func (db *DB) UrgentWork(ctx context.Context) (urgent bool, err error) {
	err = db.pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM messages WHERE state IN ('queued', 'running'))
		OR EXISTS (SELECT 1 FROM ingestions WHERE state IN ('queued', 'running'))`).Scan(&urgent)
	return urgent, classify("urgent work", err)
}

// Refining returns after what time no text of the catalogue lacks vectors of sentences: the
// passages that lack them, divided by the pace of the worker that computes them; and which of
// the given files have such texts. left is 0 if none lacks them, and while the time is not
// known, because no worker is at it or it has only begun.
func (db *DB) Refining(ctx context.Context, files []uuid.UUID) (left time.Duration, lacking []uuid.UUID, err error) {
	var generation uuid.UUID
	var pace float64
	err = db.pool.QueryRow(ctx, `SELECT id, pace FROM generations WHERE role = 'sentences' AND state = 'running' AND lease_until > now() AND pace > 0
		ORDER BY created_at DESC LIMIT 1`).Scan(&generation, &pace)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil, nil
	}
	if err != nil {
		return 0, nil, classify("pace of vectors", err)
	}
	var passages int64
	err = db.pool.QueryRow(ctx, `SELECT coalesce(sum(n), 0)::bigint, array_agg(ingestion_id) FILTER (WHERE ingestion_id = ANY($2)) FROM (
		SELECT d.ingestion_id, count(*) AS n FROM passages p JOIN documents d ON d.id = p.document_id AND NOT d.in_review
		WHERE NOT p.quoted AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.passage_id = p.id AND v.generation_id = $1)
		GROUP BY d.ingestion_id) f`, generation, files).Scan(&passages, &lacking)
	return time.Duration(float64(passages) / pace * float64(time.Second)), lacking, classify("passages without vectors", err)
}
