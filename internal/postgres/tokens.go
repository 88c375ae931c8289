package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/errs"
)

// Whatever makes, spends or ends refresh tokens first holds the row of their
// account (holdUser), as does whatever changes its password, its state or its
// version. So these come one after the other, each sees what the ones before have
// left, and no two wait for each other.

// SignIn is a session that begins.
type SignIn struct {
	Hash    []byte // of its first refresh token
	User    uuid.UUID
	Version int       // the account's, as it was when the password was checked
	Expires time.Time // the token's end
	Ends    time.Time // the session's end, which no renewal moves

	Provider string // of identities, by which the person came; "": by a password
}

// errSessionOver tells whoever holds a token that is good no more.
func errSessionOver() error {
	return errs.New(errs.Unauthorized, "La session a expiré. Connectez-vous de nouveau.")
}

// holdUser gives an account and keeps it as it is until the transaction ends.
func holdUser(ctx context.Context, tx pgx.Tx, id uuid.UUID) (User, error) {
	return scanUser(tx.QueryRow(ctx, `SELECT `+userColumns+` FROM users WHERE id = $1 FOR NO KEY UPDATE`, id))
}

// CreateRefreshToken begins a session, which the audit log notes. Unauthorized
// when the account was closed or its password changed since it was checked.
func (db *DB) CreateRefreshToken(ctx context.Context, s SignIn) error {
	return db.inTx(ctx, "create refresh token", func(tx pgx.Tx) error {
		u, err := holdUser(ctx, tx, s.User)
		if err != nil {
			return err
		}
		if !u.Active || u.TokenVersion != s.Version {
			return errSessionOver()
		}
		if err := insertToken(ctx, tx, s, uuid.New()); err != nil {
			return err
		}
		said := details{}
		if s.Provider != "" {
			said["provider"] = s.Provider
		}
		return auditBy(ctx, tx, &s.User, Login, s.User.String(), said)
	})
}

func insertToken(ctx context.Context, tx pgx.Tx, s SignIn, family uuid.UUID) error {
	_, err := tx.Exec(ctx, `INSERT INTO refresh_tokens (token_hash, family, user_id, token_version, expires_at, ends_at)
		VALUES ($1, $2, $3, $4, least($5::timestamptz, $6), $6)`, s.Hash, family, s.User, s.Version, s.Expires, s.Ends)
	return err
}

// RotateRefreshToken spends the token old and puts fresh in its place, within
// the same session; it gives the account as it was in that moment, and how long
// fresh is good for. A token that is unknown, expired, revoked or of another
// version of the account's is Unauthorized; one that was spent before revokes its
// whole family, what it was exchanged for included, because either the owner or a
// thief holds a copy.
func (db *DB) RotateRefreshToken(ctx context.Context, old, fresh []byte, expires time.Time) (u User, life time.Duration, err error) {
	refused := false
	err = db.inTx(ctx, "rotate refresh token", func(tx pgx.Tx) error {
		if u, err = holdOwner(ctx, tx, old); err != nil {
			return err
		}
		var family uuid.UUID
		var used, dead bool
		s := SignIn{Hash: fresh, User: u.ID, Version: u.TokenVersion, Expires: expires}
		row := tx.QueryRow(ctx, `SELECT family, used_at IS NOT NULL, revoked_at IS NOT NULL OR expires_at <= now()
				OR token_version IS DISTINCT FROM $2, coalesce(ends_at, expires_at), least($3::timestamptz, coalesce(ends_at, expires_at)) - now()
			FROM refresh_tokens WHERE token_hash = $1 FOR UPDATE`, old, u.TokenVersion, expires)
		if err := row.Scan(&family, &used, &dead, &s.Ends, &life); err != nil {
			return err
		}
		if refused = used || dead || !u.Active; used {
			return endFamily(ctx, tx, family, u.ID, RefreshReused)
		}
		if refused {
			return nil
		}
		if _, err := tx.Exec(ctx, `UPDATE refresh_tokens SET used_at = now() WHERE token_hash = $1`, old); err != nil {
			return err
		}
		return insertToken(ctx, tx, s, family)
	})
	if refused || errs.Is(err, errs.NotFound) {
		return User{}, 0, errSessionOver()
	}
	return u, life, err
}

// holdOwner is holdUser for the account of a refresh token.
func holdOwner(ctx context.Context, tx pgx.Tx, hash []byte) (User, error) {
	var owner uuid.UUID
	if err := tx.QueryRow(ctx, `SELECT user_id FROM refresh_tokens WHERE token_hash = $1`, hash).Scan(&owner); err != nil {
		return User{}, err
	}
	return holdUser(ctx, tx, owner)
}

// RevokeFamily ends the session that the token belongs to; an unknown token is
// no error, its session is over anyway.
func (db *DB) RevokeFamily(ctx context.Context, hash []byte) error {
	err := db.inTx(ctx, "revoke family", func(tx pgx.Tx) error {
		u, err := holdOwner(ctx, tx, hash)
		if err != nil {
			return err
		}
		var family uuid.UUID
		if err := tx.QueryRow(ctx, `SELECT family FROM refresh_tokens WHERE token_hash = $1`, hash).Scan(&family); err != nil {
			return err
		}
		return endFamily(ctx, tx, family, u.ID, Logout)
	})
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	return err
}

// endFamily ends a session, and notes why in the audit log; one that is over already
// stays as it is, however often its tokens come again.
func endFamily(ctx context.Context, tx pgx.Tx, family, user uuid.UUID, why Action) error {
	tag, err := tx.Exec(ctx, `UPDATE refresh_tokens SET revoked_at = now() WHERE family = $1 AND revoked_at IS NULL`, family)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	return auditBy(ctx, tx, &user, why, user.String(), details{"session": family})
}

func revokeTokensOf(ctx context.Context, tx pgx.Tx, user uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE refresh_tokens SET revoked_at = now() WHERE user_id = $1 AND revoked_at IS NULL`, user)
	return err
}
