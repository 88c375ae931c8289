package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Lease is how long a worker holds a row without renewing the lease, and Renew is the interval of renewals. Grace is
// how long the sweep waits for the effect of a new hint in the queue before it enqueues another one.
const (
	Lease = 6 * time.Second
	Renew = 2 * time.Second
	Grace = 4 * time.Second
)

// MaxAttempts is the number of attempts that may be lost in a row because their worker
// crashed. Then the row is given up, because it probably is what crashes the workers.
// Attempts do not count if they were released, failed with an error, made progress or were
// excused (ExcuseAnswer).
const MaxAttempts = 3

// jobs is a table whose rows are jobs of one kind. Beside what the job needs, it has the columns of a lease: state,
// attempt, attempt_floor, failures, hints, error, lease_until, not_before and updated_at.
type jobs struct {
	table string
	// wake is the condition under which a finished job is due again; "": never.
	wake string
	// finished and retried are further assignments of Finish and Retry, to columns that not all jobs have.
	finished, retried string
	// pause is how long a job rests after MaxAttempts attempts in a row were lost with their workers; 0: not at all.
	pause time.Duration
	// tries is the number of failures after which a job has failed; 0: it is retried for ever.
	tries int
	// end records the end of an attempt in the transaction that writes it; nil: nothing else is recorded.
	end func(ctx context.Context, tx pgx.Tx, l Leased, outcome, reason string) error
}

// Leased is an attempt at a job. Its methods return LeaseLost if another attempt holds the job or the job has ended.
type Leased struct {
	ID       uuid.UUID
	Attempt  int
	Failures int // number of failures before this attempt
	db       *DB
	jobs     *jobs
}

// held is the condition that an attempt ($2) still holds its row ($1).
const held = ` WHERE id = $1 AND attempt = $2 AND state = 'running'`

// due selects up to limit jobs whose lease or hint has expired, sets them to queued and returns their ids, so that the
// sweep enqueues a new hint for each. Sweeps of several workers may run at once: each job is returned to one of them.
// The interval between two hints for a waiting job doubles up to a minute, less a random tenth, so that a long queue
// does not fill with duplicates.
func (j *jobs) due(ctx context.Context, db *DB, limit int, conditions ...string) ([]uuid.UUID, error) {
	if j.pause > 0 {
		_, err := db.pool.Exec(ctx, `UPDATE `+j.table+` SET state = 'queued', hints = 0, attempt_floor = attempt,
				not_before = now() + $1::interval, lease_until = now() + $1::interval
			WHERE state IN ('queued', 'running') AND lease_until < now() AND attempt - attempt_floor >= $2`, j.pause, MaxAttempts)
		if err != nil {
			return nil, classify("pause "+j.table, err)
		}
	}
	where := `state IN ('queued', 'running')`
	if j.wake != "" {
		where = `(state IN ('queued', 'running') OR state = 'done' AND (` + j.wake + `))`
	}
	for _, c := range conditions {
		where += ` AND ` + c
	}
	ids, err := collect(ctx, db.pool, pgx.RowTo[uuid.UUID], fmt.Sprintf(`WITH due AS (
			SELECT id FROM %[1]s x WHERE lease_until < now() AND not_before <= now() AND %[2]s
			ORDER BY lease_until LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
		UPDATE %[1]s t SET state = 'queued', hints = hints + 1,
			lease_until = now() + least($2::interval * power(2, least(hints, 10)), interval '1 minute') * (1 - random() / 10)
		FROM due WHERE t.id = due.id RETURNING t.id`, j.table, where), limit, Grace)
	return ids, classify("due "+j.table, err)
}

// notLost is the condition that fewer than MaxAttempts attempts in a row were lost with their workers.
var notLost = fmt.Sprintf(`attempt - attempt_floor < %d`, MaxAttempts)

// lease begins an attempt at a job. LeaseLost if another worker holds the job, if it has ended, or if it is not due.
func (j *jobs) lease(ctx context.Context, db *DB, q querier, id uuid.UUID) (Leased, error) {
	l := Leased{ID: id, db: db, jobs: j}
	err := q.QueryRow(ctx, `UPDATE `+j.table+` SET state = 'running', attempt = attempt + 1, hints = 0, lease_until = now() + $2::interval, updated_at = now()
		WHERE id = $1 AND not_before <= now() AND (state = 'queued' OR state = 'running' AND lease_until < now())
		RETURNING attempt, failures`, id, Lease).Scan(&l.Attempt, &l.Failures)
	return l, leaseError("lease "+j.table, err)
}

// Renew renews the lease.
func (l Leased) Renew(ctx context.Context) error {
	return fencedOn(ctx, l.db.renewals, "renew "+l.jobs.table, `UPDATE `+l.jobs.table+` SET lease_until = now() + $3::interval`+held, l.ID, l.Attempt, Lease)
}

// Finish ends an attempt that did the job.
func (l Leased) Finish(ctx context.Context) error {
	return l.conclude(ctx, "finish", "sent", "", `state = 'done', attempt_floor = attempt, failures = 0, error = '', lease_until = now()`+l.jobs.finished)
}

// Retry ends an attempt that failed for a reason (French), and delays the next one by after.
func (l Leased) Retry(ctx context.Context, reason string, after time.Duration) error {
	return l.conclude(ctx, "retry", "failed", reason, `state = CASE WHEN $5 > 0 AND failures + 1 >= $5 THEN 'failed' ELSE 'queued' END, failures = failures + 1, hints = 0,
		attempt_floor = attempt, error = $3, not_before = now() + $4::interval, lease_until = now() + $4::interval`+l.jobs.retried, reason, after, l.jobs.tries)
}

// Release ends an unfinished attempt, so that another one can begin at once.
func (l Leased) Release(ctx context.Context) error {
	return l.conclude(ctx, "release", "released", "", `state = 'queued', hints = 0, attempt_floor = attempt, lease_until = now()`)
}

// conclude ends the attempt by setting columns.
func (l Leased) conclude(ctx context.Context, what, outcome, reason, set string, args ...any) error {
	return l.db.inTx(ctx, what+" "+l.jobs.table, func(tx pgx.Tx) error {
		if err := l.set(ctx, tx, set, args...); err != nil || l.jobs.end == nil {
			return err
		}
		return l.jobs.end(ctx, tx, l, outcome, reason)
	})
}

// set sets columns of the job's row if the attempt holds it; args begin at $3.
func (l Leased) set(ctx context.Context, q querier, set string, args ...any) error {
	return fencedOn(ctx, q, "write "+l.jobs.table, `UPDATE `+l.jobs.table+` SET updated_at = now(), `+set+held, append([]any{l.ID, l.Attempt}, args...)...)
}
