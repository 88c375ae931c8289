package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

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
