package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// A transaction that writes much for an attempt may take longer than a lease. It must not
// lock its attempt's row all that time, because the renewal of the lease updates the row
// and would wait for the transaction, and so the worker would lose its own lease. Therefore
// the transaction calls enter at the start, and fence as its very last step.
//
// enter locks the row FOR KEY SHARE. Renewals, cancellations and the start of another
// attempt do not conflict with that lock. Transactions that lock a file FOR UPDATE to
// change its texts do: they wait for it, or enter waits for them before the attempt's
// transaction locks anything else. So no transaction that holds the row when fence is
// called can wait for the locks that the attempt's transaction holds by then, such as the
// lock of the catalogue.

// enter waits until no other attempt at the row is in such a transaction. It returns
// LeaseLost if the attempt has already lost the row.
func enter(ctx context.Context, tx pgx.Tx, table string, id uuid.UUID, attempt int) error {
	// Wait without limit: other transactions that write much may hold the row for long.
	if _, err := tx.Exec(ctx, `SET LOCAL lock_timeout = 0`); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, id.String()); err != nil {
		return err
	}
	return holdAttempt(ctx, tx, table, id, attempt, "FOR KEY SHARE")
}

// fence locks the attempt's row against all other writers until the transaction ends. It
// returns LeaseLost if the attempt has lost the row: then the transaction must be rolled
// back.
func fence(ctx context.Context, tx pgx.Tx, table string, id uuid.UUID, attempt int) error {
	return holdAttempt(ctx, tx, table, id, attempt, "FOR NO KEY UPDATE")
}

func holdAttempt(ctx context.Context, tx pgx.Tx, table string, id uuid.UUID, attempt int, strength string) error {
	err := tx.QueryRow(ctx, `SELECT id FROM `+table+` WHERE id = $1 AND attempt = $2 AND state = 'running' `+strength,
		id, attempt).Scan(new(uuid.UUID))
	if errs.Is(classify("", err), errs.NotFound) {
		return errs.New(errs.LeaseLost, "")
	}
	return err
}

// excuse records that an attempt failed although its worker did not crash: the attempt no
// longer counts as a crash. It records nothing if no crash is counted up to this attempt,
// or if the job has ended. Another attempt may be running by now. A repeated call, as after
// a lost reply, may also excuse an earlier attempt.
func (db *DB) excuse(ctx context.Context, table string, id uuid.UUID, attempt int) error {
	_, err := db.pool.Exec(ctx, `UPDATE `+table+` SET attempt_floor = least(attempt, attempt_floor + 1), failures = failures + 1
		WHERE id = $1 AND attempt >= $2 AND attempt_floor < $2 AND state IN ('queued', 'running')`, id, attempt)
	return classify("excuse an attempt of "+table+" "+id.String(), err)
}
