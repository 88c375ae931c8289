package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// MaxAttempts is the number of attempts that may be lost in a row because their worker
// crashed. Then the row is given up, because it probably is what crashes the workers.
// Attempts do not count if they were released, failed with an error, made progress or were
// excused (ExcuseAnswer).
const MaxAttempts = 3

// MaxDeaths is the total number of attempts at a file that may be lost by crashes, even if
// they made progress: a file might let each attempt read one page and then crash it.
const MaxDeaths = 20

// notifyPause is how long the notification of an inquiry rests after MaxAttempts crashes in
// a row.
const notifyPause = time.Hour

// LostText is the error text of a row that was given up after MaxAttempts crashes.
const LostText = "La tâche a été abandonnée : trois fois de suite, le processus qui la traitait s’est arrêté avant la fin."

// DeathsText is the error text of a file that was given up after MaxDeaths crashes.
const DeathsText = "La tâche a été abandonnée : vingt fois en tout, le processus qui la traitait s’est arrêté avant la fin."

// hopelessFile is the SQL condition that an ingestion gets no further attempt.
const hopelessFile = `(attempt - attempt_floor >= $2 OR deaths + attempt - attempt_floor >= $3)`

// DueAnswers selects the answers whose lease or hint has expired, sets them to queued and
// returns their ids, so that the sweep enqueues a new hint for each. Sweeps of several
// workers may run at once: each row is returned to one of them. The interval between two
// hints for a waiting row doubles up to a minute, less a random tenth, so that a long queue
// does not fill with duplicates.
func (db *DB) DueAnswers(ctx context.Context, limit int) ([]uuid.UUID, error) {
	return db.due(ctx, "messages", limit)
}

// DueIngestions does for files what DueAnswers does for answers.
func (db *DB) DueIngestions(ctx context.Context, limit int) ([]uuid.UUID, error) {
	return db.due(ctx, "ingestions", limit, fmt.Sprintf("AND deaths + attempt - attempt_floor < %d", MaxDeaths))
}

// DueNotifications does for the notifications of inquiries what DueAnswers does for
// answers. A notification that has lost MaxAttempts attempts is not given up, because a
// visitor waits for a reply: it is retried after notifyPause.
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
	Attempt int // number of the attempt that consists only of the failure
}

// FailHopeless fails the answers and ingestions that have lost all their attempts by
// crashes, each with an error text. It returns the answers, so that their error events can
// be published. The failure counts as an attempt of its own, so that its event is numbered
// after the events of the lost attempts.
func (db *DB) FailHopeless(ctx context.Context) (answers []GivenUp, err error) {
	err = db.inTx(ctx, "fail hopeless", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE ingestions SET state = 'failed', updated_at = now(),
				error = CASE WHEN attempt - attempt_floor >= $2 THEN $1 ELSE $4 END
			WHERE state IN ('queued', 'running') AND lease_until < now() AND `+hopelessFile, LostText, MaxAttempts, MaxDeaths, DeathsText); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `UPDATE messages SET state = 'failed', error = $1, lease_until = 'infinity', attempt = attempt + 1, asker = NULL,
				draft = NULL, draft_ends = NULL, draft_attempt = NULL, earlier = NULL
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
