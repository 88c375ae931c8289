package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
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

func failedToday(place string) string {
	return `count(*) FILTER (WHERE state = 'failed' AND ` + place + ` > now() - interval '24 hours')`
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

// UncertainQuestion is a question that the catalogue did not surely answer, with all that differ
// from it only by case, accents and signs.
type UncertainQuestion struct {
	Text    string
	Asked   int // answers
	Refused int // number of these questions whose answer cites nothing
	People  int // accounts that asked
	Last    time.Time
	Answer  *uuid.UUID // the last answer that its asker rated, which operators may read; nil: none
}

// UncertainQuestions are the questions of a period without a sure answer.
type UncertainQuestions struct {
	Items           []UncertainQuestion // the most frequent first
	Unsure, Refused int                 // all answers of these days, shown or not
	Hidden          int                 // answers whose question is not in Items
}

// UncertainQuestions returns the questions asked from first to last, both days included, whose
// answers are unsure or refused; at most limit. Questions are shown if at least askers accounts
// asked them, or if their asker rated an answer and so gave it to the operators to read.
func (db *DB) UncertainQuestions(ctx context.Context, first, last time.Time, askers, limit int) (list UncertainQuestions, err error) {
	const asked = `WITH asked AS MATERIALIZED (
		SELECT trim(regexp_replace(fold(q.content), '[^[:alnum:]]+', ' ', 'g')) AS key, q.content, m.certainty, m.created_at, c.user_id,
			CASE WHEN EXISTS (SELECT FROM feedback f WHERE f.message_id = m.id) THEN m.id END AS rated
		FROM messages m JOIN conversations c ON c.id = m.conversation_id
			JOIN messages q ON q.conversation_id = m.conversation_id AND q.position = m.position - 1
		WHERE m.certainty IN ('unsure', 'refused') AND m.created_at >= $1 AND m.created_at < $2::timestamptz + interval '1 day') `
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, asked+`SELECT count(*) FILTER (WHERE certainty = 'unsure'), count(*) FILTER (WHERE certainty = 'refused') FROM asked`,
			first, last).Scan(&list.Unsure, &list.Refused)
		if err != nil {
			return err
		}
		list.Items, err = collect(ctx, tx, pgx.RowToStructByPos[UncertainQuestion], asked+`SELECT (array_agg(content ORDER BY rated IS NULL, created_at DESC))[1], count(*)::int, (count(*) FILTER (WHERE certainty = 'refused'))::int,
				count(DISTINCT user_id)::int, max(created_at), (array_agg(rated ORDER BY created_at DESC) FILTER (WHERE rated IS NOT NULL))[1]
			FROM asked GROUP BY key HAVING count(DISTINCT user_id) >= $3 OR count(rated) > 0 ORDER BY 2 DESC, 5 DESC, 1 LIMIT $4`, first, last, askers, limit)
		return err
	})
	list.Hidden = list.Unsure + list.Refused
	for _, q := range list.Items {
		list.Hidden -= q.Asked
	}
	return list, classify("uncertain questions", err)
}
