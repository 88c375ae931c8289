package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Session is what somebody was let in by: an account, the version its tokens had
// then, and the least role for what they do.
type Session struct {
	User    uuid.UUID
	Version int
	Role    string
}

// EndedSessions gives those of the sessions that would not be let in now: the
// account is gone or closed, its tokens have another version, or its role is less.
func (db *DB) EndedSessions(ctx context.Context, sessions []Session) ([]Session, error) {
	users, versions, roles := make([]uuid.UUID, len(sessions)), make([]int, len(sessions)), make([]string, len(sessions))
	for i, s := range sessions {
		users[i], versions[i], roles[i] = s.User, s.Version, s.Role
	}
	rows, err := db.pool.Query(ctx, `SELECT s.id, s.version, s.role FROM unnest($1::uuid[], $2::integer[], $3::text[]) AS s (id, version, role)
		WHERE NOT EXISTS (SELECT FROM users u WHERE u.id = s.id AND u.active AND u.token_version = s.version
			AND array_position('{user,editor,admin}', u.role) >= array_position('{user,editor,admin}', s.role))`, users, versions, roles)
	if err != nil {
		return nil, classify("ended sessions", err)
	}
	ended, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Session])
	return ended, classify("ended sessions", err)
}
