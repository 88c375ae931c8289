package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// MaxAttempts is how many attempts in a row may be lost because their worker crashed before
// the row is given up: by then it is probably the row that crashes them. Attempts that were
// released, that failed with an error, that made progress, or that were excused
// (ExcuseAnswer) are not counted.
const MaxAttempts = 3

// MaxDeaths is how many attempts at a file may be lost by crashes in all, even if pages were
// read in between: a file may let each attempt read one page and then crash it.
const MaxDeaths = 20

// notifyPause is how long an inquiry is not retried after so many crashes.
const notifyPause = time.Hour

// LostText is the error text of a row that was given up.
const LostText = "La tâche a été abandonnée : trois fois de suite, le processus qui la traitait s’est arrêté avant la fin."

// DeathsText is the error text of a file that was given up in spite of its progress.
const DeathsText = "La tâche a été abandonnée : vingt fois en tout, le processus qui la traitait s’est arrêté avant la fin."

// hopelessFile is the condition that an ingestion gets no further attempt.
const hopelessFile = `(attempt - attempt_floor >= $2 OR deaths + attempt - attempt_floor >= $3)`

// DueAnswers selects the answers whose lease or hint has expired, sets them to queued and
// returns their ids, so that the sweep enqueues a new hint for each. Many sweeps may run at
// once: each row is returned to one of them. The interval between hints for a waiting row
// doubles up to a minute, less a random tenth, so that a long queue does not fill with
// duplicates.
func (db *DB) DueAnswers(ctx context.Context, limit int) ([]uuid.UUID, error) {
	return db.due(ctx, "messages", limit)
}

// DueIngestions is DueAnswers for gazettes.
func (db *DB) DueIngestions(ctx context.Context, limit int) ([]uuid.UUID, error) {
	return db.due(ctx, "ingestions", limit, fmt.Sprintf("AND deaths + attempt - attempt_floor < %d", MaxDeaths))
}

// DueNotifications is DueAnswers for the notifications of inquiries. One that has lost
// MaxAttempts attempts is not given up, because somebody waits for a call: it is retried
// after notifyPause.
func (db *DB) DueNotifications(ctx context.Context, limit int) ([]uuid.UUID, error) {
	_, err := db.pool.Exec(ctx, `UPDATE inquiries SET state = 'queued', hints = 0, attempt_floor = attempt,
			not_before = now() + $1::interval, lease_until = now() + $1::interval
		WHERE state IN ('queued', 'running') AND lease_until < now() AND attempt - attempt_floor >= $2`, notifyPause, MaxAttempts)
	if err != nil {
		return nil, classify("pause inquiries", err)
	}
	return db.due(ctx, "inquiries", limit)
}

func (db *DB) due(ctx context.Context, table string, limit int, conditions ...string) ([]uuid.UUID, error) {
	rows, err := db.pool.Query(ctx, fmt.Sprintf(`WITH due AS (
			SELECT id FROM %[1]s WHERE state IN ('queued', 'running') AND lease_until < now() AND attempt - attempt_floor < $3 %[2]s
			ORDER BY lease_until LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
		UPDATE %[1]s t SET state = 'queued', hints = hints + 1,
			lease_until = now() + least($2::interval * power(2, least(hints, 10)), interval '1 minute') * (1 - random() / 10)
		FROM due WHERE t.id = due.id RETURNING t.id`, table, strings.Join(conditions, " ")), limit, Grace, MaxAttempts)
	if err != nil {
		return nil, classify("due "+table, err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	return ids, classify("due "+table, err)
}

// GivenUp is an answer that gets no further attempt.
type GivenUp struct {
	ID      uuid.UUID
	Attempt int // the one that consists of the end alone
}

// FailHopeless fails the answers and ingestions that have lost all their attempts by crashes,
// each with an error text, and returns the answers so that their error events are published.
// The failure counts as an attempt of its own, so that its event comes after those of the
// lost attempts.
func (db *DB) FailHopeless(ctx context.Context) (answers []GivenUp, err error) {
	err = db.inTx(ctx, "fail hopeless", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE ingestions SET state = 'failed', updated_at = now(),
				error = CASE WHEN attempt - attempt_floor >= $2 THEN $1 ELSE $4 END
			WHERE state IN ('queued', 'running') AND lease_until < now() AND `+hopelessFile, LostText, MaxAttempts, MaxDeaths, DeathsText); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `UPDATE messages SET state = 'failed', error = $1, lease_until = 'infinity', attempt = attempt + 1, asker = NULL,
				draft = NULL, draft_ends = NULL, draft_attempt = NULL
			WHERE state IN ('queued', 'running') AND lease_until < now() AND attempt - attempt_floor >= $2
			RETURNING id, attempt`, LostText, MaxAttempts)
		if err != nil {
			return err
		}
		answers, err = pgx.CollectRows(rows, pgx.RowToStructByPos[GivenUp])
		return err
	})
	return answers, err
}
