package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// Whatever creates, spends or revokes refresh tokens first locks the row of their account
// (holdUser), as does whatever changes its password, state or version. So these operations
// are serialized per account, each sees the results of the previous ones, and none
// deadlock.

// SignIn is a session that begins.
type SignIn struct {
	Hash    []byte // of its first refresh token
	User    uuid.UUID
	Version int       // the account's, when the password was checked
	Expires time.Time // expiry of the token
	Ends    time.Time // end of the session, which renewals do not move

	Provider string // identity provider of the sign-in; "": by password
}

// errSessionOver is the error for a token that is no longer valid.
func errSessionOver() error {
	return errs.New(errs.Unauthorized, "La session a expiré. Connectez-vous de nouveau.")
}

// holdUser returns an account and locks it until the transaction ends.
func holdUser(ctx context.Context, tx pgx.Tx, id uuid.UUID) (User, error) {
	return scanUser(tx.QueryRow(ctx, `SELECT `+userColumns+` FROM users WHERE id = $1 FOR NO KEY UPDATE`, id))
}

// CreateRefreshToken begins a session and records it in the audit log. Unauthorized if the
// account was closed, or its password changed after it was checked.
func (db *DB) CreateRefreshToken(ctx context.Context, s SignIn) error {
	return db.inTx(ctx, "create refresh token", func(tx pgx.Tx) error {
		u, err := holdUser(ctx, tx, s.User)
		if err != nil {
			return err
		}
		if !u.Active || u.TokenVersion != s.Version {
			return errSessionOver()
		}
		if err := insertToken(ctx, tx, s, uuid.New(), nil); err != nil {
			return err
		}
		said := details{}
		if s.Provider != "" {
			said["provider"] = s.Provider
		}
		return auditBy(ctx, tx, &s.User, Login, s.User.String(), said)
	})
}

func insertToken(ctx context.Context, tx pgx.Tx, s SignIn, family uuid.UUID, parent []byte) error {
	_, err := tx.Exec(ctx, `INSERT INTO refresh_tokens (token_hash, family, user_id, token_version, expires_at, ends_at, parent)
		VALUES ($1, $2, $3, $4, least($5::timestamptz, $6), $6, $7)`, s.Hash, family, s.User, s.Version, s.Expires, s.Ends, parent)
	return err
}

// Renewal exchanges a refresh token for another of the same session.
type Renewal struct {
	Old, Fresh []byte    // their hashes
	Expires    time.Time // expiry of the new one, unless the session ends before

	// Grace is how long after it was spent a token may be used once more, in case the reply
	// was lost; 0: never.
	Grace time.Duration
}

// spending is the state of a token that is to be exchanged.
type spending struct {
	family uuid.UUID
	parent []byte
	used   bool // it was exchanged before
	dead   bool // invalid, regardless of whether it was used
	recent bool // it was exchanged within the grace period
	ends   time.Time
	life   time.Duration // of the new one
}

// RotateRefreshToken spends a token and issues a new one in the same session. It returns
// the account at that moment and the lifetime of the new token. Unauthorized if the token
// is unknown, expired, revoked or of another version of the account.
//
// Reuse of a spent token revokes its whole family, including the token it was exchanged
// for, because either the owner or a thief has a copy. There is one exception: a client
// that lost the reply retries at once and has used nothing of it. Within the grace period,
// once, and while the token it was exchanged for is unused, it gets a sibling of that
// token. Using either sibling spends both, so that a later use of the other is reuse.
func (db *DB) RotateRefreshToken(ctx context.Context, r Renewal) (u User, life time.Duration, err error) {
	refused := false
	err = db.inTx(ctx, "rotate refresh token", func(tx pgx.Tx) error {
		if u, err = holdOwner(ctx, tx, r.Old); err != nil {
			return err
		}
		old, err := readSpending(ctx, tx, r, u.TokenVersion)
		if err != nil {
			return err
		}
		if life, refused = old.life, old.dead || !u.Active; old.used {
			refused, err = spentBefore(ctx, tx, u, r.Old, old, refused)
		}
		if err != nil || refused {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE refresh_tokens SET used_at = now() WHERE family = $1 AND used_at IS NULL AND (token_hash = $2 OR parent = $3)`,
			old.family, r.Old, old.parent); err != nil {
			return err
		}
		return insertToken(ctx, tx, SignIn{Hash: r.Fresh, User: u.ID, Version: u.TokenVersion, Expires: r.Expires, Ends: old.ends}, old.family, r.Old)
	})
	if refused || errs.Is(err, errs.NotFound) {
		return User{}, 0, errSessionOver()
	}
	return u, life, err
}

// readSpending reads the token that a renewal exchanges; version is that of its account. Another renewal may have spent it
// after this transaction began, so how long ago that was is told by the clock, not by now().
func readSpending(ctx context.Context, tx pgx.Tx, r Renewal, version int) (s spending, err error) {
	err = tx.QueryRow(ctx, `SELECT family, parent, used_at IS NOT NULL, coalesce(used_at > clock_timestamp() - $4::interval, false),
			revoked_at IS NOT NULL OR expires_at <= now() OR token_version IS DISTINCT FROM $2,
			coalesce(ends_at, expires_at), least($3::timestamptz, coalesce(ends_at, expires_at)) - now()
		FROM refresh_tokens WHERE token_hash = $1 FOR UPDATE`, r.Old, version, r.Expires, r.Grace).
		Scan(&s.family, &s.parent, &s.used, &s.recent, &s.dead, &s.ends, &s.life)
	return s, err
}

// spentBefore decides about a token that is used again: it is exchanged once more, or
// refused and its session revoked. Both are recorded in the audit log.
func spentBefore(ctx context.Context, tx pgx.Tx, u User, hash []byte, old spending, dead bool) (refused bool, err error) {
	again := false
	if !dead && old.recent {
		if again, err = lostReply(ctx, tx, old.family, hash); err != nil {
			return true, err
		}
	}
	if !again {
		return true, endFamily(ctx, tx, old.family, u.ID, RefreshReused)
	}
	return false, auditBy(ctx, tx, &u.ID, RefreshRepeated, u.ID.String(), details{"session": old.family})
}

// lostReply reports whether the owner of a spent token may never have received the reply:
// the one token that it was exchanged for is unused, and no second one was issued. A token
// that was spent because its sibling was used was exchanged for nothing.
func lostReply(ctx context.Context, tx pgx.Tx, family uuid.UUID, old []byte) (may bool, err error) {
	err = tx.QueryRow(ctx, `SELECT count(*) = 1 AND bool_and(used_at IS NULL AND revoked_at IS NULL) FROM refresh_tokens WHERE family = $1 AND parent = $2`,
		family, old).Scan(&may)
	return may, err
}

// holdOwner is holdUser for the account of a refresh token.
func holdOwner(ctx context.Context, tx pgx.Tx, hash []byte) (User, error) {
	var owner uuid.UUID
	if err := tx.QueryRow(ctx, `SELECT user_id FROM refresh_tokens WHERE token_hash = $1`, hash).Scan(&owner); err != nil {
		return User{}, err
	}
	return holdUser(ctx, tx, owner)
}

// RevokeFamily ends the session of a token; an unknown token is not an error, since its
// session is over anyway.
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

// endFamily revokes a session and records why in the audit log; a session that is over
// stays unchanged, however often its tokens are used.
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
