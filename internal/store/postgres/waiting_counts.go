package postgres

import "context"

// WaitingCounts says how much waits for a person.
type WaitingCounts struct {
	Files      map[string]int // files by state
	Reviews    int            // texts in review
	Amendments int            // amendments that are not applied
	Inquiries  int            // inquiries that nobody has read
}

// WaitingCounts counts what the lists of the administration show.
func (db *DB) WaitingCounts(ctx context.Context) (w WaitingCounts, err error) {
	err = db.pool.QueryRow(ctx, `SELECT
		(SELECT coalesce(jsonb_object_agg(state, n), '{}') FROM (SELECT state, count(*) AS n FROM ingestions GROUP BY state) s),
		(SELECT count(*) FROM documents d WHERE`+inReview+`), (SELECT count(*)`+waitingTables+`),
		(SELECT count(*) FROM inquiries WHERE status = 'new')`).Scan(&w.Files, &w.Reviews, &w.Amendments, &w.Inquiries)
	return w, classify("waiting counts", err)
}
