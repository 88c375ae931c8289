package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Usage is what requests to one server of models took.
type Usage struct {
	Server, Model string // the server's host, and the model as the settings name it
	Requests      int
	In, Out       int     // tokens that were read, and written
	Estimated     bool    // of one request at least the server did not say how many
	Cost          float64 // in the money of the prices that were set
}

// AddUsage keeps what an attempt at an answer took of each server. A second call for the
// same attempt and server adds nothing, so that a write whose end was not heard may be
// made again. Of an answer that was deleted in the meantime it is kept all the same.
func (db *DB) AddUsage(ctx context.Context, answer uuid.UUID, attempt int, usage []Usage) error {
	if len(usage) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	for _, u := range usage {
		batch.Queue(`INSERT INTO model_usage (message_id, attempt, server, model, requests, tokens_in, tokens_out, estimated, cost)
			VALUES ((SELECT id FROM messages WHERE id = $1), $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
			answer, attempt, u.Server, u.Model, u.Requests, u.In, u.Out, u.Estimated, u.Cost)
	}
	return classify("add usage of "+answer.String(), db.pool.SendBatch(ctx, batch).Close())
}

// usageByDay sums what was taken of models on each day, UTC, from the first to the last,
// by model and server in the order of their names. Days without any are not there.
func (db *DB) usageByDay(ctx context.Context, first, last time.Time) (map[time.Time][]Usage, error) {
	rows, err := db.pool.Query(ctx, `SELECT (spent_at AT TIME ZONE 'UTC')::date AS day, model, server,
			sum(requests), sum(tokens_in)::bigint, sum(tokens_out)::bigint, bool_or(estimated), sum(cost)
		FROM model_usage WHERE spent_at >= $1::timestamptz AND spent_at < $2::timestamptz + interval '1 day'
		GROUP BY day, model, server ORDER BY day, model, server`, first, last)
	if err != nil {
		return nil, err
	}
	days := map[time.Time][]Usage{}
	var day time.Time
	var u Usage
	_, err = pgx.ForEachRow(rows, []any{&day, &u.Model, &u.Server, &u.Requests, &u.In, &u.Out, &u.Estimated, &u.Cost}, func() error {
		days[day] = append(days[day], u)
		return nil
	})
	return days, err
}
