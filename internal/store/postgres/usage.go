package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Usage is the consumption of requests to one model server.
type Usage struct {
	Server, Model string // the server's host, and the model's name in the settings
	Requests      int
	In, Out       int     // tokens read and written
	Estimated     bool    // at least one request came back without token counts
	Cost          float64 // in the currency of the configured prices
}

// AddUsage stores what an attempt at an answer consumed, per server. A second call for the
// same attempt and server adds nothing, so that a write with an unknown outcome can be
// repeated. It is stored even if the answer was deleted in the meantime.
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

// usageByDay sums the consumption of models per day (UTC) from the first to the last, by
// model and server in the order of their names. Days without any are absent.
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
