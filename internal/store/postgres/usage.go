package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Usage is the usage of one model on one server: requests, tokens and cost.
type Usage struct {
	Server, Model string // host name of the server, and name of the model in the settings
	Requests      int
	In, Out       int     // number of tokens read and written
	Estimated     bool    // whether the server sent no token counts for at least one request
	Cost          float64 // cost in the currency of the configured prices
}

// AddUsage stores the usage of an attempt at an answer, per server. A second call for the
// same attempt and server adds nothing, so that a caller who does not know whether a write
// succeeded can repeat it. The usage is stored even if the answer was deleted in the
// meantime.
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

// usageByDay sums the usage per day (UTC) from first to last, both included, by model and
// server in the order of their names. Days without usage are absent.
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
