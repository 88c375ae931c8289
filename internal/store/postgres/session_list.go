package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// OpenSession is a session that can still be renewed.
type OpenSession struct {
	ID      uuid.UUID // id of the session's family of tokens
	Client  string    // name of the client program, as the client gave it; "" if it gave none
	Started time.Time
	Renewed time.Time // when its tokens were last renewed
	Ends    time.Time // time at which the session ends if its tokens are not renewed
	Current bool      // whether the given token belongs to the session
}

// OpenSessions lists an account's sessions, last renewed first. current is the hash of the
// caller's refresh token, nil if unknown.
func (db *DB) OpenSessions(ctx context.Context, user uuid.UUID, current []byte) ([]OpenSession, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[OpenSession], `SELECT t.family, coalesce(max(t.client), ''), min(coalesce(t.started_at, t.created_at)), max(t.created_at), max(t.expires_at),
			coalesce(bool_or(t.family = (SELECT c.family FROM refresh_tokens c WHERE c.token_hash = $2)), false)
		FROM refresh_tokens t JOIN users u ON u.id = t.user_id
		WHERE t.user_id = $1 AND t.used_at IS NULL AND t.revoked_at IS NULL AND t.expires_at > now() AND t.token_version = u.token_version
		GROUP BY t.family ORDER BY max(t.created_at) DESC, t.family`, user, current)
	return list, classify("open sessions", err)
}

// NameSession records the client program that opened a session. token is the hash of the
// session's first refresh token.
func (db *DB) NameSession(ctx context.Context, token []byte, client string) error {
	_, err := db.pool.Exec(ctx, labelSession, token, client)
	return classify("name session", err)
}

// labelSession names the session of a token; what renews it takes the name over.
const labelSession = `UPDATE refresh_tokens SET client = nullif($2, '') WHERE token_hash = $1`

// EndSession ends a session of an account. NotFound if the account has no such open
// session.
func (db *DB) EndSession(ctx context.Context, user, session uuid.UUID) error {
	return db.inTx(ctx, "end session", func(tx pgx.Tx) error {
		if _, err := holdUser(ctx, tx, user); err != nil {
			return err
		}
		if err := execOne(ctx, tx, pgx.ErrNoRows, `UPDATE refresh_tokens SET revoked_at = now() WHERE user_id = $1 AND family = $2 AND revoked_at IS NULL
			AND EXISTS (SELECT FROM refresh_tokens o WHERE o.family = $2 AND o.user_id = $1 AND o.used_at IS NULL AND o.revoked_at IS NULL AND o.expires_at > now())`,
			user, session); err != nil {
			return err
		}
		return audit(ctx, tx, SessionEnded, user.String(), details{"session": session})
	})
}

// EndSessions ends all sessions of an account, including the caller's: access tokens and
// refresh tokens stop working.
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
