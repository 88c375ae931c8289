package postgres

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

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
	u, err = scanUser(tx.QueryRow(ctx, `SELECT `+userColumns+` FROM users WHERE email = lower($1) FOR NO KEY UPDATE`, i.Email))
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
	u, err := scanUser(tx.QueryRow(ctx, `INSERT INTO users (id, email, full_name, role, password_hash) VALUES ($1, lower($2), $3, 'user', '')
		RETURNING `+userColumns, id, i.Email, i.Name))
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
