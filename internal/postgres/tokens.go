package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/errs"
)

// CreateRefreshToken stores the hash of a refresh token; family is the sign-in
// it belongs to.
func (db *DB) CreateRefreshToken(ctx context.Context, hash []byte, family, user uuid.UUID, expires time.Time) error {
	_, err := db.pool.Exec(ctx,
		`INSERT INTO refresh_tokens (token_hash, family, user_id, expires_at) VALUES ($1, $2, $3, $4)`,
		hash, family, user, expires)
	return classify("create refresh token", err)
}

// UseRefreshToken spends a token once. A token that is unknown, expired or
// revoked is Unauthorized; one that was spent before revokes its whole family,
// because either the owner or a thief holds a copy.
func (db *DB) UseRefreshToken(ctx context.Context, hash []byte) (user, family uuid.UUID, err error) {
	refused := false
	err = db.inTx(ctx, "use refresh token", func(tx pgx.Tx) error {
		var used, dead bool
		row := tx.QueryRow(ctx, `SELECT user_id, family, used_at IS NOT NULL,
			revoked_at IS NOT NULL OR expires_at <= now() FROM refresh_tokens WHERE token_hash = $1 FOR UPDATE`, hash)
		if err := row.Scan(&user, &family, &used, &dead); err != nil {
			return err
		}
		refused = used || dead
		if used {
			return revokeFamily(ctx, tx, family)
		}
		_, err := tx.Exec(ctx, `UPDATE refresh_tokens SET used_at = now() WHERE token_hash = $1`, hash)
		return err
	})
	if refused || errs.Is(err, errs.NotFound) {
		return uuid.Nil, uuid.Nil, errs.New(errs.Unauthorized, "La session a expiré. Connectez-vous de nouveau.")
	}
	return user, family, err
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
