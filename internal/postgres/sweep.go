package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// MaxAttempts is how often in a row an attempt may be lost with its worker
// before the row is given up: by then it is the row that ends the workers. What
// was given back, failed in good order, made progress, or was lost by a worker that
// lived to tell of it is not counted.
const MaxAttempts = 3

// MaxDeaths is how often attempts at a file may be lost with their worker in all,
// whatever pages were read in between: a file may let each attempt read one page.
const MaxDeaths = 20

// notifyPause is how long an inquiry is left alone that has killed so many
// workers.
const notifyPause = time.Hour

// LostText is the reason of a row that was given up.
const LostText = "La tâche a été abandonnée : trois fois de suite, le processus qui la traitait s’est arrêté avant la fin."

// DeathsText is the reason of a file that was given up in spite of its progress.
const DeathsText = "La tâche a été abandonnée : vingt fois en tout, le processus qui la traitait s’est arrêté avant la fin."

// hopelessFile tells of a row of ingestions that no further attempt is made at.
const hopelessFile = `(attempt - attempt_floor >= $2 OR deaths + attempt - attempt_floor >= $3)`

// DueAnswers picks answers whose lease or hint ran out, puts them back to
// queued and returns their ids, so that the sweep gives each a new hint. Many
// sweeps may run at once: a row goes to one of them. Each further hint for the
// same wait is given twice as late, up to a minute and less a tenth by chance,
// lest a long queue fill with doubles.
func (db *DB) DueAnswers(ctx context.Context, limit int) ([]uuid.UUID, error) {
	return db.due(ctx, "messages", limit)
}

// DueIngestions is DueAnswers for gazettes.
func (db *DB) DueIngestions(ctx context.Context, limit int) ([]uuid.UUID, error) {
	return db.due(ctx, "ingestions", limit, fmt.Sprintf("AND deaths + attempt - attempt_floor < %d", MaxDeaths))
}

// DueNotifications is DueAnswers for inquiries to be told of. One of which every
// attempt was lost is not given up, for somebody waits for a call: it is left
// alone for a while.
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

// GivenUp is an answer that no further attempt is made at.
type GivenUp struct {
	ID      uuid.UUID
	Attempt int // the one that consists of the end alone
}

// FailHopeless ends the answers and ingestions whose every attempt was lost
// with its worker, each with a reason, and returns the answers so that their
// readers are told. The end counts as an attempt of its own: its event follows
// whatever the lost ones have sent.
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
