package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/errs"
)

// A transaction that writes much for an attempt may take longer than a lease
// lasts: it has much to write, or waits for another. It must not hold its
// attempt's row meanwhile, for the renewal of the lease, which changes the row,
// would wait for it, and the worker would lose its lease by its own work. So it
// enters, and is fenced as the very last thing it does.
//
// From enter on the row is held FOR KEY SHARE. Renewals, cancellations and the
// start of another attempt pass by that, while those who take a file FOR UPDATE
// to change its texts wait, or are waited for before anything else is held. So
// nobody who holds the row against the fence at the end waits for what the
// transaction holds by then, the lock of the catalogue among it.

// enter waits until no other attempt at the row is in such a transaction, and
// says LeaseLost when the attempt has lost the row already.
func enter(ctx context.Context, tx pgx.Tx, table string, id uuid.UUID, attempt int) error {
	// Others that save much at the same time are waited for as long as it takes.
	if _, err := tx.Exec(ctx, `SET LOCAL lock_timeout = 0`); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, id.String()); err != nil {
		return err
	}
	return holdAttempt(ctx, tx, table, id, attempt, "FOR KEY SHARE")
}

// fence holds the attempt's row against every other writer until the
// transaction ends, or says LeaseLost: then nothing of it counts.
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

// excuse notes that an attempt failed, not its worker, which lives to tell of
// it: it counts as no death any more. Nothing is noted where no attempt up to this
// one counts, nor of work that has ended. Whose attempt runs by now does not matter.
// Said twice, as after an answer that was lost, it may excuse an earlier attempt too.
func (db *DB) excuse(ctx context.Context, table string, id uuid.UUID, attempt int) error {
	_, err := db.pool.Exec(ctx, `UPDATE `+table+` SET attempt_floor = least(attempt, attempt_floor + 1), failures = failures + 1
		WHERE id = $1 AND attempt >= $2 AND attempt_floor < $2 AND state IN ('queued', 'running')`, id, attempt)
	return classify("excuse an attempt of "+table+" "+id.String(), err)
}
