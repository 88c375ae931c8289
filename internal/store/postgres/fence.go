package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// A transaction that writes much for an attempt may take longer than a lease: it has much
// to write, or waits for another one. It must not lock its attempt's row all that time,
// because the renewal of the lease, which updates the row, would wait for it, and the
// worker would lose its own lease. So the transaction calls enter at the start, and fence
// as its very last step.
//
// enter locks the row FOR KEY SHARE. Renewals, cancellations and the start of another
// attempt do not conflict with that; transactions that lock a file FOR UPDATE to change its
// texts wait for it, or are waited for before anything else is locked. So whoever holds the
// row when fence is called does not wait for what the transaction has locked by then, such
// as the lock of the catalogue.

// enter waits until no other attempt at the row is in such a transaction, and returns
// LeaseLost if the attempt has lost the row already.
func enter(ctx context.Context, tx pgx.Tx, table string, id uuid.UUID, attempt int) error {
	// It waits for others that save much at the same time for as long as they take.
	if _, err := tx.Exec(ctx, `SET LOCAL lock_timeout = 0`); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, id.String()); err != nil {
		return err
	}
	return holdAttempt(ctx, tx, table, id, attempt, "FOR KEY SHARE")
}

// fence locks the attempt's row against every other writer until the end of the
// transaction, or returns LeaseLost: then the transaction must be rolled back.
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

// excuse records that an attempt failed although its worker did not crash: it no longer
// counts as a crash. It records nothing if no attempt up to this one counts, or if the job
// has ended. It does not matter which attempt runs by now. A repeated call, as after a lost
// reply, may excuse an earlier attempt too.
func (db *DB) excuse(ctx context.Context, table string, id uuid.UUID, attempt int) error {
	_, err := db.pool.Exec(ctx, `UPDATE `+table+` SET attempt_floor = least(attempt, attempt_floor + 1), failures = failures + 1
		WHERE id = $1 AND attempt >= $2 AND attempt_floor < $2 AND state IN ('queued', 'running')`, id, attempt)
	return classify("excuse an attempt of "+table+" "+id.String(), err)
}
