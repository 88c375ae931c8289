package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Session is how a request was authenticated: an account, the version of its tokens at that
// time, and the lowest role that the request requires.
type Session struct {
	User    uuid.UUID
	Version int
	Role    string
	Key     uuid.UUID // API key of a program; zero if a person signed in
}

// EndedSessions returns those sessions that would no longer be authenticated: the account
// is deleted or closed, its role is too low, its tokens have another version, or the key
// was revoked or has expired.
func (db *DB) EndedSessions(ctx context.Context, sessions []Session) ([]Session, error) {
	users, versions, roles := make([]uuid.UUID, len(sessions)), make([]int, len(sessions)), make([]string, len(sessions))
	keys := make([]uuid.UUID, len(sessions))
	for i, s := range sessions {
		users[i], versions[i], roles[i], keys[i] = s.User, s.Version, s.Role, s.Key
	}
	ended, err := collect(ctx, db.pool, pgx.RowToStructByPos[Session], `SELECT s.id, s.version, s.role, s.key FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::uuid[]) AS s (id, version, role, key)
		WHERE NOT EXISTS (SELECT FROM users u WHERE u.id = s.id AND u.active
			AND array_position('{user,editor,admin}', u.role) >= array_position('{user,editor,admin}', s.role)
			AND CASE WHEN s.key = $5 THEN u.token_version = s.version
				ELSE EXISTS (SELECT FROM api_keys k WHERE k.id = s.key AND k.owner_id = u.id AND `+keyIsGood+`) END)`, users, versions, roles, keys, uuid.Nil)
	return ended, classify("ended sessions", err)
}
