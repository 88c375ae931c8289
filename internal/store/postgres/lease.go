package postgres

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/version"
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
	place := `state IN ('queued', 'running')`
	if j.wake != "" {
		place = `(state IN ('queued', 'running') OR state = 'done' AND (` + j.wake + `))`
	}
	for _, c := range conditions {
		place += ` AND ` + c
	}
	ids, err := collect(ctx, db.pool, pgx.RowTo[uuid.UUID], fmt.Sprintf(`WITH due AS (
			SELECT id FROM %[1]s x WHERE lease_until < now() AND not_before <= now() AND %[2]s
			ORDER BY lease_until LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
		UPDATE %[1]s t SET state = 'queued', hints = hints + 1,
			lease_until = now() + least($2::interval * power(2, least(hints, 10)), interval '1 minute') * (1 - random() / 10)
		FROM due WHERE t.id = due.id RETURNING t.id`, j.table, place), limit, Grace)
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
func (l Leased) Retry(ctx context.Context, reason string, delay time.Duration) error {
	return l.conclude(ctx, "retry", "failed", reason, `state = CASE WHEN $5 > 0 AND failures + 1 >= $5 THEN 'failed' ELSE 'queued' END, failures = failures + 1, hints = 0,
		attempt_floor = attempt, error = $3, not_before = now() + $4::interval, lease_until = now() + $4::interval`+l.jobs.retried, reason, delay, l.jobs.tries)
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

// Backlog limits how many questions may wait for an answer before further ones are refused.
type Backlog struct {
	Wait time.Duration // longest time that a question may wait for a worker
	Rows int           // number of questions that may wait; one user may have a tenth of them, but at least ten
}

// ErrBacklogged means that too many questions wait already. Its kind is Unavailable.
var ErrBacklogged = errs.New(errs.Unavailable, "Trop de questions attendent déjà une réponse. Réessayez dans un instant.")

// isBacklogged reports whether the service must refuse a further question of the user. It
// must if too many questions wait, or if the question that StartAnswer would lease next,
// either the user's own or that of a user without a running answer, has waited too long.
// The length of another user's queue does not matter, because StartAnswer is fair between
// users.
//
// on is a connection or a transaction. In a transaction that has locked the user's row, the
// user's own limit is exact, however many questions come at once.
func isBacklogged(ctx context.Context, on interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}, user uuid.UUID, limit Backlog) (full bool, err error) {
	err = on.QueryRow(ctx, `WITH waiting AS (
			SELECT asker, created_at, attempt FROM messages WHERE state = 'queued' AND not_before <= now() LIMIT $3)
		SELECT (SELECT count(*) FROM waiting) >= $3 OR (SELECT count(*) FROM waiting WHERE asker = $1) >= greatest($3 / 10, 10)
			OR EXISTS (SELECT FROM waiting w WHERE attempt = 0 AND created_at < now() - $2::interval AND (asker = $1
				OR NOT EXISTS (SELECT FROM messages r WHERE r.asker = w.asker AND r.state = 'running' AND r.lease_until >= now())))`,
		user, limit.Wait, limit.Rows).Scan(&full)
	return full, err
}

// WaitingCounts holds the lengths of the lists that wait for a person, and the progress of the files in work.
type WaitingCounts struct {
	Files      map[string]int // files by state
	Reviews    int            // texts in review
	Amendments int            // amendments that a person can decide
	Inquiries  int            // inquiries that were not read
	Ended      int            // files that ended since the oldest one under way was added
	Left       *time.Duration // until the files under way end, at the pace of those; nil if it is unknown
}

// WaitingCounts counts what the lists of the administration show.
func (db *DB) WaitingCounts(ctx context.Context) (w WaitingCounts, err error) {
	var duration *time.Duration
	err = db.pool.QueryRow(ctx, `WITH first AS (SELECT min(created_at) AS at FROM ingestions WHERE state IN ('queued', 'running'))
		SELECT (SELECT coalesce(jsonb_object_agg(state, n), '{}') FROM (SELECT state, count(*) AS n FROM ingestions GROUP BY state) s),
		(SELECT count(*) FROM documents d WHERE`+inReview+`), (SELECT count(*)`+waitingTables+waitingDecidable+`),
		(SELECT count(*) FROM inquiries WHERE status = 'new'),
		(SELECT count(*) FROM ingestions, first WHERE state IN ('review', 'done', 'failed') AND updated_at >= first.at), (SELECT now() - at FROM first)`).
		Scan(&w.Files, &w.Reviews, &w.Amendments, &w.Inquiries, &w.Ended, &duration)
	if under := w.Files["queued"] + w.Files["running"]; duration != nil && under > 0 && w.Ended > 0 {
		w.Left = new(time.Duration(float64(*duration) / float64(w.Ended) * float64(under)))
	}
	return w, classify("waiting counts", err)
}

// A program describes itself to the server in the name of its connections (application_name): « vigueur-worker 180
// 1a2b3c:8 v0.9.2 ». So the server's own list of sessions shows which processes run: an entry exists exactly as long
// as its process is connected, and nothing has to be written, renewed or removed.

// Process is a program that is connected to the database.
type Process struct {
	Program string // « api », « worker »
	Version string // version of the program from package version; the server keeps at least its first 32 bytes
	Newest  int64  // number of the last migration that the program knows
	ID      string // random id of this run of the program
	// Connections is the maximum number of connections that the process opens; 0: unknown.
	Connections int
}

// longestName is the number of bytes of an application_name that PostgreSQL keeps.
const longestName = 63

const namePrefix = "vigueur-"

// name encodes the process as the name of a connection.
func (p Process) name() string {
	name := fmt.Sprintf("%s%s %d %s:%d %s", namePrefix, p.Program, p.Newest, p.ID, p.Connections, p.Version)
	return name[:min(longestName, len(name))]
}

// processOf decodes the name of a connection; ok is false if no program of the service has it.
func processOf(name string) (p Process, ok bool) {
	rest, ours := strings.CutPrefix(name, namePrefix)
	if !ours {
		return p, false
	}
	n, err := fmt.Sscan(rest, &p.Program, &p.Newest, &p.ID, &p.Version)
	id, connections, _ := strings.Cut(p.ID, ":")
	p.ID = id
	p.Connections, _ = strconv.Atoi(connections) // older programs do not send the number
	return p, n == 4 && err == nil
}

// ThisProcess returns the description of this process, with a new ID.
func ThisProcess(program string) Process {
	id := make([]byte, 3)
	_, _ = rand.Read(id) // never fails
	return Process{Program: program, Version: version.Read().Version, Newest: NewestMigration(), ID: hex.EncodeToString(id)}
}

// Processes returns the processes that are connected to the database now, one row per process, ordered by program and
// version. A role sees only the connections of its own role.
func (db *DB) Processes(ctx context.Context) ([]Process, error) {
	names, err := collect(ctx, db.pool, pgx.RowTo[string], `SELECT DISTINCT application_name FROM pg_stat_activity
		WHERE datname = current_database() AND application_name LIKE $1 || '%' ORDER BY application_name`, namePrefix)
	var all []Process
	for _, name := range names {
		if p, ok := processOf(name); ok {
			all = append(all, p)
		}
	}
	return all, classify("processes", err)
}
