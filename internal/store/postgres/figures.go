package postgres

import (
	"context"
	"fmt"
	"strings"
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

// counted are the jobs that Waiting counts, by the name of their queue. since is the time from which a job of the table
// is late, failed is the number of failures that is shown, and of is the condition of the rows that are read: those that
// have not ended, and of large tables those that may have failed today.
var counted = []struct{ class, table, since, failed, of string }{
	{"answers", "messages", "created_at", failedToday("created_at"), openOr("role = 'assistant' AND created_at")},
	{"ingestions", "ingestions", "created_at", failedToday("updated_at"), "true"},
	{"notifications", "inquiries", "created_at", `(SELECT count(*) FROM inquiry_attempts WHERE outcome = 'failed' AND at > now() - interval '24 hours')`, "state IN ('queued', 'running')"},
	{"titles", "followers", "updated_at", "coalesce(sum(failures), 0)", "name = 'titles'"},
	{"versions", "followers", "updated_at", "coalesce(sum(failures), 0)", "name = 'versions'"},
	{"alerts", "alert_matching", "updated_at", "coalesce(sum(failures), 0)", "true"},
	{"webhooks", "webhook_deliveries", "created_at", failedToday("updated_at"), openOr("updated_at")},
	{"digests", "alert_mails", "created_at", failedToday("updated_at"), openOr("updated_at")},
}

func failedToday(at string) string {
	return `count(*) FILTER (WHERE state = 'failed' AND ` + at + ` > now() - interval '24 hours')`
}

func openOr(recent string) string {
	return `state IN ('queued', 'running') OR ` + recent + ` > now() - interval '24 hours'`
}

// Waiting counts the rows of each kind of work. It counts rows, not tasks in the queues,
// because only the rows are certain.
func (db *DB) Waiting(ctx context.Context) ([]Waiting, error) {
	var parts []string
	for _, c := range counted {
		due := "updated_at"
		if c.table == "messages" {
			due = "created_at"
		}
		parts = append(parts, fmt.Sprintf(`SELECT '%s', count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'running'),
			now() - min(%s) FILTER (WHERE state IN ('queued', 'running')),
			now() - min(greatest(%s, not_before)) FILTER (WHERE state = 'queued' AND not_before <= now()), %s
		FROM %s WHERE %s`, c.class, c.since, due, c.failed, c.table, c.of))
	}
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[Waiting], strings.Join(parts, " UNION ALL ")+` ORDER BY 1`)
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
	list, err := collect(ctx, db.pool, func(r pgx.CollectableRow) (f DayFigures, err error) {
		err = r.Scan(&f.Day, &f.Questions, &f.Failed, &f.P50, &f.P95, &f.Up, &f.Down)
		return f, err
	}, `WITH answers AS (
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
	used, err := db.usageByDay(ctx, first, last)
	for i := range list {
		list[i].Usage = used[list[i].Day]
	}
	return list, classify("figures", err)
}
