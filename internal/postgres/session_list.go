package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// OpenSession is a sign-in that can still be renewed.
type OpenSession struct {
	ID      uuid.UUID // of its family of tokens
	Client  string    // the program that it was opened with, as that named itself; "" when it did not
	Started time.Time
	Renewed time.Time // when its tokens were last renewed
	Ends    time.Time // when it ends if it is not renewed before
	Current bool      // the one that the given token is of
}

// OpenSessions lists an account's sessions, the one renewed last first. current is
// the hash of a refresh token of the one that asks, if it is known.
func (db *DB) OpenSessions(ctx context.Context, user uuid.UUID, current []byte) ([]OpenSession, error) {
	rows, err := db.pool.Query(ctx, `SELECT t.family, coalesce(max(t.client), ''), min(coalesce(t.started_at, t.created_at)), max(t.created_at), max(t.expires_at),
			coalesce(bool_or(t.family = (SELECT c.family FROM refresh_tokens c WHERE c.token_hash = $2)), false)
		FROM refresh_tokens t JOIN users u ON u.id = t.user_id
		WHERE t.user_id = $1 AND t.used_at IS NULL AND t.revoked_at IS NULL AND t.expires_at > now() AND t.token_version = u.token_version
		GROUP BY t.family ORDER BY max(t.created_at) DESC, t.family`, user, current)
	if err != nil {
		return nil, classify("open sessions", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[OpenSession])
	return list, classify("open sessions", err)
}

// NameSession notes the program that a session was opened with, by its first token.
func (db *DB) NameSession(ctx context.Context, token []byte, client string) error {
	_, err := db.pool.Exec(ctx, `UPDATE refresh_tokens SET client = nullif($2, '') WHERE token_hash = $1`, token, client)
	return classify("name session", err)
}

// EndSession ends one of an account's sessions; NotFound when the account has no such
// session that is open.
func (db *DB) EndSession(ctx context.Context, user, session uuid.UUID) error {
	return db.inTx(ctx, "end session", func(tx pgx.Tx) error {
		if _, err := holdUser(ctx, tx, user); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `UPDATE refresh_tokens SET revoked_at = now() WHERE user_id = $1 AND family = $2 AND revoked_at IS NULL
			AND EXISTS (SELECT FROM refresh_tokens o WHERE o.family = $2 AND o.user_id = $1 AND o.used_at IS NULL AND o.revoked_at IS NULL AND o.expires_at > now())`,
			user, session)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return pgx.ErrNoRows
		}
		return audit(ctx, tx, SessionEnded, user.String(), details{"session": session})
	})
}

// EndSessions ends every session of an account, that of who asks too: tokens of either
// kind stop working.
func (db *DB) EndSessions(ctx context.Context, user uuid.UUID) error {
	return db.inTx(ctx, "end sessions", func(tx pgx.Tx) error {
		if _, err := holdUser(ctx, tx, user); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE users SET token_version = token_version + 1 WHERE id = $1`, user); err != nil {
			return err
		}
		if err := revokeTokensOf(ctx, tx, user); err != nil {
			return err
		}
		return audit(ctx, tx, SessionEnded, user.String(), details{"session": "all"})
	})
}
