package postgres

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// Identity is a person as an identity provider has just authenticated them.
type Identity struct {
	Provider        string // the operator's name for it, for the audit log
	Issuer, Subject string
	Email           string // verified by the provider; "" if not
	Name            string // for a new account
}

// errNoAccountOf is the error if an identity opens no account: the same whether there is
// none or it is closed.
func errNoAccountOf() error {
	return errs.New(errs.Forbidden, "Aucun compte ouvert ne répond à cette identité. Demandez-en un à l’administrateur.")
}

// UserOfIdentity returns the account of an identity: the one it is linked to, whatever
// address it has now; else the one with its address, which is linked to it; else, if open
// allows accounts for that address, a new one without a password. Forbidden if there is
// none, it is closed, or it is linked to another person of the same issuer: an address that
// was reassigned opens nothing. Conflict if another request opens an account with the
// address at the same time.
// of its address is opened in another way at the same time.
func (db *DB) UserOfIdentity(ctx context.Context, i Identity, open func(email string) bool) (u User, err error) {
	err = db.inTx(ctx, "user of an identity", func(tx pgx.Tx) error {
		// Serialized: a new user may sign in from two tabs at once.
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
	if errs.Is(err, errs.Conflict) { // another request opened an account with that address
		return User{}, errs.Wrap(errs.Conflict, "Un compte vient d’être ouvert pour cette adresse. Recommencez la connexion.", err)
	}
	return u, err
}

// linkIdentity is UserOfIdentity for an identity that is not linked yet.
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

// openAccount creates an account for an identity, with the lowest role and no password.
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
	rows, err := db.pool.Query(ctx, `SELECT issuer FROM identities WHERE user_id = $1 ORDER BY issuer`, user)
	if err != nil {
		return nil, classify("issuers of "+user.String(), err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return list, classify("issuers of "+user.String(), err)
}

// UnlinkIdentities unlinks an account from every identity provider and ends its sessions,
// any of which may have been opened there. The next identity with its address is linked to
// it. NotFound if there is no such account or it is not linked.
func (db *DB) UnlinkIdentities(ctx context.Context, user uuid.UUID) error {
	return db.inTx(ctx, "unlink identities of "+user.String(), func(tx pgx.Tx) error {
		if _, err := holdUser(ctx, tx, user); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `DELETE FROM identities WHERE user_id = $1`, user)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return pgx.ErrNoRows
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
