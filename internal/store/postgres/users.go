package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
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
	Country      string     // country of questions that name none, as in law.Filters; "": any
	SecondFactor bool       // whether sign-in also requires a code
	LastSignIn   *time.Time // nil: never
}

const userColumns = `id, email, full_name, role, active, password_hash, token_version, created_at, country, last_sign_in_at,
	EXISTS (SELECT FROM second_factors f WHERE f.user_id = users.id AND f.confirmed_at IS NOT NULL)`

func scanUser(row pgx.Row) (u User, err error) {
	err = row.Scan(&u.ID, &u.Email, &u.FullName, &u.Role, &u.Active, &u.PasswordHash, &u.TokenVersion, &u.CreatedAt, &u.Country, &u.LastSignIn, &u.SecondFactor)
	return u, err
}

// CreateUser adds an account. Conflict if another account has the e-mail address.
func (db *DB) CreateUser(ctx context.Context, u User) error {
	return db.inTx(ctx, "create user "+u.ID.String(), func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx,
			`INSERT INTO users (id, email, full_name, role, active, password_hash) VALUES ($1, lower($2), $3, $4, $5, $6)`,
			u.ID, u.Email, u.FullName, u.Role, u.Active, u.PasswordHash)
		if err != nil {
			return err
		}
		return audit(ctx, tx, UserCreated, u.ID.String(), details{"role": u.Role, "active": u.Active})
	})
}

// UserByEmail returns the account with an e-mail address, regardless of case.
func (db *DB) UserByEmail(ctx context.Context, email string) (User, error) {
	u, err := scanUser(db.pool.QueryRow(ctx, `SELECT `+userColumns+` FROM users WHERE email = lower($1)`, email))
	return u, classify("user by e-mail", err)
}

// UserByID returns the account with an id.
func (db *DB) UserByID(ctx context.Context, id uuid.UUID) (User, error) {
	u, err := scanUser(db.pool.QueryRow(ctx, `SELECT `+userColumns+` FROM users WHERE id = $1`, id))
	return u, classify("user "+id.String(), err)
}

// SetPassword replaces the password hash and ends every session: a new token version
// invalidates access tokens, and refresh tokens are revoked.
func (db *DB) SetPassword(ctx context.Context, id uuid.UUID, hash string) error {
	return db.inTx(ctx, "set password of "+id.String(), func(tx pgx.Tx) error { return setPassword(ctx, tx, id, hash) })
}

// ChangePassword is SetPassword for an owner who has proved their identity. Unauthorized if the account has changed
// since, for example by a reset of the password.
func (db *DB) ChangePassword(ctx context.Context, of Verified, hash string) error {
	return db.inTx(ctx, "change password of "+of.User.String(), func(tx pgx.Tx) error {
		if err := holdVersion(ctx, tx, of); err != nil {
			return err
		}
		return setPassword(ctx, tx, of.User, hash)
	})
}

func setPassword(ctx context.Context, tx pgx.Tx, id uuid.UUID, hash string) error {
	if err := execOne(ctx, tx, pgx.ErrNoRows, `UPDATE users SET password_hash = $2, token_version = token_version + 1 WHERE id = $1 AND NOT `+isErased, id, hash); err != nil {
		return err
	}
	if err := audit(ctx, tx, PasswordSet, id.String(), nil); err != nil {
		return err
	}
	return revokeTokensOf(ctx, tx, id)
}

// UserPage lists accounts whose name or address contains text, regardless of case and accents,
// newest first, created before the given time unless it is nil.
// next is the value of before for the next page, nil at the end; accounts of the same
// microsecond stay on one page.
func (db *DB) UserPage(ctx context.Context, text string, before *time.Time, limit int) (users []User, next *time.Time, err error) {
	users, err = collect(ctx, db.pool, func(r pgx.CollectableRow) (User, error) { return scanUser(r) }, `SELECT `+userColumns+` FROM users WHERE ($1::timestamptz IS NULL OR created_at < $1)
		AND ($3 = '' OR strpos(fold(full_name), fold($3)) > 0 OR strpos(email, fold($3)) > 0)
		ORDER BY created_at DESC FETCH FIRST $2 ROWS WITH TIES`, before, limit, text)
	if err == nil && len(users) >= limit {
		next = &users[len(users)-1].CreatedAt
	}
	return users, next, classify("user page", err)
}

// UserChange is a change of an account; nil fields stay unchanged.
type UserChange struct {
	Role     *string
	Active   *bool
	FullName *string
	Country  *string // "": none
}

// fields returns the changed fields for the audit log, with their values unless these are
// personal data.
func (c UserChange) fields() details {
	d := details{}
	if c.Role != nil {
		d["role"] = *c.Role
	}
	if c.Active != nil {
		d["active"] = *c.Active
	}
	if c.FullName != nil {
		d["full_name"] = "changed"
	}
	if c.Country != nil {
		d["country"] = "changed"
	}
	return d
}

// ChangeUser changes an account and returns its new state. Closing an account ends all its
// sessions; a new role ends none. Conflict if the change would close or demote the last
// active administrator.
func (db *DB) ChangeUser(ctx context.Context, id uuid.UUID, c UserChange) (u User, err error) {
	err = db.inTx(ctx, "change user "+id.String(), func(tx pgx.Tx) error {
		u, err = changeUser(ctx, tx, id, c)
		return err
	})
	return u, err
}

func changeUser(ctx context.Context, tx pgx.Tx, id uuid.UUID, c UserChange) (User, error) {
	// Locking all administrators serializes these transactions: otherwise two of them could each demote one of the last
	// two administrators.
	if _, err := tx.Exec(ctx, `SELECT id FROM users WHERE (role = 'admin' AND active) OR id = $1 ORDER BY id FOR UPDATE`, id); err != nil {
		return User{}, err
	}
	before, err := scanUser(tx.QueryRow(ctx, `SELECT `+userColumns+` FROM users WHERE id = $1`, id))
	if err != nil {
		return User{}, err
	}
	u, err := scanUser(tx.QueryRow(ctx, `UPDATE users SET role = coalesce($2, role), active = coalesce($3, active),
		full_name = coalesce($4, full_name), country = coalesce($5, country), token_version = token_version + CASE WHEN $3 = false THEN 1 ELSE 0 END
		WHERE id = $1 AND NOT `+isErased+` RETURNING `+userColumns, id, c.Role, c.Active, c.FullName, c.Country))
	if err != nil {
		return User{}, err
	}
	var admins int
	if err := tx.QueryRow(ctx, `SELECT count(*) FROM users WHERE role = 'admin' AND active`).Scan(&admins); err != nil {
		return User{}, err
	}
	if was := before.Role == "admin" && before.Active; was && admins == 0 {
		if !u.Active {
			return User{}, errs.New(errs.Conflict, "Le dernier administrateur actif ne peut pas être désactivé.")
		}
		return User{}, errs.New(errs.Conflict, "Le dernier administrateur actif ne peut pas changer de rôle.")
	}
	if err := audit(ctx, tx, UserChanged, id.String(), c.fields()); err != nil {
		return User{}, err
	}
	if u.Active {
		return u, nil
	}
	return u, revokeTokensOf(ctx, tx, id)
}
