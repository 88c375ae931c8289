package postgres

import (
	"context"
	"time"
)

// WaitingCounts holds the lengths of the lists that wait for a person, and the progress of the files in work.
type WaitingCounts struct {
	Files      map[string]int // files by state
	Reviews    int            // texts in review
	Amendments int            // amendments that a person can decide
	Inquiries  int            // inquiries that were not read
	Ended      int            // files that ended since the oldest one under way was added
	Left       *time.Duration // until the files under way end, at the pace of those; nil if it is unknown
}

// WaitingCounts counts what the lists of the administration show.
func (db *DB) WaitingCounts(ctx context.Context) (w WaitingCounts, err error) {
	var since *time.Duration
	err = db.pool.QueryRow(ctx, `WITH first AS (SELECT min(created_at) AS at FROM ingestions WHERE state IN ('queued', 'running'))
		SELECT (SELECT coalesce(jsonb_object_agg(state, n), '{}') FROM (SELECT state, count(*) AS n FROM ingestions GROUP BY state) s),
		(SELECT count(*) FROM documents d WHERE`+inReview+`), (SELECT count(*)`+waitingTables+waitingDecidable+`),
		(SELECT count(*) FROM inquiries WHERE status = 'new'),
		(SELECT count(*) FROM ingestions, first WHERE state IN ('review', 'done', 'failed') AND updated_at >= first.at), (SELECT now() - at FROM first)`).
		Scan(&w.Files, &w.Reviews, &w.Amendments, &w.Inquiries, &w.Ended, &since)
	if under := w.Files["queued"] + w.Files["running"]; since != nil && under > 0 && w.Ended > 0 {
		w.Left = new(time.Duration(float64(*since) / float64(w.Ended) * float64(under)))
	}
	return w, classify("waiting counts", err)
}
