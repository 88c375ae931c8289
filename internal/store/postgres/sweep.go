package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// MaxDeaths is the total number of attempts at a file that may be lost by crashes, even if
// they made progress: a file might let each attempt read one page and then crash it.
const MaxDeaths = 20

// crashPause is how long a job that never fails for good rests after MaxAttempts crashes in a row.
const crashPause = time.Hour

// LostText is the error text of a row that was given up after MaxAttempts crashes.
const LostText = "La tâche a été abandonnée : trois fois de suite, le processus qui la traitait s’est arrêté avant la fin."

// DeathsText is the error text of a file that was given up after MaxDeaths crashes.
const DeathsText = "La tâche a été abandonnée : vingt fois en tout, le processus qui la traitait s’est arrêté avant la fin."

// hopelessFile is the SQL condition that an ingestion gets no further attempt.
const hopelessFile = `(attempt - attempt_floor >= $2 OR deaths + attempt - attempt_floor >= $3)`

// Answers and files. Their attempts end in the files of answers and ingestions.
var (
	answerJobs    = &jobs{table: "messages"}
	ingestionJobs = &jobs{table: "ingestions"}
)

// DueAnswers returns answers that no worker holds.
func (db *DB) DueAnswers(ctx context.Context, limit int) ([]uuid.UUID, error) {
	return answerJobs.due(ctx, db, limit, notLost)
}

// DueIngestions returns files that no worker holds.
func (db *DB) DueIngestions(ctx context.Context, limit int) ([]uuid.UUID, error) {
	return ingestionJobs.due(ctx, db, limit, notLost, fmt.Sprintf("deaths + attempt - attempt_floor < %d", MaxDeaths))
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
		answers, err = collect(ctx, tx, pgx.RowToStructByPos[GivenUp], `UPDATE messages SET state = 'failed', error = $1, lease_until = 'infinity', attempt = attempt + 1, asker = NULL,
				draft = NULL, draft_ends = NULL, draft_attempt = NULL, earlier = NULL
			WHERE state IN ('queued', 'running') AND lease_until < now() AND attempt - attempt_floor >= $2
			RETURNING id, attempt`, LostText, MaxAttempts)
		return err
	})
	return answers, err
}
