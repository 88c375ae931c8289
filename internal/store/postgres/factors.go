package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// FactorTries is how many wrong codes in a row an account accepts, from all clients
// together; after that only a recovery code works (NIST SP 800-63B, 3.2.2: at most 100).
// Only somebody who knows the password can send codes, so strangers cannot lock an account.
const FactorTries = 100

// Factor is an account's second factor.
type Factor struct {
	Secret    []byte // encrypted secret of the authenticator
	Confirmed *time.Time
	LastStep  int64 // time step of the last accepted code
	Failures  int   // wrong codes since the last correct one
	Codes     int   // recovery codes left
}

// FactorOf returns the second factor of an account, confirmed or not; NotFound if it has
// none.
func (db *DB) FactorOf(ctx context.Context, user uuid.UUID) (f Factor, err error) {
	err = db.pool.QueryRow(ctx, `SELECT secret, confirmed_at, last_step, failures,
			(SELECT count(*) FROM recovery_codes c WHERE c.user_id = f.user_id AND c.used_at IS NULL)
		FROM second_factors f WHERE user_id = $1`, user).Scan(&f.Secret, &f.Confirmed, &f.LastStep, &f.Failures, &f.Codes)
	return f, classify("second factor of "+user.String(), err)
}

// errFactorThere returns the error that a second factor is already active.
func errFactorThere() error {
	return errs.New(errs.Conflict, "Un second facteur protège déjà ce compte. Retirez-le avant d’en choisir un autre.")
}

// BeginFactor stores the encrypted secret of a second factor to be confirmed, replacing an
// unconfirmed one. Conflict if one is active, Unauthorized if the account has changed since
// it was verified.
func (db *DB) BeginFactor(ctx context.Context, verified Verified, secret []byte) error {
	return db.inTx(ctx, "begin second factor of "+verified.User.String(), func(tx pgx.Tx) error {
		if err := holdVersion(ctx, tx, verified); err != nil {
			return err
		}
		return execOne(ctx, tx, errFactorThere(), `INSERT INTO second_factors AS f (user_id, secret) VALUES ($1, $2)
			ON CONFLICT (user_id) DO UPDATE SET secret = $2, failures = 0, created_at = now() WHERE f.confirmed_at IS NULL`, verified.User, secret)
	})
}

// ConfirmFactor activates the second factor with the given encrypted secret, and stores the
// hashes of its recovery codes. The caller has verified the code of the given time step.
// ConfirmFactor ends all sessions, since they were opened without the factor, opens the
// session s and returns the account. Conflict if a factor is already active or if another
// one was begun in the meantime; Unauthorized if the account was closed, or if its token
// version is not that of s.
func (db *DB) ConfirmFactor(ctx context.Context, s SignIn, secret []byte, step int64, codes [][]byte) (u User, err error) {
	err = db.inTx(ctx, "confirm second factor of "+s.User.String(), func(tx pgx.Tx) error {
		if err := holdVersion(ctx, tx, Verified{s.User, s.Version}); err != nil {
			return err
		}
		if err := execOne(ctx, tx, errFactorThere(), `UPDATE second_factors SET confirmed_at = now(), last_step = $3, failures = 0
			WHERE user_id = $1 AND secret = $2 AND confirmed_at IS NULL`, s.User, secret, step); err != nil {
			return err
		}
		if err := putCodes(ctx, tx, s.User, codes); err != nil {
			return err
		}
		if err := revokeTokensOf(ctx, tx, s.User); err != nil {
			return err
		}
		if u, err = one[User](ctx, tx, `UPDATE users SET token_version = token_version + 1 WHERE id = $1 RETURNING `+userColumns, s.User); err != nil {
			return err
		}
		s.Version = u.TokenVersion
		if err := openSession(ctx, tx, s); err != nil {
			return err
		}
		return auditBy(ctx, tx, &s.User, FactorEnabled, s.User.String(), nil)
	})
	return u, err
}

// Verified is an account whose owner has just proved their identity. Time may pass before the result is written, so it
// is written only if the account has not changed since.
type Verified struct {
	User    uuid.UUID
	Version int // TokenVersion of the account when the proof was checked
}

// holdVersion locks an open account whose tokens still have the given version; Unauthorized
// otherwise.
func holdVersion(ctx context.Context, tx pgx.Tx, verified Verified) error {
	u, err := holdUser(ctx, tx, verified.User)
	if err == nil && (!u.Active || u.TokenVersion != verified.Version) {
		return errSessionOver()
	}
	return err
}

// putCodes replaces an account's recovery codes.
func putCodes(ctx context.Context, tx pgx.Tx, user uuid.UUID, codes [][]byte) error {
	if _, err := tx.Exec(ctx, `DELETE FROM recovery_codes WHERE user_id = $1`, user); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::bytea[])`, user, codes)
	return err
}

// SpendStep marks the verified code of a time step as used, and reports whether the code
// was still valid: a code that is as old as the last used one, or older, is not. If two
// calls with the same code run at once, one succeeds.
func (db *DB) SpendStep(ctx context.Context, user uuid.UUID, step int64) (bool, error) {
	tag, err := db.pool.Exec(ctx, `UPDATE second_factors SET last_step = $2, failures = 0
		WHERE user_id = $1 AND confirmed_at IS NOT NULL AND last_step < $2 AND failures < $3`, user, step, FactorTries)
	return tag.RowsAffected() == 1, classify("spend step of "+user.String(), err)
}

// SpendCode uses up the recovery code with the given hash, and reports whether it was
// valid. Each code works once.
func (db *DB) SpendCode(ctx context.Context, user uuid.UUID, code []byte) (good bool, err error) {
	err = db.inTx(ctx, "spend recovery code of "+user.String(), func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `UPDATE recovery_codes c SET used_at = now() FROM second_factors f
			WHERE c.user_id = $1 AND c.code_hash = $2 AND c.used_at IS NULL AND f.user_id = c.user_id AND f.confirmed_at IS NOT NULL`, user, code)
		if good = err == nil && tag.RowsAffected() == 1; !good {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE second_factors SET failures = 0 WHERE user_id = $1`, user); err != nil {
			return err
		}
		return auditBy(ctx, tx, &user, CodeUsed, user.String(), nil)
	})
	return good && err == nil, err
}

// MissCode counts a wrong code of the account.
func (db *DB) MissCode(ctx context.Context, user uuid.UUID) error {
	_, err := db.pool.Exec(ctx, `UPDATE second_factors SET failures = failures + 1 WHERE user_id = $1`, user)
	return classify("miss code of "+user.String(), err)
}

// RenewCodes replaces the recovery codes of an account with an active second factor.
// NotFound if there is none, Unauthorized if the account has changed since it was verified.
func (db *DB) RenewCodes(ctx context.Context, verified Verified, codes [][]byte) error {
	user := verified.User
	return db.inTx(ctx, "renew recovery codes of "+user.String(), func(tx pgx.Tx) error {
		if err := holdVersion(ctx, tx, verified); err != nil {
			return err
		}
		var one int
		if err := tx.QueryRow(ctx, `SELECT 1 FROM second_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL FOR UPDATE`, user).Scan(&one); err != nil {
			return err
		}
		if err := putCodes(ctx, tx, user, codes); err != nil {
			return err
		}
		return audit(ctx, tx, CodesRenewed, user.String(), nil)
	})
}

// DisableFactor removes an account's second factor at its owner's request; its sessions
// stay open. NotFound if none is active, Unauthorized if the account has changed since it was
// verified.
func (db *DB) DisableFactor(ctx context.Context, verified Verified) error {
	user := verified.User
	return db.inTx(ctx, "disable second factor of "+user.String(), func(tx pgx.Tx) error {
		if err := holdVersion(ctx, tx, verified); err != nil {
			return err
		}
		removed, err := removeFactor(ctx, tx, user)
		if err != nil {
			return err
		}
		if !removed {
			return pgx.ErrNoRows
		}
		return audit(ctx, tx, FactorDisabled, user.String(), nil)
	})
}

// ResetFactor removes the second factor of an account whose owner has lost it, and ends all
// sessions. NotFound if there is no such account or if it has no active second factor.
func (db *DB) ResetFactor(ctx context.Context, user uuid.UUID) error {
	return db.inTx(ctx, "reset second factor of "+user.String(), func(tx pgx.Tx) error {
		if _, err := holdUser(ctx, tx, user); err != nil {
			return err
		}
		removed, err := removeFactor(ctx, tx, user)
		if err != nil {
			return err
		}
		if !removed {
			return pgx.ErrNoRows
		}
		if _, err := tx.Exec(ctx, `UPDATE users SET token_version = token_version + 1 WHERE id = $1`, user); err != nil {
			return err
		}
		if err := revokeTokensOf(ctx, tx, user); err != nil {
			return err
		}
		return audit(ctx, tx, FactorReset, user.String(), nil)
	})
}

// removeFactor removes the account's second factor, if any, and reports whether it was
// active.
func removeFactor(ctx context.Context, tx pgx.Tx, user uuid.UUID) (inForce bool, err error) {
	gone, err := collect(ctx, tx, pgx.RowTo[bool], `DELETE FROM second_factors WHERE user_id = $1 RETURNING confirmed_at IS NOT NULL`, user)
	return len(gone) == 1 && gone[0], err
}

// Identity is a person whom an identity provider has just authenticated.
type Identity struct {
	Provider        string // the operator's name of the provider, for the audit log
	Issuer, Subject string
	Email           string // address that the provider has verified; "" if it has not
	Name            string // full name for a new account
}

// errNoAccountOf returns the error for an identity that opens no account. It does not
// reveal whether there is no account or whether it is closed.
func errNoAccountOf() error {
	return errs.New(errs.Forbidden, "Aucun compte ouvert ne répond à cette identité. Demandez-en un à l’administrateur.")
}

// UserOfIdentity returns the account of an identity. This is, in this order: the account
// that the identity is linked to, whatever its e-mail address is now; the account with the
// identity's address, which is then linked to the identity; a new account without a
// password, if open returns true for the address. Forbidden if there is no account, if it
// is closed, or if it is linked to another person of the same issuer, so that a reassigned
// address opens no account. Conflict if another request opens an account with the address
// at the same time.
func (db *DB) UserOfIdentity(ctx context.Context, i Identity, open func(email string) bool) (u User, err error) {
	err = db.inTx(ctx, "user of an identity", func(tx pgx.Tx) error {
		// This lock serializes sign-ins of one person, who may use two tabs at once.
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, "identity "+i.Issuer+" "+i.Subject); err != nil {
			return err
		}
		var owner uuid.UUID
		err := tx.QueryRow(ctx, `SELECT user_id FROM identities WHERE issuer = $1 AND subject = $2`, i.Issuer, i.Subject).Scan(&owner)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			u, err = linkIdentity(ctx, tx, i, open)
		case err == nil:
			if u, err = holdUser(ctx, tx, owner); err == nil {
				_, err = tx.Exec(ctx, `UPDATE identities SET last_used_at = now() WHERE issuer = $1 AND subject = $2`, i.Issuer, i.Subject)
			}
		}
		if err == nil && !u.Active {
			err = errNoAccountOf()
		}
		return err
	})
	if errs.Is(err, errs.Conflict) { // another request opened an account with the same address
		return User{}, errs.Wrap(errs.Conflict, "Un compte vient d’être ouvert pour cette adresse. Recommencez la connexion.", err)
	}
	return u, err
}

// linkIdentity finds or opens the account for an identity that is not linked to any, as
// UserOfIdentity describes.
func linkIdentity(ctx context.Context, tx pgx.Tx, i Identity, open func(email string) bool) (u User, err error) {
	if i.Email == "" {
		return u, errs.New(errs.Forbidden, "Le fournisseur d’identité ne confirme pas votre adresse e-mail : elle ne peut ouvrir aucun compte.")
	}
	u, err = one[User](ctx, tx, `SELECT `+userColumns+` FROM users WHERE email = lower($1) FOR NO KEY UPDATE`, i.Email)
	if errors.Is(err, pgx.ErrNoRows) {
		if !open(i.Email) {
			return u, errNoAccountOf()
		}
		u, err = openAccount(ctx, tx, i)
	}
	if err != nil {
		return u, err
	}
	if !u.Active {
		return u, errNoAccountOf()
	}
	tag, err := tx.Exec(ctx, `INSERT INTO identities (issuer, subject, user_id) VALUES ($1, $2, $3) ON CONFLICT (user_id, issuer) DO NOTHING`, i.Issuer, i.Subject, u.ID)
	if err != nil {
		return u, err
	}
	if tag.RowsAffected() == 0 {
		return u, errs.New(errs.Forbidden, "Le compte de cette adresse est lié à une autre identité de ce fournisseur. Demandez à l’administrateur de la délier.")
	}
	return u, auditBy(ctx, tx, &u.ID, IdentityLinked, u.ID.String(), details{"provider": i.Provider})
}

// openAccount creates an account for an identity, with the lowest role and without a
// password.
func openAccount(ctx context.Context, tx pgx.Tx, i Identity) (User, error) {
	id := NewID()
	u, err := one[User](ctx, tx, `INSERT INTO users (id, email, full_name, role, password_hash) VALUES ($1, lower($2), $3, 'user', '')
		RETURNING `+userColumns, id, i.Email, i.Name)
	if err != nil {
		return u, err
	}
	return u, auditBy(ctx, tx, &id, SignedUp, id.String(), details{"role": u.Role, "provider": i.Provider})
}

// IsIdentityOf reports whether an identity is linked to an account.
func (db *DB) IsIdentityOf(ctx context.Context, issuer, subject string, user uuid.UUID) (yes bool, err error) {
	err = db.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM identities WHERE issuer = $1 AND subject = $2 AND user_id = $3)`, issuer, subject, user).Scan(&yes)
	return yes, classify("identity of "+user.String(), err)
}

// IssuersOf lists the issuer URLs of the identity providers that an account is linked to.
func (db *DB) IssuersOf(ctx context.Context, user uuid.UUID) ([]string, error) {
	list, err := collect(ctx, db.pool, pgx.RowTo[string], `SELECT issuer FROM identities WHERE user_id = $1 ORDER BY issuer`, user)
	return list, classify("issuers of "+user.String(), err)
}

// UnlinkIdentities unlinks an account from every identity provider and ends its sessions,
// because the providers may have opened them. Later, an identity with the account's address
// is linked to it again. NotFound if there is no such account or if it is linked to no
// identity.
func (db *DB) UnlinkIdentities(ctx context.Context, user uuid.UUID) error {
	return db.inTx(ctx, "unlink identities of "+user.String(), func(tx pgx.Tx) error {
		if _, err := holdUser(ctx, tx, user); err != nil {
			return err
		}
		if err := execOne(ctx, tx, pgx.ErrNoRows, `DELETE FROM identities WHERE user_id = $1`, user); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE users SET token_version = token_version + 1 WHERE id = $1`, user); err != nil {
			return err
		}
		if err := revokeTokensOf(ctx, tx, user); err != nil {
			return err
		}
		return audit(ctx, tx, IdentityUnlinked, user.String(), nil)
	})
}
