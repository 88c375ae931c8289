package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/store/chat"
)

// SaveDraft stores the chunks that an attempt has written so far, so that readers can get
// them while Redis is down. LeaseLost if another attempt holds the row: then nothing was
// written.
func (db *DB) SaveDraft(ctx context.Context, id uuid.UUID, attempt int, text string, ends []int) error {
	return db.execFenced(ctx, "save draft "+id.String(), `UPDATE messages SET draft = $3, draft_ends = $4, draft_attempt = attempt
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, text, ends)
}

// Reader is a reader of an answer, who has received the answer's events up to number After.
type Reader struct {
	Answer uuid.UUID
	After  int64
}

// News is the part of an answer's state that its reader has not received.
type News struct {
	Answer uuid.UUID
	Ended  bool // the answer has ended, or its row was deleted
	Idle   bool // the answer has not ended, and no worker holds it
	// The attempt whose draft the reader has not received completely, its text and the ends of
	// its chunks; 0, "" and nil if the reader has everything.
	Attempt int
	Draft   string
	Ends    []int
}

// News returns the News of each answer that has ended or whose draft has chunks that its
// reader has not received. If idle is set, it also returns answers that no worker holds.
func (db *DB) News(ctx context.Context, readers []Reader, idle bool) ([]News, error) {
	ids, after := make([]uuid.UUID, len(readers)), make([]int64, len(readers))
	for i, r := range readers {
		ids[i], after[i] = r.Answer, r.After
	}
	found, err := collect(ctx, db.pool, scanNews, `SELECT id, ended, idle, CASE WHEN ahead THEN attempt ELSE 0 END,
			CASE WHEN ahead THEN draft ELSE '' END, CASE WHEN ahead THEN draft_ends END
		FROM (SELECT asked.id, m.id IS NULL AS ended, m.attempt, m.draft, m.draft_ends,
				m.state = 'queued' OR m.state = 'running' AND m.lease_until < now() AS idle,
				m.state = 'running' AND m.draft_attempt = m.attempt
					AND (m.attempt - 1)::bigint * $4 + cardinality(m.draft_ends) > asked.after AS ahead
			FROM unnest($1::uuid[], $2::bigint[]) AS asked (id, after)
			LEFT JOIN messages m ON m.id = asked.id AND m.state IN ('queued', 'running')) found
		WHERE ended OR ahead OR idle AND $3`, ids, after, idle, int64(chat.AttemptStride))
	return found, classify("news of answers", err)
}

func scanNews(row pgx.CollectableRow) (n News, err error) {
	var idle *bool // NULL if the row was deleted
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
