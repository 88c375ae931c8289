package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Waiting is the backlog of one kind of work.
type Waiting struct {
	Class   string // name of its queue, e.g. answers, ingestions
	Queued  int
	Running int
	Oldest  *time.Duration // age of the oldest row that has not ended; nil: all have ended
	Waits   *time.Duration // how long the oldest row without a worker has been due; nil: no row waits
	Failed  int            // number of rows that failed in the last 24 hours
}

// Waiting counts the rows of each kind of work. It counts rows, not tasks in the queues,
// because only the rows are certain.
func (db *DB) Waiting(ctx context.Context) ([]Waiting, error) {
	rows, err := db.pool.Query(ctx, `SELECT 'answers', count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'running'),
			now() - min(created_at) FILTER (WHERE state IN ('queued', 'running')),
			now() - min(greatest(created_at, not_before)) FILTER (WHERE state = 'queued' AND not_before <= now()),
			count(*) FILTER (WHERE state = 'failed' AND created_at > now() - interval '24 hours')
		FROM messages WHERE state IN ('queued', 'running') OR (role = 'assistant' AND created_at > now() - interval '24 hours')
		UNION ALL SELECT 'ingestions', count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'running'),
			now() - min(created_at) FILTER (WHERE state IN ('queued', 'running')),
			now() - min(greatest(updated_at, not_before)) FILTER (WHERE state = 'queued' AND not_before <= now()),
			count(*) FILTER (WHERE state = 'failed' AND updated_at > now() - interval '24 hours')
		FROM ingestions
		UNION ALL SELECT 'notifications', count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'running'),
			now() - min(created_at) FILTER (WHERE state IN ('queued', 'running')),
			now() - min(greatest(updated_at, not_before)) FILTER (WHERE state = 'queued' AND not_before <= now()),
			(SELECT count(*) FROM inquiry_attempts WHERE outcome = 'failed' AND at > now() - interval '24 hours')
		FROM inquiries WHERE state IN ('queued', 'running')
		UNION ALL SELECT 'titles', count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'running'),
			now() - min(updated_at) FILTER (WHERE state IN ('queued', 'running')),
			now() - min(greatest(updated_at, not_before)) FILTER (WHERE state = 'queued' AND not_before <= now()), coalesce(sum(failures), 0)
		FROM title_index
		UNION ALL SELECT 'versions', count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'running'),
			now() - min(updated_at) FILTER (WHERE state IN ('queued', 'running')),
			now() - min(greatest(updated_at, not_before)) FILTER (WHERE state = 'queued' AND not_before <= now()), coalesce(sum(failures), 0)
		FROM version_index
		UNION ALL SELECT 'alerts', count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'running'),
			now() - min(updated_at) FILTER (WHERE state IN ('queued', 'running')),
			now() - min(greatest(updated_at, not_before)) FILTER (WHERE state = 'queued' AND not_before <= now()), coalesce(sum(failures), 0)
		FROM alert_matching
		UNION ALL SELECT 'webhooks', count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'running'),
			now() - min(created_at) FILTER (WHERE state IN ('queued', 'running')),
			now() - min(greatest(updated_at, not_before)) FILTER (WHERE state = 'queued' AND not_before <= now()),
			count(*) FILTER (WHERE state = 'failed' AND updated_at > now() - interval '24 hours')
		FROM webhook_deliveries WHERE state IN ('queued', 'running') OR updated_at > now() - interval '24 hours'
		UNION ALL SELECT 'digests', count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'running'),
			now() - min(created_at) FILTER (WHERE state IN ('queued', 'running')),
			now() - min(greatest(updated_at, not_before)) FILTER (WHERE state = 'queued' AND not_before <= now()),
			count(*) FILTER (WHERE state = 'failed' AND updated_at > now() - interval '24 hours')
		FROM alert_mails WHERE state IN ('queued', 'running') OR updated_at > now() - interval '24 hours' ORDER BY 1`)
	if err != nil {
		return nil, classify("waiting", err)
	}
	list, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (w Waiting, err error) {
		err = r.Scan(&w.Class, &w.Queued, &w.Running, &w.Oldest, &w.Waits, &w.Failed)
		return w, err
	})
	return list, classify("waiting", err)
}

// DayFigures are the statistics of one day (UTC).
type DayFigures struct {
	Day       time.Time
	Questions int
	Failed    int      // questions whose answer failed
	P50, P95  *float64 // median and 95th percentile of the answers' latency, in milliseconds; nil without answers
	Up, Down  int      // numbers of good and bad ratings of that day's answers
	Usage     []Usage  // by model and server; nil: no model was called
}

// Figures returns the statistics of each day from first to last, both included, oldest
// first. Days without questions are included.
func (db *DB) Figures(ctx context.Context, first, last time.Time) ([]DayFigures, error) {
	rows, err := db.pool.Query(ctx, `WITH answers AS (
			SELECT (m.created_at AT TIME ZONE 'UTC')::date AS day, m.state, m.latency_ms, f.rating
			FROM messages m LEFT JOIN feedback f ON f.message_id = m.id
			WHERE m.role = 'assistant' AND m.created_at >= $1::timestamptz AND m.created_at < $2::timestamptz + interval '1 day')
		SELECT d.day, count(a.day), count(*) FILTER (WHERE a.state = 'failed'),
			percentile_cont(0.5) WITHIN GROUP (ORDER BY a.latency_ms), percentile_cont(0.95) WITHIN GROUP (ORDER BY a.latency_ms),
			count(*) FILTER (WHERE a.rating = 'up'), count(*) FILTER (WHERE a.rating = 'down')
		FROM (SELECT generate_series($1::timestamptz AT TIME ZONE 'UTC', $2::timestamptz AT TIME ZONE 'UTC', interval '1 day')::date AS day) d
		LEFT JOIN answers a USING (day) GROUP BY d.day ORDER BY d.day`, first, last)
	if err != nil {
		return nil, classify("figures", err)
	}
	list, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (f DayFigures, err error) {
		err = r.Scan(&f.Day, &f.Questions, &f.Failed, &f.P50, &f.P95, &f.Up, &f.Down)
		return f, err
	})
	if err != nil {
		return nil, classify("figures", err)
	}
	used, err := db.usageByDay(ctx, first, last)
	for i := range list {
		list[i].Usage = used[list[i].Day]
	}
	return list, classify("figures", err)
}
