package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/store/chat"
)

// SaveDraft stores the chunks that an attempt has written so far, for readers while Redis is
// down. LeaseLost if another attempt holds the row: then nothing was written.
func (db *DB) SaveDraft(ctx context.Context, id uuid.UUID, attempt int, text string, ends []int) error {
	return db.fenced(ctx, "save draft "+id.String(), `UPDATE messages SET draft = $3, draft_ends = $4, draft_attempt = attempt
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, text, ends)
}

// Reader is a reader of an answer that has received its events up to a number.
type Reader struct {
	Answer uuid.UUID
	After  int64
}

// News is the state of an answer that its readers have not received.
type News struct {
	Answer uuid.UUID
	Ended  bool // or the row is gone
	Idle   bool // it has not ended, and no worker holds it
	// Of an attempt whose draft is ahead of the reader; else 0, "" and nil.
	Attempt int
	Draft   string
	Ends    []int
}

// News returns, of the answers that are being read, those that have ended or whose draft is
// ahead of their reader, and with idle also those that no worker holds.
func (db *DB) News(ctx context.Context, readers []Reader, idle bool) ([]News, error) {
	ids, after := make([]uuid.UUID, len(readers)), make([]int64, len(readers))
	for i, r := range readers {
		ids[i], after[i] = r.Answer, r.After
	}
	rows, err := db.pool.Query(ctx, `SELECT id, ended, idle, CASE WHEN ahead THEN attempt ELSE 0 END,
			CASE WHEN ahead THEN draft ELSE '' END, CASE WHEN ahead THEN draft_ends END
		FROM (SELECT asked.id, m.id IS NULL AS ended, m.attempt, m.draft, m.draft_ends,
				m.state = 'queued' OR m.state = 'running' AND m.lease_until < now() AS idle,
				m.state = 'running' AND m.draft_attempt = m.attempt
					AND (m.attempt - 1)::bigint * $4 + cardinality(m.draft_ends) > asked.after AS ahead
			FROM unnest($1::uuid[], $2::bigint[]) AS asked (id, after)
			LEFT JOIN messages m ON m.id = asked.id AND m.state IN ('queued', 'running')) found
		WHERE ended OR ahead OR idle AND $3`, ids, after, idle, int64(chat.AttemptStride))
	if err != nil {
		return nil, classify("news of answers", err)
	}
	found, err := pgx.CollectRows(rows, scanNews)
	return found, classify("news of answers", err)
}

func scanNews(row pgx.CollectableRow) (n News, err error) {
	var idle *bool // NULL of a row that is gone
	var attempt *int
	var draft *string
	err = row.Scan(&n.Answer, &n.Ended, &idle, &attempt, &draft, &n.Ends)
	if idle != nil {
		n.Idle = *idle
	}
	if attempt != nil && draft != nil {
		n.Attempt, n.Draft = *attempt, *draft
	}
	return n, err
}
