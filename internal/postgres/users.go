package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/errs"
)

// User is an account.
type User struct {
	ID           uuid.UUID
	Email        string // lower case
	FullName     string
	Role         string // user, editor, admin
	Active       bool
	PasswordHash string
	TokenVersion int
	CreatedAt    time.Time
}

const userColumns = `id, email, full_name, role, active, password_hash, token_version, created_at`

func scanUser(row pgx.Row) (u User, err error) {
	err = row.Scan(&u.ID, &u.Email, &u.FullName, &u.Role, &u.Active, &u.PasswordHash, &u.TokenVersion, &u.CreatedAt)
	return u, err
}

// CreateUser adds an account; Conflict when the e-mail is taken.
func (db *DB) CreateUser(ctx context.Context, u User) error {
	_, err := db.pool.Exec(ctx,
		`INSERT INTO users (id, email, full_name, role, active, password_hash) VALUES ($1, lower($2), $3, $4, $5, $6)`,
		u.ID, u.Email, u.FullName, u.Role, u.Active, u.PasswordHash)
	return classify("create user "+u.ID.String(), err)
}

// UserByEmail finds an account, whatever the case of the address.
func (db *DB) UserByEmail(ctx context.Context, email string) (User, error) {
	u, err := scanUser(db.pool.QueryRow(ctx, `SELECT `+userColumns+` FROM users WHERE email = lower($1)`, email))
	return u, classify("user by e-mail", err)
}

// UserByID finds an account.
func (db *DB) UserByID(ctx context.Context, id uuid.UUID) (User, error) {
	u, err := scanUser(db.pool.QueryRow(ctx, `SELECT `+userColumns+` FROM users WHERE id = $1`, id))
	return u, classify("user "+id.String(), err)
}

// Users lists every account, by e-mail.
func (db *DB) Users(ctx context.Context) ([]User, error) {
	rows, err := db.pool.Query(ctx, `SELECT `+userColumns+` FROM users ORDER BY email`)
	if err != nil {
		return nil, classify("users", err)
	}
	users, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (User, error) { return scanUser(r) })
	return users, classify("users", err)
}

// SetPassword replaces the hash and ends every session: older access tokens by
// the token version, refresh tokens by revocation.
func (db *DB) SetPassword(ctx context.Context, id uuid.UUID, hash string) error {
	return db.inTx(ctx, "set password of "+id.String(), func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx,
			`UPDATE users SET password_hash = $2, token_version = token_version + 1 WHERE id = $1`, id, hash)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return pgx.ErrNoRows
		}
		return revokeTokensOf(ctx, tx, id)
	})
}

// SetActive opens or closes an account. Closing ends every session; the last
// active administrator cannot be closed (Conflict).
func (db *DB) SetActive(ctx context.Context, id uuid.UUID, active bool) error {
	return db.inTx(ctx, "set active of "+id.String(), func(tx pgx.Tx) error {
		// One at a time, or two could each close the other's last administrator.
		if _, err := tx.Exec(ctx, `SELECT id FROM users WHERE role = 'admin' AND active FOR UPDATE`); err != nil {
			return err
		}
		var last bool
		err := tx.QueryRow(ctx, `SELECT role = 'admin' AND active AND
			(SELECT count(*) FROM users WHERE role = 'admin' AND active) = 1 FROM users WHERE id = $1`, id).Scan(&last)
		if err != nil {
			return err
		}
		if last && !active {
			return errs.New(errs.Conflict, "Le dernier administrateur actif ne peut pas être désactivé.")
		}
		_, err = tx.Exec(ctx, `UPDATE users SET active = $2,
			token_version = token_version + CASE WHEN $2 THEN 0 ELSE 1 END WHERE id = $1`, id, active)
		if err != nil || active {
			return err
		}
		return revokeTokensOf(ctx, tx, id)
	})
}

func revokeTokensOf(ctx context.Context, tx pgx.Tx, user uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE refresh_tokens SET revoked_at = now() WHERE user_id = $1 AND revoked_at IS NULL`, user)
	return err
}
