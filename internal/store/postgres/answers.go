package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
)

// Work is an answer that a worker has leased.
type Work struct {
	ID             uuid.UUID
	ConversationID uuid.UUID
	Attempt        int
	Question       string
	History        []chat.Message // earlier turns, oldest first, at most HistoryLimit messages
	Filters        law.Filters
	Model          string
	Waited         time.Duration // from the question's acceptance to the start, by the database's clock
	Cancel         bool          // the user cancelled the answer before this attempt began
	Failures       int           // attempts that ended with an error
	Trace          string        // trace context of the request; "": not traced
}

// HistoryLimit is the maximum number of earlier messages that a worker gets with a
// question.
const HistoryLimit = 10

// StartAnswer selects the next answer for a worker, leases it and counts an attempt. The
// selection is fair between users and does not follow the order of the hints: users share
// the seconds that workers spend (ChargeAnswer), not the number of answers. Among users to
// whom equally little was given it prefers the hinted answer, then the oldest. There is one
// hint per row, so every row gets its turn. LeaseLost if no answer waits: then the hint was
// stale.
func (db *DB) StartAnswer(ctx context.Context, hint uuid.UUID) (w Work, err error) {
	err = db.inTx(ctx, "start answer for "+hint.String(), func(tx pgx.Tx) error {
		if w, err = leaseAnswer(ctx, tx, hint); err != nil {
			return err
		}
		before, err := queryMessages(ctx, tx, `WHERE m.conversation_id = $1
			AND m.position < (SELECT position FROM messages WHERE id = $2)
			ORDER BY m.position DESC LIMIT $3`, w.ConversationID, w.ID, HistoryLimit+1)
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

// usualSeconds is the expected cost of an answer, in seconds of a worker, for a user without recent answers. In the
// average of recent answers it counts as one of them.
const usualSeconds = 0.2

// decay returns the SQL expression for the current value of a column of answer_seconds, called g in the query. The value
// halves every minute.
func decay(column string) string {
	return `g.` + column + ` * power(0.5, least(extract(epoch FROM clock_timestamp() - g.at) / 60, 64))`
}

// leaseAnswer selects the answer with the smallest turn and leases it. A turn is a number of seconds: what the user has
// received recently, and the expected cost of the user's answers that run or wait before this one. It decreases by a
// second for every ten that the row waits, so that each row is leased in time however many others ask. Concurrent
// workers skip each other's locked rows and take the next ones.
func leaseAnswer(ctx context.Context, tx pgx.Tx, hint uuid.UUID) (w Work, err error) {
	var filters, earlier []byte
	row := tx.QueryRow(ctx, `WITH open AS (
			SELECT id, asker, created_at, state = 'running' AND lease_until >= now() AS held FROM messages
			WHERE state IN ('queued', 'running') AND not_before <= now()),
		places AS (
			SELECT id, asker, created_at, held, count(*) FILTER (WHERE held) OVER (PARTITION BY asker)
				+ row_number() OVER (PARTITION BY asker, held ORDER BY created_at, id) - 1 AS before FROM open),
		turns AS (
			SELECT p.id, p.created_at, coalesce(`+decay("seconds")+`, 0)
				+ before * ($4 + coalesce(`+decay("seconds")+`, 0)) / (1 + coalesce(`+decay("answers")+`, 0))
				- floor(greatest(extract(epoch FROM clock_timestamp() - p.created_at), 0) / 10) AS turn
			FROM places p LEFT JOIN answer_seconds g ON g.asker = p.asker WHERE NOT held),
		picked AS (
			SELECT m.id FROM turns t JOIN messages m ON m.id = t.id
			WHERE (m.state = 'queued' OR m.state = 'running' AND m.lease_until < now())
				AND m.attempt - m.attempt_floor < $3
			ORDER BY t.turn, t.id <> $1, t.created_at, t.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED)
		UPDATE messages m SET state = 'running', attempt = attempt + 1, hints = 0, lease_until = now() + $2::interval
		FROM picked WHERE m.id = picked.id
		RETURNING m.id, conversation_id, attempt, filters, coalesce(model, ''), clock_timestamp() - created_at,
			cancel_requested, failures, coalesce(trace, ''), earlier`, hint, Lease, MaxAttempts, usualSeconds)
	err = row.Scan(&w.ID, &w.ConversationID, &w.Attempt, &filters, &w.Model, &w.Waited, &w.Cancel, &w.Failures, &w.Trace, &earlier)
	if errs.Is(classify("", err), errs.NotFound) {
		return w, errs.New(errs.LeaseLost, "")
	}
	if err != nil {
		return w, err
	}
	if earlier != nil {
		var turns []EarlierTurn
		if err := json.Unmarshal(earlier, &turns); err != nil {
			return w, err
		}
		for _, t := range turns {
			w.History = append(w.History, chat.Message{Role: chat.User, Content: t.Question, State: chat.Done}, chat.Message{Role: chat.Assistant, Content: t.Answer, State: chat.Done})
		}
	}
	return w, json.Unmarshal(filters, &w.Filters)
}

// KeepAnswer renews the lease of an attempt and reports whether cancellation was requested.
// LeaseLost if another attempt holds the row.
func (db *DB) KeepAnswer(ctx context.Context, id uuid.UUID, attempt int) (cancel bool, err error) {
	err = db.renewals.QueryRow(ctx, `UPDATE messages SET lease_until = now() + $3::interval
		WHERE id = $1 AND attempt = $2 AND state = 'running' RETURNING cancel_requested`, id, attempt, Lease).Scan(&cancel)
	return cancel, leaseError("keep answer "+id.String(), err)
}

// ChargeAnswer adds the time that a worker has spent on an attempt to the account of its user. It does nothing if
// another attempt holds the row.
func (db *DB) ChargeAnswer(ctx context.Context, id uuid.UUID, attempt int, spent time.Duration) error {
	_, err := db.pool.Exec(ctx, `INSERT INTO answer_seconds AS g (asker, seconds, answers, at)
		SELECT asker, $3, 1, clock_timestamp() FROM messages WHERE id = $1 AND attempt = $2 AND state = 'running' AND asker IS NOT NULL
		ON CONFLICT (asker) DO UPDATE SET seconds = excluded.seconds + `+decay("seconds")+`, answers = 1 + `+decay("answers")+`, at = excluded.at`,
		id, attempt, max(spent, 0).Seconds())
	return classify("charge answer "+id.String(), err)
}

// Outcome is a finished answer.
type Outcome struct {
	State      chat.State // Done, Failed or Cancelled
	Content    string
	ChunkEnds  []int
	Citations  []law.Citation
	SeeAlso    []law.Citation
	Validation chat.Validation
	Certainty  *chat.Certainty // nil: not stored
	LatencyMS  int
	Model      string
	Error      string          // French, when Failed
	Why        json.RawMessage // how the answer was made, encoded by package why; nil: not stored
}

// FinishAnswer writes the end of an attempt, once, in one transaction, and returns the
// message as it is stored. LeaseLost if another attempt holds the row: then nothing was
// written.
func (db *DB) FinishAnswer(ctx context.Context, id uuid.UUID, attempt int, o Outcome) (m chat.Message, err error) {
	grade, probability := o.Certainty.Fields()
	if o.SeeAlso == nil {
		o.SeeAlso = []law.Citation{} // the column is NOT NULL
	}
	err = db.inTx(ctx, "finish answer "+id.String(), func(tx pgx.Tx) error {
		if err := execOne(ctx, tx, errs.New(errs.LeaseLost, ""), `UPDATE messages SET state = $3, content = $4, chunk_ends = $5, validation_ok = $6,
				validation_warning = $7, latency_ms = $8, model = nullif($9, ''), error = $10, certainty = $11, probability = $12, see_also = $13, lease_until = 'infinity', asker = NULL,
				earlier = NULL
			WHERE id = $1 AND attempt = $2 AND state = 'running'`,
			id, attempt, o.State, o.Content, chunkEnds(o.ChunkEnds), o.Validation.OK,
			o.Validation.Warning, o.LatencyMS, o.Model, o.Error, grade, probability, o.SeeAlso); err != nil {
			return err
		}
		if err := insertCitations(ctx, tx, id, o.Citations); err != nil {
			return err
		}
		if len(o.Why) > 0 {
			if _, err := tx.Exec(ctx, `INSERT INTO answer_whys (message_id, why) VALUES ($1, $2)`, id, o.Why); err != nil {
				return err
			}
		}
		m, err = scanMessage(tx.QueryRow(ctx, messageQuery+`WHERE m.id = $1`, id))
		return err
	})
	return m, err
}

// chunkEnds returns an empty slice for nil, because the column is NOT NULL.
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

// ReleaseAnswer releases an unfinished attempt, as a worker does at shutdown, so that another
// worker leases the row at once. The attempt counts neither as lost nor as failed, however
// often workers are replaced.
func (db *DB) ReleaseAnswer(ctx context.Context, id uuid.UUID, attempt int) error {
	return db.execFenced(ctx, "release answer "+id.String(), `UPDATE messages SET state = 'queued', hints = 0,
			attempt_floor = least(attempt, attempt_floor + 1), lease_until = now()
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt)
}

// PutBackAnswer records that an attempt failed with a temporary error, and delays the next
// attempt by the given time.
func (db *DB) PutBackAnswer(ctx context.Context, id uuid.UUID, attempt int, after time.Duration) error {
	return db.execFenced(ctx, "put back answer "+id.String(), `UPDATE messages SET state = 'queued', hints = 0,
			attempt_floor = least(attempt, attempt_floor + 1), failures = failures + 1,
			not_before = now() + $3::interval, lease_until = now() + $3::interval
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, after)
}

// ExcuseAnswer records that the worker of an attempt did not crash although the attempt lost
// its lease or its end could not be written: the attempt counts as failed, not as lost.
func (db *DB) ExcuseAnswer(ctx context.Context, id uuid.UUID, attempt int) error {
	return db.excuse(ctx, "messages", id, attempt)
}

// leaseError converts the error of a fenced write that found no row to LeaseLost.
func leaseError(what string, err error) error {
	if err = classify(what, err); errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.LeaseLost, "", err)
	}
	return err
}

// CountAnswersCiting counts the answers that cite an article.
func (db *DB) CountAnswersCiting(ctx context.Context, article uuid.UUID) (n int, err error) {
	err = db.pool.QueryRow(ctx, `SELECT count(*) FROM citations WHERE citation ->> 'article_id' = $1`, article.String()).Scan(&n)
	return n, classify("answers citing "+article.String(), err)
}
