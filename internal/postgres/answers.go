package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/chat"
	"vigueur/internal/errs"
	"vigueur/internal/law"
)

// Work is an answer taken up by a worker.
type Work struct {
	ID             uuid.UUID
	ConversationID uuid.UUID
	Attempt        int
	Question       string
	History        []chat.Message // earlier turns, oldest first, at most HistoryLimit messages
	Filters        law.Filters
	Model          string
	Waited         time.Duration // from the question's acceptance to the start, by the database's clock
	Cancel         bool          // it was cancelled before it began
}

// HistoryLimit is how many earlier messages an answer is given.
const HistoryLimit = 10

// StartAnswer takes the answer up: attempt+1 and a lease. LeaseLost when
// another worker holds it or it has ended: the task was a stale hint. NotFound
// when it was deleted.
func (db *DB) StartAnswer(ctx context.Context, id uuid.UUID) (w Work, err error) {
	err = db.inTx(ctx, "start answer "+id.String(), func(tx pgx.Tx) error {
		if w, err = leaseAnswer(ctx, tx, id); err != nil {
			return err
		}
		before, err := queryMessages(ctx, tx, `WHERE m.conversation_id = $1
			AND m.position < (SELECT position FROM messages WHERE id = $2)
			ORDER BY m.position DESC LIMIT $3`, w.ConversationID, id, HistoryLimit+1)
		if err != nil {
			return err
		}
		// Newest first: the first is the question itself.
		w.Question = before[0].Content
		for i := len(before) - 1; i > 0; i-- {
			w.History = append(w.History, before[i])
		}
		return nil
	})
	return w, err
}

func leaseAnswer(ctx context.Context, tx pgx.Tx, id uuid.UUID) (w Work, err error) {
	var filters []byte
	row := tx.QueryRow(ctx, `UPDATE messages SET state = 'running', attempt = attempt + 1, hints = 0,
			lease_until = now() + $2::interval
		WHERE id = $1 AND (state = 'queued' OR (state = 'running' AND lease_until < now()))
		RETURNING id, conversation_id, attempt, filters, coalesce(model, ''), clock_timestamp() - created_at, cancel_requested`, id, Lease)
	err = row.Scan(&w.ID, &w.ConversationID, &w.Attempt, &filters, &w.Model, &w.Waited, &w.Cancel)
	if errs.Is(classify("", err), errs.NotFound) {
		return w, errs.New(errs.LeaseLost, "")
	}
	if err != nil {
		return w, err
	}
	return w, json.Unmarshal(filters, &w.Filters)
}

// KeepAnswer renews the lease of an attempt and tells whether its canceling
// was asked for. LeaseLost when the attempt is no longer the row's.
func (db *DB) KeepAnswer(ctx context.Context, id uuid.UUID, attempt int) (cancel bool, err error) {
	err = db.pool.QueryRow(ctx, `UPDATE messages SET lease_until = now() + $3::interval
		WHERE id = $1 AND attempt = $2 AND state = 'running' RETURNING cancel_requested`, id, attempt, Lease).Scan(&cancel)
	return cancel, leaseError("keep answer "+id.String(), err)
}

// Outcome is a finished answer.
type Outcome struct {
	State      chat.State // Done, Failed or Cancelled
	Content    string
	ChunkEnds  []int
	Citations  []law.Citation
	Validation chat.Validation
	LatencyMS  int
	Model      string
	Error      string // French, when Failed
}

// FinishAnswer writes the end of an attempt, once, in one transaction, and
// gives the message as it is stored. LeaseLost when the attempt is no longer the
// row's: then nothing was written.
func (db *DB) FinishAnswer(ctx context.Context, id uuid.UUID, attempt int, o Outcome) (m chat.Message, err error) {
	err = db.inTx(ctx, "finish answer "+id.String(), func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `UPDATE messages SET state = $3, content = $4, chunk_ends = $5, validation_ok = $6,
				validation_warning = $7, latency_ms = $8, model = nullif($9, ''), error = $10, lease_until = 'infinity'
			WHERE id = $1 AND attempt = $2 AND state = 'running'`,
			id, attempt, o.State, o.Content, chunkEnds(o.ChunkEnds), o.Validation.OK,
			o.Validation.Warning, o.LatencyMS, o.Model, o.Error)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return errs.New(errs.LeaseLost, "")
		}
		if err := insertCitations(ctx, tx, id, o.Citations); err != nil {
			return err
		}
		m, err = scanMessage(tx.QueryRow(ctx, messageQuery+`WHERE m.id = $1`, id))
		return err
	})
	return m, err
}

// chunkEnds keeps the column free of NULL.
func chunkEnds(ends []int) []int {
	if ends == nil {
		return []int{}
	}
	return ends
}

func insertCitations(ctx context.Context, tx pgx.Tx, message uuid.UUID, citations []law.Citation) error {
	batch := &pgx.Batch{}
	for _, c := range citations {
		data, err := json.Marshal(c)
		if err != nil {
			return err
		}
		batch.Queue(`INSERT INTO citations (message_id, index, citation) VALUES ($1, $2, $3)`, message, c.Index, data)
	}
	return tx.SendBatch(ctx, batch).Close()
}

// ReleaseAnswer gives an attempt back unfinished, so that another worker takes
// it up at once: what a worker does that is told to stop.
func (db *DB) ReleaseAnswer(ctx context.Context, id uuid.UUID, attempt int) error {
	tag, err := db.pool.Exec(ctx, `UPDATE messages SET state = 'queued', lease_until = now()
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt)
	if err == nil && tag.RowsAffected() == 0 {
		return errs.New(errs.LeaseLost, "")
	}
	return classify("release answer "+id.String(), err)
}

// leaseError reads « no row » of a fenced write as a lost lease.
func leaseError(what string, err error) error {
	if err = classify(what, err); errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.LeaseLost, "", err)
	}
	return err
}
