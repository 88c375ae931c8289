package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/errs"
)

// CreateRefreshToken stores the hash of a refresh token; family is the sign-in
// it belongs to, which the audit log notes.
func (db *DB) CreateRefreshToken(ctx context.Context, hash []byte, family, user uuid.UUID, expires time.Time) error {
	return db.inTx(ctx, "create refresh token", func(tx pgx.Tx) error {
		if err := insertToken(ctx, tx, hash, family, user, expires); err != nil {
			return err
		}
		return auditBy(ctx, tx, &user, Login, user.String(), nil)
	})
}

// RotateRefreshToken spends the token old and puts fresh in its place, within
// the same sign-in; it gives the account. A token that is unknown, expired or
// revoked is Unauthorized; one that was spent before revokes its whole family,
// what it was exchanged for included, because either the owner or a thief holds
// a copy.
func (db *DB) RotateRefreshToken(ctx context.Context, old, fresh []byte, expires time.Time) (user uuid.UUID, err error) {
	refused := false
	err = db.inTx(ctx, "rotate refresh token", func(tx pgx.Tx) error {
		var family uuid.UUID
		var used, dead bool
		// The lock makes a second use wait until the first has stored its token.
		row := tx.QueryRow(ctx, `SELECT user_id, family, used_at IS NOT NULL,
			revoked_at IS NOT NULL OR expires_at <= now() FROM refresh_tokens WHERE token_hash = $1 FOR UPDATE`, old)
		if err := row.Scan(&user, &family, &used, &dead); err != nil {
			return err
		}
		if refused = used || dead; used {
			return revokeFamily(ctx, tx, family)
		}
		if refused {
			return nil
		}
		if _, err := tx.Exec(ctx, `UPDATE refresh_tokens SET used_at = now() WHERE token_hash = $1`, old); err != nil {
			return err
		}
		return insertToken(ctx, tx, fresh, family, user, expires)
	})
	if refused || errs.Is(err, errs.NotFound) {
		return uuid.Nil, errs.New(errs.Unauthorized, "La session a expiré. Connectez-vous de nouveau.")
	}
	return user, err
}

func insertToken(ctx context.Context, q querier, hash []byte, family, user uuid.UUID, expires time.Time) error {
	_, err := q.Exec(ctx, `INSERT INTO refresh_tokens (token_hash, family, user_id, expires_at) VALUES ($1, $2, $3, $4)`,
		hash, family, user, expires)
	return err
}

// RevokeFamily ends the sign-in that the token belongs to; an unknown token is
// no error, its session is over anyway.
func (db *DB) RevokeFamily(ctx context.Context, hash []byte) error {
	_, err := db.pool.Exec(ctx, `UPDATE refresh_tokens SET revoked_at = now() WHERE revoked_at IS NULL
		AND family IN (SELECT family FROM refresh_tokens WHERE token_hash = $1)`, hash)
	return classify("revoke family", err)
}

func revokeFamily(ctx context.Context, tx pgx.Tx, family uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE refresh_tokens SET revoked_at = now() WHERE family = $1 AND revoked_at IS NULL`, family)
	return err
}
